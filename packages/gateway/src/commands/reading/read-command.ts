import { isInsideCwd } from '../../actions/index.ts';
import type { CommandName } from '../../config/index.ts';
import { visibleText } from '../../shared/visible-text.ts';
import type { CommandFiles, CommandIntent, CommandPlace, TrapAnswer, WrapperDefinition } from '../wrapper.ts';
import { findWrapper, WRAPPERS } from '../wrappers/index.ts';
import { splitLine } from './split-line.ts';
import { takeCredential } from './take-credential.ts';

/** What was found of one command, before anybody is asked. */
export interface ReadCommand {
  readonly kind: 'command';
  readonly wrapper: WrapperDefinition;
  /** what runs, `argv[0]` the program; without `--creds` */
  readonly argv: readonly string[];
  /** NAME of the credential that the words ask for */
  readonly credential?: string;
  readonly intent: CommandIntent;
  /** the strictest that its words spring */
  readonly trap?: { readonly answer: TrapAnswer; readonly sentence: string };
  readonly files: CommandFiles;
}

/** No command at all: one sentence for stderr. */
export interface NoCommand {
  readonly kind: 'refused';
  readonly sentence: string;
}

/** A line as SSH sends it. Never throws, expands nothing, runs nothing [SS-2]. */
export function readCommandLine(
  line: string,
  place: CommandPlace,
  offered: readonly CommandName[],
): ReadCommand | NoCommand {
  const split = splitLine(line);
  return split.kind === 'refused' ? split : readCommand(split.words, place, offered);
}

/** The same for words that came apart already, from a shim. */
export function readCommand(
  words: readonly string[],
  place: CommandPlace,
  offered: readonly CommandName[],
): ReadCommand | NoCommand {
  if (words.some((word) => word.includes('\0'))) return no('the command line holds a NUL byte');
  const taken = takeCredential(withOneWordGit(words));
  if (taken.kind === 'refused') return taken;
  const { argv, credential } = taken;
  const [program = ''] = argv;
  const wrapper = findWrapper(program);
  if (wrapper === undefined || !offered.includes(wrapper.name)) return no(unknownProgram(program, offered));
  const files = wrapper.files(argv, place);
  const trap = sprungTrap(wrapper, argv, place, files);
  const intent = { operation: program, ...wrapper.intent(argv, place) };
  const facts = { wrapper, argv, files, ...(credential === undefined ? {} : { credential }) };
  const read = { ...facts, ...(trap === undefined ? {} : { trap }) };
  return { kind: 'command', ...read, intent: { ...intent, preview: previewOf(read, place) } };
}

/** Some clients say `git upload-pack` in two words. With anything between them it stays what it is. */
function withOneWordGit(words: readonly string[]): readonly string[] {
  const [first, second = '', ...rest] = words;
  return first === 'git' && /^(?:upload|receive)-pack$/.test(second) ? [`git-${second}`, ...rest] : words;
}

function unknownProgram(program: string, offered: readonly CommandName[]): string {
  const known = offered.flatMap((name) => WRAPPERS[name].programs).join(', ');
  const reason = /^[A-Za-z_]\w*=/.test(program)
    ? 'variables are not taken from a command line'
    : program === 'git'
      ? '`git` itself runs in the workspace; fetches and pushes come here by its own protocol'
      : `\`${visibleText(program.slice(0, 100))}\` is no command of this door`;
  return `${reason}; known: ${known}`;
}

/** A refusal before a question; among equals the first. */
function sprungTrap(
  wrapper: WrapperDefinition,
  argv: readonly string[],
  place: CommandPlace,
  { reads, writes }: CommandFiles,
): ReadCommand['trap'] {
  const outside = [...reads, ...writes].find((file) => !isInsideCwd(file, place));
  // SECURITY: beside what is carried along there are files of the gateway's own machine.
  if (outside !== undefined)
    return {
      answer: 'refuse',
      sentence: `\`${visibleText(outside)}\` is outside of the folder of the command`,
    };
  const sprung = wrapper.traps.filter((trap) => trap.springs(argv, place));
  const found = sprung.find(({ answer }) => answer === 'refuse') ?? sprung[0];
  return found === undefined ? undefined : { answer: found.answer, sentence: found.sentence };
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/** All of it, as a person would type it: what is hidden from whoever answers cannot be answered. */
function previewOf(
  { argv, credential, files, trap }: Pick<ReadCommand, 'argv' | 'credential' | 'files' | 'trap'>,
  { cwd }: CommandPlace,
): string {
  const line = argv.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
  const lines = [
    `${argv[0] ?? ''} at the gateway, for ${cwd}${credential === undefined ? '' : `, with the credential ${credential}`}`,
    `$ ${line}`,
    ...(files.reads.length === 0 ? [] : [`reads: ${files.reads.join(', ')}`]),
    ...(files.writes.length === 0 ? [] : [`writes: ${files.writes.join(', ')}`]),
    ...(trap === undefined ? [] : [trap.sentence]),
  ];
  return visibleText(lines.join('\n'));
}

function no(sentence: string): NoCommand {
  return { kind: 'refused', sentence };
}
