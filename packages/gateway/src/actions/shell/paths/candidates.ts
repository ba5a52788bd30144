import { ANY, MAYBE } from './marks.ts';

/** Blanks, quotes and brackets: code or prose rather than the name of a file. */
const TEXT = /[\s'"`()<>|;{}$\\]/;
const BORDERS = /[:,@;]/;
const LONGEST = 4_096;
const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]*:/;

export function isText(value: string): boolean {
  return TEXT.test(value);
}

/**
 * The parts of a word that may be a path: itself; what follows `=`, `@` and the letter of an option; the parts of
 * a list (`a:b`, `host:path`). In code every piece that looks like one.
 */
export function candidates(value: string, text: boolean, code: boolean, home: string): readonly string[] {
  if (value.length > LONGEST) return [];
  const found: string[] = [];
  const add = (part: string): void => {
    if (part === '' || part === '-') return;
    found.push(part);
    // Where a shell leaves a `~` alone, the program may not.
    if (/^~(?:\/|$)/.test(part)) found.push(home + part.slice(1));
  };
  if (text && code)
    for (const piece of value.split(/[\s'"`(){},;:=@<>|&+!#$%^\\]+/)) if (/[/~]|^\./.test(piece)) add(piece);
  if (value.includes('\n')) return found;
  const isOption = value.startsWith('-');
  const equals = value.indexOf('=');
  if (!isOption) add(value);
  else if (equals === -1 && !value.startsWith('--')) add(value.slice(2));
  if (equals !== -1) add(value.slice(equals + 1).replace(/^[@<]/, ''));
  if (!BORDERS.test(value) || text) return found;
  const body = equals === -1 || !isOption ? value : value.slice(equals + 1);
  if (ADDRESS.test(body) && /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(body)) return found;
  for (const part of body.split(BORDERS)) {
    const bare = part.replace(/^[^=]*=/, '');
    if (bare !== '' && bare !== body && bare !== ANY && bare !== MAYBE) add(bare);
  }
  return found;
}
