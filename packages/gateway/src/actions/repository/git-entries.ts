/** One setting of a git config. */
export interface GitEntry {
  /** in lower case */
  readonly section: string;
  /** the quoted part of the head of a section, as written: `origin` */
  readonly name: string;
  /** in lower case */
  readonly key: string;
  readonly value: string;
}

const HEAD = /^\s*\[\s*([A-Za-z0-9-]+)(?:\s+"((?:[^"\\]|\\["\\])*)")?\s*\](.*)$/;
const SETTING = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*)|(?:[#;].*)?)$/;

/**
 * The settings of a git config, in their order; undefined when there is anything that git might read in another way.
 *
 * SECURITY: stricter than git: a line that goes on below, or an escape for a control character, is not guessed at.
 */
export function gitEntries(text: string): readonly GitEntry[] | undefined {
  const entries: GitEntry[] = [];
  let section: string | undefined;
  let name = '';
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^\s*(?:[#;].*)?$/.test(raw)) continue;
    const head = HEAD.exec(raw);
    if (head === null && /^\s*\[/.test(raw)) return undefined;
    if (head !== null) {
      section = (head[1] ?? '').toLowerCase();
      name = (head[2] ?? '').replaceAll(/\\(["\\])/g, '$1');
    }
    const line = head === null ? raw : (head[3] ?? '');
    if (/^\s*(?:[#;].*)?$/.test(line)) continue;
    const setting = SETTING.exec(line);
    if (setting === null || section === undefined) return undefined;
    // A setting without a value is switched on.
    const value = setting[2] === undefined ? 'true' : plainValue(setting[2]);
    if (value === undefined) return undefined;
    entries.push({ section, name, key: (setting[1] ?? '').toLowerCase(), value });
  }
  return entries;
}

function plainValue(text: string): string | undefined {
  let value = '';
  let isQuoted = false;
  /** blanks at the end count only inside of quotes */
  let kept = 0;
  /** a tab between words is a tab to newer versions of git, and a blank to those before 2.45 */
  let tab = Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') {
      isQuoted = !isQuoted;
      kept = value.length;
    } else if (sign === '\\') {
      at += 1;
      const next = text.charAt(at);
      if (next !== '"' && next !== '\\') return undefined;
      value += next;
      kept = value.length;
    } else if (!isQuoted && (sign === '#' || sign === ';')) break;
    else if (value !== '' || isQuoted || !/\s/.test(sign)) {
      if (!isQuoted && sign === '\t') tab = Math.min(tab, value.length);
      // What git does not take for a blank.
      else if (!isQuoted && /[^\S ]/.test(sign)) return undefined;
      value += sign;
      if (isQuoted || !/\s/.test(sign)) kept = value.length;
    } else if (sign !== ' ' && sign !== '\t') return undefined;
  }
  return isQuoted || tab < kept ? undefined : value.slice(0, kept);
}
