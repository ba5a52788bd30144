export { createAppAuth } from '@octokit/auth-app';
export { request } from '@octokit/request';
