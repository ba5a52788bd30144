import type { RefChange, RepositoryFact } from '@sallyport/protocol';
import { ALL_TAGS } from '../../shared/ref-name.ts';
import { type PushTarget, pushTarget } from '../repository/index.ts';
import { hasOption, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import { asUnknown, type CliContext, type CliIntent, writeIntent } from './cli-intent.ts';
import { PUSH_TABLE } from './git-options.ts';
import { readGitRemote } from './git-remote-url.ts';
import { hostFact, withHosts } from './host-text.ts';

type Change = RefChange['change'];

/**
 * `git push …`: where it goes and what it does to each ref, as far as the words and the config of the repository tell.
 *
 * SECURITY: what the config leaves open is unknown: a remote by its name says nothing about where it leads [GA-15].
 */
export function classifyPush(
  words: readonly string[],
  context: CliContext,
): { intent: CliIntent; parsed: ParsedArgv } {
  const parsed = parseArgv(words, PUSH_TABLE, { abbreviations: true, negation: true });
  const [destination = optionValues(parsed, '--repo').at(-1), ...refspecs] = parsed.positionals;
  const resolved = resolve(parsed, destination, refspecs, context);
  const address = resolved?.kind === 'known' ? resolved.address : destination;
  const remote = address === undefined ? undefined : readGitRemote(address);
  const options = optionValues(parsed, '--push-option');
  const named = resolved?.kind === 'known' ? resolved.repository : undefined;
  const repo: RepositoryFact = {
    ...(remote?.kind === 'url' ? { repository: named ?? remote.repository } : {}),
    area: 'contents',
    refs: readRefs(parsed, resolved?.kind === 'known' ? resolved.refspecs : refspecs),
    ...(resolved?.kind === 'known' && resolved.pipeline ? { pipeline: true } : {}),
    // SECURITY: `--no-push-option` does not take them back here.
    ...(options.length === 0 ? {} : { options }),
  };
  const base: CliIntent = { ...writeIntent('remote', 'vcs:push', operationOf(repo.refs)), repo };
  const intent = remote?.kind === 'url' ? withHosts(base, hostFact(remote.host, remote.port)) : base;
  const reason =
    resolved?.kind === 'unknown' ? resolved.reason : remote?.kind === 'unknown' ? remote.reason : undefined;
  return { intent: reason === undefined ? intent : asUnknown(intent, reason), parsed };
}

/** SECURITY: what overwrites or deletes is another operation than what adds: a yes to one is none to the other [GA-11]. */
function operationOf(refs: readonly RefChange[]): string {
  if (refs.some(({ change }) => change === 'delete')) return 'push --delete';
  return refs.some(({ change }) => change === 'force') ? 'push --force' : 'push';
}

const SAY_REFS = ['--mirror', '--all', '--branches', '--tags', '--delete', '--prune'] as const;

/** What the config of the repository adds to the words; undefined where there is none to look at. */
function resolve(
  parsed: ParsedArgv,
  destination: string | undefined,
  refspecs: readonly string[],
  { cwd, repositoryAt }: CliContext,
): PushTarget | undefined {
  const view = repositoryAt?.(cwd);
  if (view === undefined || view.kind === 'unknown') return view;
  const saysRefs = hasOption(parsed, ...SAY_REFS) || refspecs.includes('tag');
  return pushTarget(view, { destination, refspecs, saysRefs });
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
