import type { CommandFact, Opinion } from '@sallyport/protocol';
import type { LineFact } from '../../targets/index.ts';
import type { SubcommandAllowlist } from '../policy/compiled-policy.ts';
import { deny } from './layer.ts';

/**
 * Options before the subcommand that take no value and change nothing about what is run. Every other option
 * there may take the next word as its value, so the subcommand is not certain and the command is refused.
 */
const HARMLESS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['cargo', new Set(['-q', '--quiet', '-v', '-vv', '--verbose', '--locked', '--offline', '--frozen'])],
  ['npm', new Set(['-s', '--silent', '-q', '--quiet', '-d', '--verbose'])],
  ['pnpm', new Set(['-s', '--silent'])],
  ['yarn', new Set(['-s', '--silent'])],
  ['go', new Set([])],
  ['git', new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs'])],
  ['docker', new Set(['-D', '--debug'])],
  ['kubectl', new Set([])],
  ['make', new Set(['-s', '--silent', '-k', '--keep-going', '-n', '--dry-run'])],
]);

/** Refuses a command whose program or first positional argument the list does not have. */
export function checkSubcommands(allowlist: SubcommandAllowlist, line: LineFact): Opinion | undefined {
  if (line.unknown !== undefined || line.commands.length === 0)
    return deny('boundary', 'CommandNotAllowed', 'the command cannot be read', allowlist);
  for (const fact of line.commands) {
    const refusal = checkOne(allowlist, fact);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkOne(allowlist: SubcommandAllowlist, fact: CommandFact): Opinion | undefined {
  if (fact.unknown !== undefined || fact.program === '')
    return deny('boundary', 'CommandNotAllowed', 'the command cannot be known', allowlist);
  const allowed = allowlist.programs.get(fact.program);
  if (allowed === undefined)
    return deny('boundary', 'CommandNotAllowed', `\`${fact.program}\` is not an allowed command`, allowlist);
  if (allowed.has('*')) return undefined;
  const word = firstPositional(fact);
  if (word !== undefined && allowed.has(word)) return undefined;
  const reason =
    word === undefined
      ? `the subcommand of \`${fact.program}\` is not certain`
      : `\`${fact.program} ${word}\` is not an allowed subcommand`;
  return deny('boundary', 'SubcommandNotAllowed', reason, allowlist);
}

function firstPositional(fact: CommandFact): string | undefined {
  const harmless = HARMLESS.get(fact.program);
  for (const word of fact.argv.slice(1)) {
    if (!word.startsWith('-')) return word;
    if (harmless?.has(word) !== true) return undefined;
  }
  return undefined;
}
