import type { NamedPath } from '@sallyport/protocol';
import type { Word } from '../words/word.ts';

export type Use = NamedPath['use'];

/** What a program does with one of its words. */
export interface WordUse {
  readonly use: Use;
  /** with everything below it */
  readonly below?: boolean;
  /** with everything below it, when it lies outside the folder that the command runs in: an archive is unpacked there */
  readonly belowOutside?: boolean;
  /** used in a second way */
  readonly also?: WordUse;
  /** no name of a file: a pattern, a program text */
  readonly text?: true;
}

/** What a program does with all of them. */
export interface Uses {
  /** one for all words after its name, or one for each */
  readonly words: WordUse | readonly WordUse[];
  /** what it does with everything below the folder that it runs in, as it is given no other */
  readonly here?: Use | undefined;
}

type UsesOf = (args: readonly Word[]) => Uses;

const NONE: WordUse = { use: 'none' };
const TEXT: WordUse = { use: 'none', text: true };
const READ: WordUse = { use: 'read' };
const WRITE: WordUse = { use: 'write' };
const BOTH: WordUse = { use: 'both' };
const READ_BELOW: WordUse = { use: 'read', below: true };
const BOTH_BELOW: WordUse = { use: 'both', below: true };
const NAMES_BELOW: WordUse = { use: 'none', below: true };
const REMOVED: WordUse = { use: 'write', below: true };
const MOVED: WordUse = { ...REMOVED, also: READ_BELOW };
const UNPACKED: WordUse = { use: 'write', belowOutside: true };

function isOption({ text, prefix }: Word): boolean {
  return prefix.charCodeAt(0) === 45 && text !== '-';
}

function has(args: readonly Word[], option: RegExp): boolean {
  for (const arg of args) if (isOption(arg) && option.test(arg.text)) return true;
  return false;
}

/** Places of words that are no option; everything after `--` is one. */
function operandsOf(args: readonly Word[]): readonly number[] {
  const places: number[] = [];
  let ended = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    if (!ended && arg.literal && arg.text === '--') ended = true;
    else if (ended || !isOption(arg)) places.push(at);
  }
  return places;
}

/** Every word alike. */
function all(words: WordUse): UsesOf {
  const uses: Uses = { words };
  return () => uses;
}

/** Every word alike, but with everything below when an option says so. */
function deep(plain: WordUse, option: RegExp): UsesOf {
  const [shallow, below]: [Uses, Uses] = [{ words: plain }, { words: { ...plain, below: true } }];
  return (args) => (has(args, option) ? below : shallow);
}

interface Searching {
  /** options after which the first operand is a file like the others */
  readonly given: RegExp;
  /** options after which it writes what it reads */
  readonly writes?: RegExp;
  /** options after which it goes through folders, or that it always does */
  readonly recursive?: RegExp | true;
}

/** Options with patterns of names. */
const FILTER = /^--(?:include|exclude|exclude-dir|glob|iglob|type)=/;

/** The first operand is a pattern or a program text, not a file. */
function afterText({ given, writes, recursive }: Searching): UsesOf {
  return (args) => {
    const operands = operandsOf(args);
    const first = has(args, given) ? -1 : (operands[0] ?? -1);
    const below = recursive === true || (recursive !== undefined && has(args, recursive));
    const use = writes !== undefined && has(args, writes) ? 'both' : 'read';
    const rest: WordUse = below ? { use, below } : { use };
    const words = args.map(({ text }, at) => (at === first || FILTER.test(text) ? TEXT : rest));
    return { words, here: below && operands.length < 2 ? use : undefined };
  };
}

const GREP: Searching = {
  given: /^-[a-zA-Z]*[ef]|^--(?:reg|f)/,
  recursive: /^-[a-zA-Z]*[rRd]|^--(?:rec|deref|dir)/,
};

/**
 * Files, then where they go. SECURITY: an option whose value could be taken for an operand makes every word both,
 * so that nothing which is written passes for something read.
 */
function copying(flags: RegExp, recursive: RegExp, source: WordUse): UsesOf {
  return (args) => {
    const below = source.below === true || has(args, recursive);
    if (!args.every((arg) => !isOption(arg) || flags.test(arg.text)))
      return { words: { ...source, use: 'both', below } };
    const last = operandsOf(args).at(-1);
    const from = below ? { ...source, below } : source;
    return { words: args.map((_, at) => (at === last ? (below ? UNPACKED : WRITE) : from)) };
  };
}

const COPY_FLAGS =
  /^-[abdfHilLnpPrRsTuvxZ]+$|^--(?:archive|recursive|force|verbose|no-clobber|parents|preserve|interactive|update|dereference|no-dereference|link|symbolic-link)(?:=.*)?$/;
