export { GithubAppServer } from './github-app-server.ts';
