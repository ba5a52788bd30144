import { type Finding, secret } from '../finding.ts';
import { classifyGit, DOT_GIT, OWNER_AND_NAME } from '../git/smart-http.ts';
import type { RequestView } from '../request-view.ts';
import { classifyGraphql } from './github-graphql.ts';

// Areas of GitLab's REST API that answer with values of secrets, or make them.
const GITLAB_SECRETS =
  /\/(?:variables|triggers|pipeline_schedules|secure_files|deploy_tokens|access_tokens|personal_access_tokens|impersonation_tokens|registration_token|reset_registration_token|authentication_token|session|runners|integrations|services)(?:[/.;]|$)/i;

/** GitLab: git over HTTP, GraphQL; REST by method, but for what answers with secrets. */
export function classifyGitlab(view: RequestView): Finding | undefined {
  const { segments } = view;
  if (segments[0] === 'oauth') return secret('oauth');
  if (segments[0] === 'api') {
    if (segments[1] === 'graphql') return classifyGraphql(view);
    return GITLAB_SECRETS.test(view.path) ? secret(`${view.method} ${view.path}`) : undefined;
  }
  return classifyGit(view, DOT_GIT);
}

/** Bitbucket: git over HTTP; the API by method. */
export function classifyBitbucket(view: RequestView): Finding | undefined {
  if (view.segments[0] === 'site' && view.segments[1] === 'oauth2') return secret('oauth2');
  return view.host.startsWith('api.') ? undefined : classifyGit(view, OWNER_AND_NAME);
}

/** Any other server that speaks git over HTTP below paths that end in `.git`. */
export function classifyPlainGit(view: RequestView): Finding | undefined {
  return classifyGit(view, DOT_GIT);
}
