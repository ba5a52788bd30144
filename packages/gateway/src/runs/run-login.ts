import type { Config } from '../config/index.ts';
import type { CredentialBroker, Placeholders } from '../credentials/index.ts';
import type { SessionFacts } from '../identity/index.ts';

type Provider = 'anthropic' | 'openai' | 'openrouter' | 'google';

/** Hosts of model APIs, and which client's own login goes where. */
const MODEL_HOSTS: Readonly<Record<string, Provider>> = {
  'api.anthropic.com': 'anthropic',
  'api.openai.com': 'openai',
  'openrouter.ai': 'openrouter',
  'generativelanguage.googleapis.com': 'google',
};

/** Variables by which programs look for a key, by provider. */
const PROVIDER_VARIABLES: Readonly<Record<Provider, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
};

/** The same by kind, where the kind says it all. */
const KIND_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  github_pat: ['GITHUB_TOKEN', 'GH_TOKEN'],
  github_app: ['GITHUB_TOKEN', 'GH_TOKEN'],
  slack: ['SLACK_BOT_TOKEN', 'SLACK_TOKEN'],
  linear: ['LINEAR_API_KEY'],
  datadog: ['DD_API_KEY', 'DD_APP_KEY'],
  aws_static: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  aws_assume_role: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  aws_sso: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  gcp_static: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
  gcp_impersonate: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
  gcp_adc: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
};

/** Which model logins a client can use, best first. */
const CLIENTS: Readonly<
  Record<string, { readonly login?: 'claude-code' | 'codex'; readonly providers: readonly Provider[] }>
> = {
  claude: { login: 'claude-code', providers: ['anthropic'] },
  codex: { login: 'codex', providers: ['openai'] },
  pi: { providers: ['anthropic', 'openai', 'openrouter', 'google'] },
  aider: { providers: ['anthropic', 'openai', 'openrouter', 'google'] },
  opencode: { providers: ['anthropic', 'openai', 'openrouter', 'google'] },
};

export interface RunLogin {
  /** variables with placeholders as values */
  readonly env: Readonly<Record<string, string>>;
  readonly login: 'lent' | 'missing' | 'none';
  /** the placeholder of a subscription login, for clients that read it from a file */
  readonly loginToken: string | null;
  readonly tip: string | null;
}

export interface RunLoginParts {
  readonly config: Config;
  /** hosts that speak a provider's API, as the tenant's policy has them */
  readonly providers: readonly { readonly host: string; readonly provider: string }[];
  readonly broker: Pick<CredentialBroker, 'facts'>;
  readonly placeholders: Pick<Placeholders, 'placeholderOf'>;
}

/** What stands for the session's credentials in its environment. Nothing in it is worth anything elsewhere. */
export function runLogin(parts: RunLoginParts, session: SessionFacts, client: string | undefined): RunLogin {
  const known = client !== undefined && Object.hasOwn(CLIENTS, client) ? CLIENTS[client] : undefined;
  const env: Record<string, string> = {};
  let loginToken: string | null = null;
  let isLent = false;
  for (const name of session.credentials) {
    const placeholder = parts.placeholders.placeholderOf(session, name);
    const use = useOf(parts, session.tenant, name);
    // Another client's subscription is of no use, and its variable would only confuse.
    if (use.login !== undefined && use.login !== known?.login) continue;
    if (use.login !== undefined) {
      loginToken ??= placeholder;
      isLent = true;
      if (use.login === 'claude-code') env.CLAUDE_CODE_OAUTH_TOKEN ??= placeholder;
    }
    if (use.providers.some((provider) => known?.providers.includes(provider))) isLent = true;
    for (const variable of use.variables) env[variable] ??= placeholder;
  }
  // A client that finds both a subscription and a key asks which to use; the subscription is the person's own.
  if (env.CLAUDE_CODE_OAUTH_TOKEN !== undefined) delete env.ANTHROPIC_API_KEY;
  if (known === undefined) return { env, login: 'none', loginToken: null, tip: null };
  return isLent
    ? { env, login: 'lent', loginToken, tip: null }
    : { env, login: 'missing', loginToken: null, tip: tipFor(parts, session, client ?? '', known) };
}

interface Use {
  readonly login: 'claude-code' | 'codex' | undefined;
  readonly providers: readonly Provider[];
  readonly variables: readonly string[];
}

function useOf({ config, providers, broker }: RunLoginParts, tenant: string, name: string): Use {
  const entry = config.tenants[tenant]?.credentials[name];
  if (entry?.kind === 'client_login') return { login: entry.client, providers: [], variables: [] };
  const facts = broker.facts(tenant, name);
  if (facts === undefined) return { login: undefined, providers: [], variables: [] };
  const own = KIND_VARIABLES[facts.kind];
  if (own !== undefined) return { login: undefined, providers: [], variables: own };
  const found = facts.hosts.flatMap((host) => providerOf(host, providers) ?? []);
  return { login: undefined, providers: found, variables: found.flatMap((one) => PROVIDER_VARIABLES[one]) };
}

function providerOf(host: string, configured: RunLoginParts['providers']): Provider | undefined {
  const entry = configured.find((one) => one.host.replace(/:\d+$/, '') === host);
  const name = entry?.provider ?? (Object.hasOwn(MODEL_HOSTS, host) ? MODEL_HOSTS[host] : undefined);
  return name === 'anthropic' || name === 'openai' || name === 'openrouter' || name === 'google'
    ? name
    : undefined;
}

function tipFor(
  parts: RunLoginParts,
  { tenant, agent }: SessionFacts,
  client: string,
  { login, providers }: NonNullable<(typeof CLIENTS)[string]>,
): string {
  const all = Object.keys(parts.config.tenants[tenant]?.credentials ?? {});
  const fitting = all.find((name) => {
    const use = useOf(parts, tenant, name);
    return (
      (use.login !== undefined && use.login === login) ||
      use.providers.some((provider) => providers.includes(provider))
    );
  });
  if (fitting !== undefined) {
    return `\`${client}\` is not logged in: list \`${fitting}\` under \`agents.${agent}.credentials\` to lend it`;
  }
  const add =
    login === undefined
      ? `sallyport credentials add model --kind bearer --host api.anthropic.com --agent ${agent}`
      : `sallyport credentials add ${client} --kind client_login --set client=${login} --agent ${agent}`;
  return `\`${client}\` is not logged in: \`${add}\` lends it your login without showing it`;
}
