import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { CHANNELS, type ChannelDefinition } from '../approvals/index.ts';
import {
  type ChannelName,
  type Config,
  type ConfigCheck,
  type CredentialConfig,
  type DoctorReport,
  type HomePaths,
  loadConfig,
  type Variables,
} from '../config/index.ts';
import { TenantSources } from '../credentials/index.ts';
import { systemClock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';

/** Longest that one part may take, in ms */
const LONGEST_MS = 10_000;

export interface TryContext {
  readonly paths: HomePaths;
  readonly env: Variables;
  readonly signal: AbortSignal;
  /** tenant whose credentials `secret:` means in a channel */
  readonly tenant?: string;
}

type Read = (tenant: string, reference: string, signal: AbortSignal) => Promise<Secret>;

/**
 * Tries what a config names: each channel signs in and looks for its people, each source is read. Asks nobody anything, and
 * keeps no value. One report for each, with the fix.
 */
export async function tryConfig(config: Config, context: TryContext): Promise<readonly DoctorReport[]> {
  const read = reader(config, context);
  const channels = Object.keys(config.channels).map((name) =>
    tried(`channels.${name}`, `channel ${name}`, context, (signal) =>
      tryChannel(name as ChannelName, config, context, read, signal),
    ),
  );
  const credentials = Object.entries(config.tenants).flatMap(([tenant, { credentials: all }]) =>
    Object.entries(all).flatMap(([name, credential]) => {
      const source = sourceOf(credential);
      return source === undefined
        ? []
        : [
            tried(`credentials.${tenant}.${name}`, `credential ${name}`, context, async (signal) => {
              await read(tenant, source, signal);
              return `can be read from ${source}`;
            }),
          ];
    }),
  );
  return Promise.all([...channels, ...credentials]);
}

/** The same for a file; nothing where it cannot be read, which is told by whoever checks it. */
export async function tryConfigFile(
  file: string,
  context: TryContext,
  checks: readonly ConfigCheck[],
): Promise<readonly DoctorReport[]> {
  let config: Config;
  try {
    ({ config } = loadConfig({ file, env: context.env, checks }));
  } catch {
    return [];
  }
  return tryConfig(config, context);
}

async function tryChannel<Name extends ChannelName>(
  name: Name,
  config: Config,
  { paths, env, tenant = 'default' }: TryContext,
  read: Read,
  signal: AbortSignal,
): Promise<string> {
  const settings = config.channels[name];
  if (settings === undefined) return 'not configured';
  // The map has for each name the definition of its settings; the compiler sees only the union of both.
  const definition = CHANNELS[name] as unknown as ChannelDefinition<Name>;
  const identities = Object.values(config.tenants).flatMap(({ users }) =>
    Object.values(users).flatMap((user) => user.identities[name] ?? []),
  );
  const who = await definition.try(settings, {
    ...{ env, identities, signal },
    read: (reference) => read(tenant, reference, signal),
    readText: (path) => readFileSync(resolve(paths.home, path), 'utf8'),
  });
  if (identities.length > 0)
    return `${who}; asks ${identities.length === 1 ? '1 person' : `${identities.length} people`}`;
  throw new SallyportError('ConfigInvalid', {
    message: `${who}, and nobody can be asked there`,
    hint: `say who a person is: \`users.NAME.identities.${name}\``,
  });
}

function reader(config: Config, { paths, env }: TryContext): Read {
  const read: Read = async (tenant, reference, signal) => {
    const sources = new TenantSources(config.tenants[tenant]?.sources ?? {}, {
      ...{ home: paths.home, env, clock: systemClock, learn: () => {}, namedRevision: () => '' },
      async named(name, until) {
        const at = sourceOf(config.tenants[tenant]?.credentials[name]);
        if (at !== undefined) return read(tenant, at, until);
        const message = `there is no credential \`${name}\` with a source`;
        throw new SallyportError('SecretUnreadable', { message });
      },
    });
    const { source, key } = sources.of(reference);
    return source.read(key, signal);
  };
  return read;
}

function sourceOf(credential: CredentialConfig | undefined): string | undefined {
  return credential !== undefined && 'source' in credential ? credential.source : undefined;
}

async function tried(
  id: string,
  title: string,
  { paths, signal }: TryContext,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<DoctorReport> {
  const limit = AbortSignal.timeout(LONGEST_MS);
  const either = AbortSignal.any([signal, limit]);
  try {
    return { id, title, status: 'ok', message: await Promise.race([work(either), aborted(either)]) };
  } catch (error) {
    if (!(error instanceof SallyportError))
      return {
        id,
        title,
        status: 'fail',
        message: limit.aborted ? 'did not answer in time' : 'could not be tried',
      };
    const { message, hint: fix } = error;
    // The gateway that runs may have another environment than this terminal: it knows better.
    const isElsewhere = /^variable `/.test(message) && existsSync(paths.runtime);
    const status = isElsewhere ? 'warn' : 'fail';
    return { id, title, status, message, ...(fix === undefined ? {} : { fix }) };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}
