import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, SourceFile } from './source-files.ts';

const GLOSSARY = 'docs/words.md';
const HEADING = '## We say, not';

/** One row of the table: a word that has a better one. */
interface Banned {
  /** lower case, in parts: `job-queue` is two */
  readonly parts: readonly string[];
  readonly spelled: string;
  readonly instead: string;
  /** phrases in which it is an ordinary word */
  readonly fine: readonly string[];
}

/** Words of the second column of `docs/words.md`, in code, comments, pages and the names of files. */
export function findBannedWords(root: string, files: readonly SourceFile[]): Finding[] {
  const banned = readBanned(readFileSync(join(root, GLOSSARY), 'utf8'));
  if (banned.length === 0) return [{ path: GLOSSARY, message: `no row under \`${HEADING}\` was read` }];
  return [...files, ...readPages(root)].flatMap((file) => findIn(file, banned));
}

function readPages(root: string): SourceFile[] {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const paths = names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return [...paths, 'README.md', 'CONTRIBUTING.md', 'REVIEW.md', 'SECURITY.md']
    .filter((path) => path !== GLOSSARY)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function readBanned(page: string): readonly Banned[] {
  const table = page.slice(page.indexOf(HEADING)).split('\n');
  return table.flatMap((line) => {
    const [, instead = '', not = '', fine = ''] = line.split('|').map((cell) => cell.trim());
    return spelled(not).map((word) => ({
      parts: partsOf(word),
      spelled: word,
      instead: instead.replaceAll('`', ''),
      fine: spelled(fine).map((phrase) => phrase.toLowerCase()),
    }));
  });
}

function spelled(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

function findIn({ path, text }: SourceFile, banned: readonly Banned[]): Finding[] {
  const findings: Finding[] = [];
  const lower = `${path}\n${text}`.toLowerCase();
  // Most files have none of them: their lines are not looked at.
  const near = banned.filter(({ parts }) => parts.every((part) => lower.includes(part)));
  if (near.length === 0) return findings;
  const look = (line: string, number?: number): void => {
    for (const word of near) {
      const rest = word.fine.reduce((left, phrase) => left.replaceAll(phrase, ' '), line.toLowerCase());
      const seen = word.fine.length > 0 && rest !== line.toLowerCase() ? rest : line;
      if (!holds(seen, word.parts)) continue;
      const message = `we say ${word.instead}, not \`${word.spelled}\` (${GLOSSARY})`;
      findings.push({ path, ...(number === undefined ? {} : { line: number }), message });
    }
  };
  look(path);
  for (const [index, line] of text.split('\n').entries()) look(line, index + 1);
  return findings;
}

function holds(line: string, wanted: readonly string[]): boolean {
  for (const [token] of line.matchAll(/[\p{L}\p{N}_$-]+/gu)) {
    const parts = partsOf(token);
    for (let at = 0; at + wanted.length <= parts.length; at += 1)
      if (wanted.every((word, index) => isForm(parts[at + index] ?? '', word))) return true;
  }
  return false;
}

function isForm(part: string, word: string): boolean {
  return part === word || part === `${word}s`;
}

/** `fooBarHTTP-baz_qux` → foo, bar, http, baz, qux. */
function partsOf(token: string): readonly string[] {
  return token
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1-$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1-$2')
    .toLowerCase()
    .split(/[-_$]+/)
    .filter((part) => part !== '');
}
