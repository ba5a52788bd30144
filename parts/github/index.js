export { createAppAuth } from '@octokit/auth-app';
