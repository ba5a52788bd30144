import { awsAssumeRoleKind } from './aws/aws-assume-role.ts';
import { awsSsoKind } from './aws/aws-sso.ts';
import { awsStaticKind } from './aws/aws-static.ts';
import { gcpAdcKind } from './gcp/gcp-adc.ts';
import { gcpImpersonateKind } from './gcp/gcp-impersonate.ts';
import { gcpStaticKind } from './gcp/gcp-static.ts';
import { githubAppKind } from './github-app/github-app.ts';
import { oauth2Kind } from './oauth2/oauth2.ts';

/** Kinds that mint or sign with what a cloud hands out, by name; `kinds.ts` spreads them beside the plain ones. */
export const cloudKinds = {
  aws_static: awsStaticKind,
  aws_assume_role: awsAssumeRoleKind,
  aws_sso: awsSsoKind,
  gcp_static: gcpStaticKind,
  gcp_impersonate: gcpImpersonateKind,
  gcp_adc: gcpAdcKind,
  github_app: githubAppKind,
  oauth2: oauth2Kind,
} as const;
