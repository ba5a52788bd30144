import { hasOption, type OptionTable, optionValues } from './argv-parser.ts';
import { asUnknown, type CliContext, readIntent, writeIntent } from './cli-intent.ts';
import { type GitReading, parseGit } from './git-local.ts';
import { CLONE_TABLE, FETCH_TABLE, LOCAL_TABLES, LS_REMOTE_TABLE, PULL_TABLE } from './git-options.ts';
import { trimSlashes } from './git-remote-url.ts';
import { towards } from './git-towards.ts';
import { withOutput } from './output-file.ts';

type RemoteReader = (words: readonly string[], context: CliContext) => GitReading;

/** Verbs that ask another repository, and `git remote`, which says which one that is. */
export const REMOTE_READERS: ReadonlyMap<string, RemoteReader> = new Map<string, RemoteReader>([
  ['fetch', (words) => ask('fetch', words, FETCH_TABLE)],
  ['ls-remote', (words) => ask('ls-remote', words, LS_REMOTE_TABLE)],
  ['pull', (words) => ask('pull', words, PULL_TABLE)],
  ['clone', readClone],
  ['remote', readRemote],
]);

function ask(verb: string, words: readonly string[], table: OptionTable): GitReading {
  const parsed = parseGit(words, table);
  // A pull also commits here, which the type says; outside it only reads.
  const base = readIntent('remote', verb === 'pull' ? 'vcs:commit' : 'vcs:read', verb);
  // `--multiple` makes every positional a repository.
  const asked = hasOption(parsed, '--multiple') ? parsed.positionals : parsed.positionals.slice(0, 1);
  return { intent: asked.reduce(towards, base), parsed };
}

function readClone(words: readonly string[], context: CliContext): GitReading {
  const parsed = parseGit(words, CLONE_TABLE);
  const [source = '', folder] = parsed.positionals;
  const name =
    trimSlashes(source)
      .replace(/(?:\/\.git|\.git)$/, '')
      .split(/[/:]/)
      .at(-1) ?? '';
  const target = folder ?? name;
  const cloned = withOutput(
    towards(readIntent('remote', 'vcs:read', 'clone'), source),
    target || '.',
    context,
  );
  const elsewhere = optionValues(parsed, '--separate-git-dir');
  const intent = elsewhere.reduce((held, path) => withOutput(held, path, context), cloned);
  const follows = hasOption(parsed, '--recurse-submodules', '--recursive', '--remote-submodules');
  return {
    intent: follows ? asUnknown(intent, 'submodules come from addresses in the repository') : intent,
    parsed,
  };
}

function readRemote(words: readonly string[]): GitReading {
  const parsed = parseGit(words, LOCAL_TABLES.remote);
  const [second] = parsed.positionals;
  const operation = second === undefined ? 'remote' : `remote ${second}`;
  if (second === undefined || second === 'get-url')
    return { intent: readIntent('workspace', 'vcs:read', operation), parsed };
  if (second === 'show' || second === 'update' || second === 'prune') {
    // An address does where a name is expected.
    const asked = parsed.positionals.slice(1);
    return { intent: asked.reduce(towards, readIntent('remote', 'vcs:read', operation)), parsed };
  }
  // SECURITY: a later `git push origin` goes where this says, and an address can be a program (`ext::`).
  const intent = writeIntent('workspace', 'vcs:branch', operation);
  return {
    intent: asUnknown(intent, `\`git ${operation}\` changes where later pushes and fetches go`),
    parsed,
  };
}
