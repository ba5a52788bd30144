import { clientLogin } from './client-login.ts';
import { cloudKinds } from './cloud-kinds.ts';
import { hmac } from './hmac.ts';
import type { CredentialKinds } from './kind.ts';
import { basic, bearer, datadog, githubPat, header, linear, query, slack } from './plain-kinds.ts';

/** Every kind that the config's schema accepts. */
export const KINDS: CredentialKinds = {
  bearer,
  basic,
  header,
  query,
  github_pat: githubPat,
  datadog,
  linear,
  slack,
  hmac,
  client_login: clientLogin,
  ...cloudKinds,
};
