import { awsAssumeRoleKind } from './aws/aws-assume-role.ts';
import { awsSsoKind } from './aws/aws-sso.ts';
import { awsStaticKind } from './aws/aws-static.ts';
import { clientLogin } from './client-login.ts';
import { env, file, sshKey } from './command-kinds.ts';
import { gcpAdcKind, gcpImpersonateKind } from './gcp/gcp-minted.ts';
import { gcpStaticKind } from './gcp/gcp-static.ts';
import { githubAppKind } from './github-app/github-app.ts';
import { hmac } from './hmac.ts';
import type { CredentialKind, CredentialKinds, FoundCredential, PersonContext } from './kind.ts';
import { oauth2Kind } from './oauth2/oauth2.ts';
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
  aws_static: awsStaticKind,
  aws_assume_role: awsAssumeRoleKind,
  aws_sso: awsSsoKind,
  gcp_static: gcpStaticKind,
  gcp_impersonate: gcpImpersonateKind,
  gcp_adc: gcpAdcKind,
  github_app: githubAppKind,
  oauth2: oauth2Kind,
  ssh_key: sshKey,
  env,
  file,
};

/** What programs left on this machine, for all kinds. */
export function findCredentials(context: PersonContext): readonly FoundCredential[] {
  const kinds: readonly Pick<CredentialKind, 'find'>[] = Object.values(KINDS);
  const found = kinds.flatMap((kind) => kind.find?.(context) ?? []);
  return found.filter(({ name }, at) => found.findIndex((other) => other.name === name) === at);
}
