export { type GitView, type RepositoryAt, readRepository } from './git-view.ts';
export { type PushTarget, type PushWords, pushTarget } from './push-target.ts';
