import { isDeepStrictEqual } from 'node:util';
import type { Config } from './sections/schema.ts';

/** What becomes of a changed key while the gateway runs: in force within a second, or named as waiting for a restart. */
export type Reload = 'live' | 'restart';

type Leaf = string | number | boolean | readonly unknown[];

/** One word for a key and all that is below it, or one for each of its keys. */
type ReloadOf<Value> = Value extends Leaf
  ? Reload
  : string extends keyof Value
    ? Reload
    : Reload | { readonly [Key in keyof Value]-?: ReloadOf<NonNullable<Value[Key]>> };

/**
 * Every key of the config. One that is missing here does not compile, and one that is called `live` without a look at a
 * running gateway that shows it fails the tests.
 *
 * `restart` is for what is opened once: addresses that clients hold on to, and the database.
 */
export const RELOAD = {
  include: 'live',
  tenants: 'live',
  roles: 'live',
  agents: 'live',
  store: 'restart',
  audit: 'live',
  api: { host: 'restart', ports: 'restart', tls: 'restart', insecure: 'restart', allowed_hosts: 'live' },
  sessions: 'live',
  log: 'live',
  channels: 'live',
  volumes: 'live',
  permissions: 'live',
  network: 'live',
  routes: 'live',
  security_contexts: 'live',
  builtin_dispatchers: 'live',
  providers: 'live',
  custom_types: 'live',
  platform_root: 'live',
  tool_access: 'live',
  approvals: 'live',
  gatekeeper: 'live',
  mcp: 'live',
  mcp_servers: 'live',
  workspace: 'live',
  ssh: 'live',
} as const satisfies { readonly [Key in keyof Config]-?: ReloadOf<NonNullable<Config[Key]>> };

/** The keys that differ between two configs and hold from the next start on, each by its path: `api.ports.proxy`. */
export function keysThatNeedRestart(running: Config, wanted: Config): readonly string[] {
  return differing(RELOAD, running, wanted, '');
}

/** Whether a key holds from the next start on; false for a path that is not there. */
export function needsRestart(path: string): boolean {
  let word: unknown = RELOAD;
  for (const key of path.split('.')) {
    if (!isMap(word)) break;
    word = word[key];
  }
  return word === 'restart';
}

function differing(word: unknown, before: unknown, after: unknown, path: string): readonly string[] {
  if (word === 'live' || isDeepStrictEqual(before, after)) return [];
  // What is there on one side only has no key of its own that changed.
  if (!isMap(before) || !isMap(after)) return [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) =>
    differing(isMap(word) ? word[key] : word, before[key], after[key], path === '' ? key : `${path}.${key}`),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