const LINK_FLAGS = /^-[sfnvrLPTbi]+$|^--(?:symbolic|force|no-dereference|relative|verbose)$/;
const INSTALL_FLAGS = /^-[CDdpTv]+$|^--(?:compare|directory|verbose|mode=.*)$/;
const SYNC_FLAGS =
  /^-[avzrRlptgoDhPnuxHAXS]+$|^--(?:archive|verbose|recursive|progress|delete|dry-run|compress|exclude=.*|include=.*|stats|links|perms)$/;

/** The first operand is a mode or an owner. */
const changing: UsesOf = (args) => {
  const first = has(args, /^--reference/) ? -1 : (operandsOf(args)[0] ?? -1);
  const rest = has(args, /^-[a-zA-Z]*R|^--recursive/) ? REMOVED : WRITE;
  return { words: args.map((_, at) => (at === first ? NONE : rest)) };
};

const ACTS = /^-(?:exec|ok|delete|fprint|fls)/;
const FILTERS = /^-(?:i?name|i?path|i?regex|newer|[acm](?:time|min)|empty|size)/;

const finding: UsesOf = (args) => {
  const acts = args.some(({ text }) => ACTS.test(text));
  const deletes = args.some(({ text }) => text === '-delete' || text === 'rm');
  const filters = args.some(({ text }) => FILTERS.test(text));
  const words = !acts ? NAMES_BELOW : deletes && !filters ? MOVED : BOTH_BELOW;
  const isHere = args.length === 0 || /^[-(!]/.test(args[0]?.prefix ?? '');
  return { words, here: isHere ? words.use : undefined };
};

const TAR_LETTERS = /^-?[a-zA-Z]+$/;

/** Packing reads what it is given and writes the archive; unpacking reads the archive and writes where it is told to. */
const archiving: UsesOf = (args) => {
  const letters = args.map(({ text, literal }, at) =>
    literal && TAR_LETTERS.test(text) && (at === 0 || text.startsWith('-')) ? text : '',
  );
  const unpacks = letters.some((text) => /[xt]/.test(text)) || has(args, /^--(?:extract|get|list)$/);
  const archive = 1 + letters.findIndex((text) => text.includes('f'));
  const words = args.map(({ text }, at): WordUse => {
    if (at === 0 && letters[0] !== '') return NONE;
    if ((archive > 0 && at === archive) || text.startsWith('--file')) return unpacks ? READ : WRITE;
    return unpacks ? UNPACKED : READ_BELOW;
  });
  return { words };
};

/** The archive, then what goes in or where it goes. */
function archiveFirst(archive: WordUse, rest: WordUse): UsesOf {
  return (args) => {
    const first = operandsOf(args)[0];
    return { words: args.map((_, at) => (at === first ? archive : rest)) };
  };
}

const copyingBlocks: UsesOf = (args) => ({
  words: args.map(({ prefix }) =>
    prefix.startsWith('if=') ? READ : prefix.startsWith('of=') ? WRITE : NONE,
  ),
});

const GIT_READS = new Set(
  `log show diff status blame grep ls-files ls-tree shortlog describe rev-parse cat-file add commit push fetch branch tag
  config rev-list annotate whatchanged`.split(/\s+/),
);
/** Verbs that go through whole folders of the working tree. */
const GIT_DEEP = new Set(['grep', 'add', 'diff', 'stash', 'archive', 'clean', 'commit']);

const git: UsesOf = (args) => {
  const verb = gitVerb(args);
  const name = args[verb]?.text ?? '';
  const below = GIT_DEEP.has(name) || has(args, /^--work-tree/);
  const use: Use = GIT_READS.has(name) ? 'read' : 'both';
  const rest: WordUse = below ? { use, below } : { use };
  return { words: args.map((_, at) => (at === verb ? TEXT : rest)), here: gitHere(name, args) };
};

function gitHere(verb: string, args: readonly Word[]): Use | undefined {
  if (verb === 'clean') return 'both';
  const reads =
    (verb === 'grep' && has(args, /^--(?:no-index|untracked)/)) ||
    (verb === 'add' && has(args, /^(?:-A|--all)$/));
  return reads ? 'read' : undefined;
}

function gitVerb(args: readonly Word[]): number {
  let at = 0;
  for (let text = args[0]?.text; text?.startsWith('-') === true; text = args[at]?.text)
    at += /^-[cC]$|^--(?:git-dir|work-tree|namespace)$/.test(text) ? 2 : 1;
  return at;
}

/** The script is read; what it does with the rest nobody knows. */
const interpreter: UsesOf = (args) => {
  if (has(args, /^-[a-zA-Z]*[cemp]|^--(?:eval|print)/)) return { words: BOTH };
  const first = operandsOf(args)[0];
  return { words: args.map((_, at) => (at === first ? READ : BOTH)) };
};

const LISTS_ALL = /^-[a-zA-Z]*R|^--recursive/;
const listing: UsesOf = (args) =>
  has(args, LISTS_ALL) ? { words: { ...READ, also: NAMES_BELOW }, here: 'none' } : { words: READ };

const SEEN_ONLY =
  `echo printf true false : cd pushd popd pwd export declare local readonly typeset unset type hash which whereis command
  jobs wait umask ulimit let read exit return break continue shift dirs times seq sleep kill id whoami groups uname nproc
  free uptime arch getconf locale pgrep printenv expr factor basename dirname realpath readlink tty ps set shopt`.split(
    /\s+/,
  );
const READING =
  `cat head tail wc cut tr stat file df nl tac rev comm join paste fold expand unexpand cmp md5sum sha1sum sha224sum sha256sum
  sha384sum sha512sum b2sum cksum sum od hexdump strings zcat bzcat xzcat look base64 base32 column [[ [ test date
  less more most bat batcat view source . open xdg-open sort uniq xxd tsort`.split(/\s+/);
const WRITING = 'mkdir touch truncate mktemp mkfifo tee'.split(' ');
const DELETING = 'rm rmdir unlink shred srm trash'.split(' ');
const INTERPRETERS =
  `python python2 python3 node nodejs deno bun ruby perl php lua Rscript bash sh zsh dash ksh tsx ts-node osascript`.split(
    ' ',
  );
/** Whatever these are given, they go through all of it. */
const TAKING_ALL =
  'aws gsutil 7z 7za docker podman nerdctl rclone restic borg mount bindfs cpio pax scp sftp'.split(' ');

const named = (names: readonly string[], uses: UsesOf): (readonly [string, UsesOf])[] =>
  names.map((name) => [name, uses] as const);

/** By name: the programs whose words are known. From their own manuals. */
const TABLE: ReadonlyMap<string, UsesOf> = new Map([
  ...named(SEEN_ONLY, all(NONE)),
  ...named(READING, all(READ)),
  ...named(WRITING, all(WRITE)),
  ...named(DELETING, all(REMOVED)),
  ...named(INTERPRETERS, interpreter),
  ...named(TAKING_ALL, all(BOTH_BELOW)),
  ...named(['chmod', 'chown', 'chgrp'], changing),
  ...named(['grep', 'egrep', 'fgrep', 'zgrep'], afterText(GREP)),
  ...named(['rg', 'ag', 'ack', 'ugrep'], afterText({ ...GREP, recursive: true })),
  ...named(['awk', 'gawk', 'mawk'], afterText({ given: /^-[a-zA-Z]*f|^--file/ })),
  ...named(['jq'], afterText({ given: /^-[a-zA-Z]*f|^--from-file/ })),
  ...named(['yq'], afterText({ given: /^$/, writes: /^-[a-zA-Z]*i|^--inplace/ })),
  ...named(
    ['sed'],
    afterText({ given: /^-[a-zA-Z]*[ef]|^--(?:exp|file)/, writes: /^-[a-zA-Z]*i|^--in-place/ }),
  ),
  ...named(['ls', 'dir', 'vdir'], listing),
  ...named(['du'], all(NAMES_BELOW)),
  ...named(['tree'], () => ({ words: NAMES_BELOW, here: 'none' })),
  ...named(['diff'], deep(READ, /^-[a-zA-Z]*r|^--recursive/)),
  ...named(['find', 'fd'], finding),
  ...named(['cp'], copying(COPY_FLAGS, /^-[a-zA-Z]*[rRa]|^--(?:rec|arc)/, READ)),
  ...named(['mv'], copying(COPY_FLAGS, /^-/, MOVED)),
  // A link gives what it leads to another name.
  ...named(['ln'], copying(LINK_FLAGS, /^-/, BOTH_BELOW)),
  ...named(['install'], copying(INSTALL_FLAGS, /^$/, READ)),
  ...named(['rsync'], copying(SYNC_FLAGS, /^-/, READ_BELOW)),
  ...named(['tar', 'bsdtar'], archiving),
  ...named(['zip'], archiveFirst(WRITE, READ_BELOW)),
  ...named(['unzip'], archiveFirst(READ, UNPACKED)),
  ...named(['dd'], copyingBlocks),
  ...named(['git'], git),
]);

/** Programs that put what they are given into the folder that is named last: `cp a b DIR` makes `DIR/a`. */
const INTO: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'rsync']);

/** Programs whose words are code in which paths are opened. */
const CODE: ReadonlySet<string> = new Set([
  ...INTERPRETERS,
  ...'awk gawk mawk sed sqlite3 psql vim ed ex'.split(' '),
]);

/** A program that is not in the table: each word may be read and written. */
const OTHER = deep(BOTH, /^(?:-[A-Za-z]*[rR][A-Za-z]*|--recursive|--archive|-a)$/);

export function usesOf(program: string, args: readonly Word[]): Uses {
  return (TABLE.get(program) ?? OTHER)(args);
}

/** Whether it goes through a folder though it is given no word at all. */
export function searchesAlone(program: string): boolean {
  return program === 'find' || program === 'fd' || program === 'tree';
}

export function putsInto(program: string): boolean {
  return INTO.has(program);
}

export function runsCode(program: string): boolean {
  return CODE.has(program);
}
