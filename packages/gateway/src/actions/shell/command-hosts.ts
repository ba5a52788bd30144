import type { HostFact } from '@sallyport/protocol';
import { hostsInPieces, hostsInSetting, hostsInText, hostsInWords } from '../cli/index.ts';
import { type PathReading, wordTexts } from './paths/command-paths.ts';
import type { Setting } from './reading.ts';
import type { Where } from './words/cwd-scope.ts';
import type { Word } from './words/word.ts';

interface Parts {
  readonly words: readonly Word[];
  readonly values: readonly Setting[];
  readonly opened: readonly Word[];
  readonly where: Where;
}

/** Every host that a command names: by its words, by variables that are set for it, by sockets that its shell opens. */
export function hostsOfParts(
  { words, values, opened, where }: Parts,
  argv: readonly string[],
  reading: PathReading,
): readonly HostFact[] {
  const found = [...hostsInWords(argv)];
  if (words.some(mayBecomeAnother))
    for (const variant of variants(words, argv, where, reading)) found.push(...hostsInWords(variant));
  for (const { name, word } of values) {
    for (const text of wordTexts(word, where, reading)) {
      const value = text.startsWith(`${name}=`) ? text.slice(name.length + 1) : text;
      found.push(...hostsInSetting(name, value));
      // `GIT_SSH_COMMAND='ssh -J …'`
      if (value.includes(' ')) found.push(...hostsInPieces(value));
    }
  }
  for (const word of opened)
    for (const text of wordTexts(word, where, reading))
      found.push(...hostsInText(text), ...(text.includes(' ') ? hostsInPieces(text) : []));
  return found;
}

/** A wildcard alone (`?` in an address) gives no host that the word does not show. */
function mayBecomeAnother({ literal, text, shape }: Word, at: number): boolean {
  return at > 0 && !literal && (shape === undefined || shape.expansions.length > 0 || text.includes('{'));
}

const VARIANTS = 16;

/** The words with what the line itself says about their variables: as many times as the longest list of values. */
function variants(
  words: readonly Word[],
  argv: readonly string[],
  where: Where,
  reading: PathReading,
): readonly (readonly string[])[] {
  const texts = words.map((word, at) => (at === 0 ? [argv[0] ?? ''] : wordTexts(word, where, reading)));
  const count = Math.min(Math.max(...texts.map((values) => values.length)), VARIANTS);
  return Array.from({ length: count }, (_, at) => texts.map((values) => values[at % values.length] ?? ''));
}
