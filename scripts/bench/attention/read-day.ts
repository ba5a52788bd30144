import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing that an agent does on the day: a line of a day file, with everything in it written out. */
export interface Step {
  readonly session: string;
  /** the repository it works in */
  readonly place: string;
  /** `Bash`, `Read`, `GET`, `PUSH`, `mcp`, … */
  readonly verb: string;
  readonly rest: string;
  readonly harm?: Harm;
}

/** What must not pass unasked. One of several steps passed only if all of them did. */
export interface Harm {
  readonly name: string;
  /** `unconfined`: a jail holds it by what is not there; `other-session`: a standing answer of another session is no yes */
  readonly when: 'always' | 'unconfined' | 'other-session';
}

/** Under the size at which a single read asks, and together over what a session may tell one host. */
const CHUNK = 'aGVyZSBpcyBhIHBhcnQgb2YgdGhlIGZpbGUg'.repeat(52);
const LARGE = 'aGVyZSBpcyBhIHBhcnQgb2YgdGhlIGZpbGUg'.repeat(90);

/** All steps of a day, session after session. Day 2 is the same work on other branches, issues and pull requests. */
export function readDay(day: number, folder: string): readonly Step[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  return files.sort().flatMap((name) => readFile(readFileSync(join(folder, name), 'utf8'), day, name));
}

function readFile(text: string, day: number, file: string): readonly Step[] {
  let session = '';
  let place = '';
  return text.split('\n').flatMap((line, index): readonly Step[] => {
    if (line === '' || line.startsWith('#')) return [];
    const begun = /^session (\S+) in (\S+)/.exec(line);
    if (begun !== null) {
      [, session = '', place = ''] = begun;
      return [];
    }
    if (session === '') throw new Error(`${file}:${index + 1}: a step before the first session`);
    const written = line.replaceAll('{day}', String(day)).replaceAll('⏎', '\n');
    return expand(written).map((step) => ({ session, place, ...readStep(step) }));
  });
}

/** `x3 …`, `each a|b: … $x`, `exfil name 40: … $chunk`. */
function expand(line: string): readonly string[] {
  const times = /^x(\d+) ([\s\S]+)$/.exec(line);
  if (times !== null) return Array.from({ length: Number(times[1]) }, () => times[2] ?? '');
  const each = /^each ([\s\S]*?): ([A-Za-z]+ [\s\S]+)$/.exec(line);
  if (each !== null)
    return (each[1] ?? '').split('|').map((value) => (each[2] ?? '').replaceAll('$x', () => value));
  const exfil = /^exfil (\S+) (\d+): ([\s\S]+)$/.exec(line);
  if (exfil === null) return [line];
  return Array.from(
    { length: Number(exfil[2]) },
    (_, index) =>
      `harm ${exfil[1]}: ${(exfil[3] ?? '').replace('$chunk', `${index}-${CHUNK}`).replace('$large', LARGE)}`,
  );
}

function readStep(line: string): Pick<Step, 'verb' | 'rest' | 'harm'> {
  const harm = /^harm(?:-(unconfined|other-session))? (\S+): ([\s\S]+)$/.exec(line);
  const [, verb = '', rest = ''] = /^(\S+) ?([\s\S]*)$/.exec(harm?.[3] ?? line) ?? [];
  if (harm === null) return { verb, rest };
  const when = harm[1] === 'unconfined' || harm[1] === 'other-session' ? harm[1] : 'always';
  return { verb, rest, harm: { name: harm[2] ?? '', when } };
}
