import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  discoverRegistries,
  hostFiles,
  loadHostLists,
  mergeHostLists,
  registryEntry,
} from '../actions/index.ts';
import type { ConfigCheck, HomePaths, LoadedConfig, Variables } from '../config/index.ts';
import { createPolicyChecks, type PolicyOptions, PolicySet } from '../gate/index.ts';

const BUILT_IN_LISTS = resolve(import.meta.dirname, '../../../../lists');

/** What policies of this home are read with: host lists, package registries, folders. Looked up once, at start. */
export interface PolicyParts {
  readonly check: ConfigCheck;
  readonly telemetry: readonly string[];
  /** hosts that speak a package registry's API, as classifiers want them */
  readonly registries: readonly { readonly host: string; readonly provider: string }[];
  compile(loaded: LoadedConfig): PolicySet;
}

/** Throws `ConfigInvalid` for a host list that cannot be read. */
export function loadPolicyParts(paths: Pick<HomePaths, 'home'>, env: Variables): PolicyParts {
  const home = env.HOME ?? homedir();
  const lists = new Map(
    mergeHostLists(loadHostLists(BUILT_IN_LISTS), loadHostLists(join(paths.home, 'lists'))),
  );
  const registries = discoverRegistries({ env, home, files: hostFiles() });
  lists.set('known', [...(lists.get('known') ?? []), ...registries.map(({ host }) => host)]);
  const options: PolicyOptions = {
    lists,
    root: '/',
    home,
    // SECURITY: the gateway's own keys and trail are nobody's workspace, whatever a rule says.
    closedPaths: [paths.home],
  };
  return {
    check: createPolicyChecks({ lists: lists.keys() }),
    telemetry: lists.get('telemetry') ?? [],
    registries: registries.map(registryEntry),
    compile: (loaded) => new PolicySet(loaded, options),
  };
}
