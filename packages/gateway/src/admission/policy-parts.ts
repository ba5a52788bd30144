import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  discoverRegistries,
  hostFiles,
  loadHostLists,
  mergeHostLists,
  type ProviderEntry,
  registryEntry,
} from '../actions/index.ts';
import type { ConfigCheck, HomePaths, LoadedConfig, Variables } from '../config/index.ts';
import { createPolicyChecks, type PolicyOptions, PolicySet } from '../gate/index.ts';
import { hostOfEntry } from '../shared/listed-host.ts';
import { ownFile } from '../shared/own-files.ts';

/** What policies of this home are read with: host lists, package registries, folders. */
export interface PolicyParts {
  readonly check: ConfigCheck;
  /** canonical: what `~/` means */
  readonly home: string;
  readonly telemetry: readonly string[];
  /** hosts that speak a package registry's API, as classifiers want them */
  registries(): readonly ProviderEntry[];
  compile(loaded: LoadedConfig): PolicySet;
}

/** Throws `ConfigInvalid` for a host list that cannot be read. */
export function loadPolicyParts(paths: Pick<HomePaths, 'home'>, env: Variables): PolicyParts {
  // Rules and actions must mean the same folder by `~/`: where it leads.
  const home = whereItLeads(env.HOME ?? homedir());
  const lists = mergeHostLists(loadHostLists(ownFile('lists')), loadHostLists(join(paths.home, 'lists')));
  // Looking through the host's package clients takes a tenth of a second: not before a policy is needed.
  const registries = once(() => discoverRegistries({ env, home, files: hostFiles() }));
  const options = once((): PolicyOptions => {
    const known = [...(lists.get('known') ?? []), ...registries().map(({ host }) => host)];
    return {
      lists: new Map([...lists, ['known', known]]),
      root: '/',
      home,
      // SECURITY: the gateway's own keys and trail are nobody's workspace, whatever a rule says. Actions name
      // paths where they lead, so this does too; texts in which nothing is resolved name it as it is written.
      closedPaths: [...new Set([whereItLeads(paths.home), resolve(paths.home)])],
    };
  });
  return {
    home,
    check: createPolicyChecks({ lists: lists.keys() }),
    telemetry: (lists.get('telemetry') ?? []).map(hostOfEntry),
    registries: once(() => registries().map(registryEntry)),
    compile: (loaded) => new PolicySet(loaded, options()),
  };
}

function whereItLeads(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
