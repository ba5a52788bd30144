import { didYouMean } from '../../shared/suggest.ts';
import { BUILT_IN_SCHEMES } from '../sections/credentials-sources.ts';
import type { Config, TenantConfig } from '../sections/schema.ts';
import type { ConfigPath, ConfigProblem } from './config-check.ts';

const SECRET = 'secret:';
const SHARED_TENANT = 'default';

/** Credentials that agents, sources and other credentials name exist, and none leads back to itself. */
export function checkCredentials(config: Config): readonly ConfigProblem[] {
  const everywhere = Object.values(config.tenants).flatMap((tenant) => Object.keys(tenant.credentials));
  const shared = Object.keys(config.tenants[SHARED_TENANT]?.credentials ?? {});
  return [
    ...checkAgents(config.agents, ['agents'], everywhere),
    // What belongs to no tenant uses the credentials of the first one.
    ...namedSecrets({ channels: config.channels, gatekeeper: config.gatekeeper }).flatMap(([path, name]) =>
      shared.includes(name) ? [] : [noCredential(path, name, shared)],
    ),
    ...Object.entries(config.tenants).flatMap(([name, tenant]) => [
      ...checkAgents(tenant.agents, ['tenants', name, 'agents'], Object.keys(tenant.credentials)),
      ...checkTenant(tenant, ['tenants', name]),
    ]),
  ];
}

function checkAgents(
  agents: Config['agents'],
  at: ConfigPath,
  known: readonly string[],
): readonly ConfigProblem[] {
  return Object.entries(agents).flatMap(([agent, { credentials = [] }]) =>
    credentials.flatMap((name, index) =>
      known.includes(name) ? [] : [noCredential([...at, agent, 'credentials', index], name, known)],
    ),
  );
}

function checkTenant(tenant: TenantConfig, at: ConfigPath): readonly ConfigProblem[] {
  const known = Object.keys(tenant.credentials);
  const schemes = [...BUILT_IN_SCHEMES, ...Object.keys(tenant.sources)];
  const problems: ConfigProblem[] = [];
  for (const [name, credential] of Object.entries(tenant.credentials)) {
    const path = [...at, 'credentials', name, 'source'];
    const source = sourceOf(credential);
    if (source === undefined) continue;
    const scheme = source.slice(0, source.indexOf(':'));
    if (!schemes.includes(scheme)) {
      const hint = didYouMean(scheme, schemes) ?? 'name it under `sources` of the tenant';
      problems.push({ severity: 'error', path, message: `there is no source \`${scheme}\``, hint });
    }
    const cycle = findCycle(tenant, name);
    if (cycle !== undefined) {
      const message = `this credential is read with itself: ${cycle.map((one) => `\`${one}\``).join(' → ')}`;
      problems.push({ severity: 'error', path, message, hint: 'read one of them from another place' });
    }
  }
  const { credentials, sources } = tenant;
  for (const [from, name] of namedSecrets({ credentials, sources })) {
    if (!known.includes(name)) problems.push(noCredential([...at, ...from], name, known));
  }
  return problems;
}

/** Everything below that names a credential with `secret:`, and where it stands. */
function namedSecrets(
  value: unknown,
  path: ConfigPath = [],
): readonly (readonly [path: ConfigPath, name: string])[] {
  if (typeof value === 'string') {
    return value.startsWith(SECRET) ? [[path, value.slice(SECRET.length)]] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => namedSecrets(item, [...path, key]));
}

/** The way from a credential back to itself: through `secret:`, or through what its source logs in with. */
function findCycle(tenant: TenantConfig, start: string): readonly string[] | undefined {
  const { credentials, sources } = tenant;
  const named = namedSecrets({ credentials, sources });
  const seen = new Set<string>();
  const follow = (name: string, way: readonly string[]): readonly string[] | undefined => {
    const credential = Object.hasOwn(tenant.credentials, name) ? tenant.credentials[name] : undefined;
    if (credential === undefined || seen.has(name)) return undefined;
    seen.add(name);
    const scheme = sourceOf(credential)?.split(':', 1)[0];
    for (const [path, next] of named) {
      const isOwn = path[0] === 'credentials' ? path[1] === name : path[1] === scheme;
      if (!isOwn) continue;
      if (next === start) return [...way, next];
      const found = follow(next, [...way, next]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return follow(start, [start]);
}

function sourceOf(credential: TenantConfig['credentials'][string]): string | undefined {
  return 'source' in credential ? credential.source : undefined;
}

function noCredential(path: ConfigPath, name: string, known: readonly string[]): ConfigProblem {
  const hint =
    didYouMean(name, known) ??
    (known.length === 0 ? 'no credential is configured here' : `known: ${[...new Set(known)].join(', ')}`);
  return { severity: 'error', path, message: `there is no credential \`${name}\``, hint };
}

/** `in: [body]` and the fields that it means come together: one without the other would do nothing. */
export function checkBodyPlaces(config: Config): readonly ConfigProblem[] {
  return Object.entries(config.tenants).flatMap(([tenant, { credentials }]) =>
    Object.entries(credentials).flatMap(([name, credential]): ConfigProblem[] => {
      if (!('in' in credential)) return [];
      const [says, names] = [credential.in.includes('body'), credential.body.length > 0];
      if (says === names) return [];
      const at = ['tenants', tenant, 'credentials', name];
      return [
        says
          ? {
              severity: 'error',
              path: [...at, 'in'],
              message: '`in: [body]` does not say in which bodies and fields',
              hint: 'add `body: [{ content_type: application/x-www-form-urlencoded, fields: [client_secret] }]`',
            }
          : {
              severity: 'error',
              path: [...at, 'body'],
              message: 'these fields mean nothing without `in: [body]`',
              hint: 'add `in: [body]`, or remove `body`',
            },
      ];
    }),
  );
}
