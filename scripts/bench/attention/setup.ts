import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';

/**
 * What a team that works like a day's has set up beside its policy: its repositories, a credential for each service that its
 * agents use, and the routes that lend them. Nothing here says what may be done. Another day has its own in `setup.yaml`.
 */
export interface Setup {
  /** folder of each, and where its `origin` is */
  readonly repositories: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, object>>;
  readonly routes: readonly { readonly host: string; readonly credential: string }[];
}

/** The setup of the day in a folder; what it does not say is as on the first day. */
export function readSetup(folder: string): Setup {
  const file = join(folder, 'setup.yaml');
  const own: Partial<Setup> = existsSync(file) ? (parse(readFileSync(file, 'utf8')) as Partial<Setup>) : {};
  return { repositories: REPOSITORIES, credentials: CREDENTIALS, routes: ROUTES, ...own };
}

const REPOSITORIES = {
  shop: 'https://github.com/acme/shop.git',
  forecast: 'https://github.com/acme/forecast.git',
  gantry: 'https://github.com/acme/gantry.git',
  platform: 'https://github.com/acme/platform.git',
  relay: 'https://gitlab.com/acme-labs/relay.git',
};

const CREDENTIALS = {
  anthropic: { kind: 'header', name: 'x-api-key', source: 'env:ANTHROPIC', hosts: ['api.anthropic.com'] },
  openai: { kind: 'bearer', source: 'env:OPENAI', hosts: ['api.openai.com'] },
  github: { kind: 'github_pat', source: 'env:GITHUB' },
  gitlab: { kind: 'bearer', source: 'env:GITLAB', hosts: ['gitlab.com'] },
  cluster: { kind: 'bearer', source: 'env:CLUSTER', hosts: ['a1b2c3.gr7.eu-central-1.eks.amazonaws.com'] },
  aws: { kind: 'aws_static', source: 'env:AWS' },
  linear: { kind: 'linear', source: 'env:LINEAR' },
  slack: { kind: 'slack', source: 'env:SLACK' },
  datadog: { kind: 'datadog', source: 'env:DATADOG' },
  stripe: { kind: 'bearer', source: 'env:STRIPE', hosts: ['api.stripe.com'] },
};

const ROUTES: Setup['routes'] = [
  { host: 'api.anthropic.com', credential: 'anthropic' },
  { host: 'api.openai.com', credential: 'openai' },
  { host: 'api.github.com', credential: 'github' },
  { host: 'github.com', credential: 'github' },
  { host: 'gitlab.com', credential: 'gitlab' },
  { host: 'a1b2c3.gr7.eu-central-1.eks.amazonaws.com', credential: 'cluster' },
  // The bucket with the team's own data; other buckets are anybody's, and a pattern does not name them.
  { host: 'acme-forecast-data.s3.eu-central-1.amazonaws.com', credential: 'aws' },
  { host: '*.amazonaws.com', credential: 'aws' },
  { host: 'api.linear.app', credential: 'linear' },
  { host: 'slack.com', credential: 'slack' },
  { host: '*.datadoghq.eu', credential: 'datadog' },
  { host: 'api.stripe.com', credential: 'stripe' },
];

/** The text of a policy with the team's credentials in it. */
export function withSetup(policy: string, { credentials, routes }: Setup): string {
  const document = parseDocument(policy);
  document.setIn(['tenants', 'default', 'credentials'], document.createNode(credentials));
  document.setIn(['tenants', 'default', 'routes'], document.createNode(routes));
  return document.toString();
}
