import type { RefChange, RepositoryFact } from '@sallyport/protocol';
import { ALL_TAGS } from '../../shared/ref-name.ts';
import { hasOption, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import { asUnknown, type CliIntent, writeIntent } from './cli-intent.ts';
import { PUSH_TABLE } from './git-options.ts';
import { readGitRemote } from './git-remote-url.ts';
import { hostFact, withHosts } from './host-text.ts';

type Change = RefChange['change'];

/** `git push …`: where it goes and what it does to each ref, as far as the words tell. */
export function classifyPush(words: readonly string[]): { intent: CliIntent; parsed: ParsedArgv } {
  const parsed = parseArgv(words, PUSH_TABLE, { abbreviations: true, negation: true });
  const [destination = optionValues(parsed, '--repo').at(-1), ...refspecs] = parsed.positionals;
  const remote = destination === undefined ? undefined : readGitRemote(destination);
  const options = optionValues(parsed, '--push-option');
  const repo: RepositoryFact = {
    ...(remote?.kind === 'url' ? { repository: remote.repository } : {}),
    area: 'contents',
    refs: readRefs(parsed, refspecs),
    // SECURITY: `--no-push-option` does not take them back here.
    ...(options.length === 0 ? {} : { options }),
  };
  const base: CliIntent = { ...writeIntent('remote', 'vcs:push', 'push'), repo };
  const intent = remote?.kind === 'url' ? withHosts(base, hostFact(remote.host, remote.port)) : base;
  return { intent: remote?.kind === 'unknown' ? asUnknown(intent, remote.reason) : intent, parsed };
}

function readRefs(parsed: ParsedArgv, refspecs: readonly string[]): readonly RefChange[] {
  // SECURITY: `--no-force` does not take `--force` back here. A push that may force is a forced one.
  const forced = hasOption(parsed, '--force', '--force-with-lease', '--mirror');
  const deleting = hasOption(parsed, '--delete');
  const plain: Change = forced ? 'force' : 'update';
  const refs: RefChange[] = [];

  for (let index = 0; index < refspecs.length; index += 1) {
    const spec = refspecs[index] ?? '';
    if (spec === 'tag' && index + 1 < refspecs.length) {
      index += 1;
      refs.push({ ref: `refs/tags/${refspecs[index] ?? ''}`, change: deleting ? 'delete' : plain });
    } else refs.push(readRefspec(spec, deleting ? 'delete' : plain));
  }
  if (hasOption(parsed, '--mirror', '--prune')) refs.push({ ref: '*', change: 'delete' });
  if (hasOption(parsed, '--mirror', '--all', '--branches')) refs.push({ ref: '*', change: plain });
  if (hasOption(parsed, '--recurse-submodules')) refs.push({ ref: '*', change: 'unknown' });
  if (hasOption(parsed, '--tags', '--follow-tags')) refs.push({ ref: ALL_TAGS, change: plain });
  // Configuration decides what a push without refspecs moves.
  const onlyTags = refspecs.length === 0 && !hasOption(parsed, '--mirror', '--all', '--branches', '--prune');
  return onlyTags ? [...refs, { ref: '*', change: forced ? 'force' : 'unknown' }] : refs;
}

function readRefspec(spec: string, change: Change): RefChange {
  const force = spec.startsWith('+');
  const body = force ? spec.slice(1) : spec;
  const colon = body.indexOf(':');
  const source = colon < 0 ? body : body.slice(0, colon);
  const target = colon < 0 ? body : body.slice(colon + 1);
  const done: Change = force && change === 'update' ? 'force' : change;

  if (colon === 0 && target !== '') return { ref: fullName(target), change: 'delete' };
  // `HEAD` and `@` push the current branch, `:` and `*` push what matches, `^x` leaves something out.
  const open =
    target === '' || source === '' || /^(?:HEAD|@)$/.test(target) || /[*^~?[\\]|@\{|\.\./.test(target);
  if (open) return { ref: '*', change: done === 'update' ? 'unknown' : done };
  return { ref: fullName(target), change: done };
}

/** The name as the server sees it. git guesses a branch; a tag of the same name is seen at the proxy. */
function fullName(name: string): string {
  if (name.startsWith('refs/')) return name;
  return /^(?:heads|tags|remotes)\//.test(name) ? `refs/${name}` : `refs/heads/${name}`;
}
