import type { Config, ConfigPath, ConfigProblem } from '../../config/index.ts';
import type { Glob } from '../../shared/glob.ts';
import { didYouMean } from '../../shared/suggest.ts';
import { type HostPattern, hostPatternCovers, parseHostPattern } from '../rules/patterns/host-index.ts';
import { parseGlob } from '../rules/patterns/parsed.ts';

type NetworkConfig = NonNullable<Config['network']>;

interface Entry {
  readonly host: HostPattern;
  readonly ports: ReadonlySet<number> | undefined;
  readonly methods: ReadonlySet<string> | undefined;
  readonly path: Glob | undefined;
}

/** Finds hosts and lists that do not exist, bad path patterns, and rules that an earlier one hides. */
export function checkNetwork(
  path: ConfigPath,
  network: NetworkConfig,
  lists: ReadonlySet<string>,
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const report = (at: ConfigPath, message: string, hint?: string): void => {
    problems.push({ severity: 'error', path: at, message, ...(hint === undefined ? {} : { hint }) });
  };
  const earlier: { readonly entry: Entry; readonly index: number }[] = [];
  for (const [index, rule] of network.rules.entries()) {
    const at = [...path, 'rules', index];
    const host = parseHostPattern(rule.host);
    if (host === undefined) {
      report([...at, 'host'], `\`${rule.host}\` is not a host pattern`);
      continue;
    }
    if (host.kind === 'list' && !lists.has(host.list)) {
      report([...at, 'host'], `there is no list \`@${host.list}\``, didYouMean(host.list, lists));
      continue;
    }
    const glob = rule.path === undefined ? undefined : parseGlob(rule.path, 'path');
    if (glob?.ok === false) {
      report([...at, 'path'], glob.message, glob.hint);
      continue;
    }
    const entry: Entry = {
      host,
      ports: rule.port === undefined ? undefined : new Set([rule.port].flat()),
      methods: rule.method === undefined ? undefined : new Set([rule.method].flat()),
      path: glob?.value,
    };
    const by = earlier.find((candidate) => covers(candidate.entry, entry));
    if (by === undefined) earlier.push({ entry, index });
    else
      report(
        at,
        `this rule for \`${rule.host}\` is never reached: rule ${by.index + 1} comes before it`,
        'move it up, or remove it',
      );
  }
  return problems;
}

function covers(wide: Entry, narrow: Entry): boolean {
  if (!hostPatternCovers(wide.host, narrow.host)) return false;
  if (!holds(wide.ports, narrow.ports) || !holds(wide.methods, narrow.methods)) return false;
  if (wide.path === undefined) return true;
  return narrow.path !== undefined && wide.path.covers(narrow.path);
}

function holds<T>(wide: ReadonlySet<T> | undefined, narrow: ReadonlySet<T> | undefined): boolean {
  if (wide === undefined) return true;
  return narrow?.isSubsetOf(wide) === true;
}
