import type { TestGateway } from '@sallyport/testkit';

/** A config as it is written: plain data. */
export type Draft = Record<string, unknown>;

/** Puts a value at a path (`network.rules.0.port`) of a draft; undefined takes it out. */
export type Change = (draft: Draft) => void;

/**
 * One key, changed on a running gateway: the config of before, the change of this key alone, and what is looked at.
 * Something else must be seen after the change than before.
 */
export interface Case<See> {
  readonly given?: Change;
  readonly change: Change;
  readonly see: See;
  /** other keys that the schema demands to change with it */
  readonly also?: readonly string[];
}

/** Keys that are seen by the same look. */
export interface Group<See, World extends OpenWorld = OpenWorld> {
  readonly name: string;
  readonly cases: Readonly<Record<string, Case<See> | readonly Case<See>[]>>;
  open(): Promise<World>;
  /** Called before the first look: what must have happened so that a change can be seen. */
  settle?(world: World, see: See, draft: Draft): Promise<void>;
  /** What can be seen of a setting now, as data; it may do something to see it. */
  look(world: World, see: See): Promise<unknown>;
}

export interface OpenWorld extends AsyncDisposable {
  readonly gateway: TestGateway;
  /** the config that every case begins with */
  readonly base: Draft;
}

export function at(path: string, value: unknown): Change {
  return (draft) => {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    let place: Record<string, unknown> = draft;
    for (const [index, step] of steps.entries()) {
      const next = steps[index + 1] ?? last;
      place[step] ??= /^\d+$/.test(next) ? [] : {};
      place = place[step] as Record<string, unknown>;
    }
    if (value === undefined && Array.isArray(place)) place.splice(Number(last), 1);
    else if (value === undefined) delete place[last];
    else place[last] = structuredClone(value);
  };
}

export function all(...changes: readonly Change[]): Change {
  return (draft) => {
    for (const change of changes) change(draft);
  };
}

/** The same cases under another key, which stands at another path. */
export function below<See>(
  prefix: string,
  make: (path: string) => Readonly<Record<string, Case<See> | readonly Case<See>[]>>,
  path: string,
): Record<string, Case<See> | readonly Case<See>[]> {
  return Object.fromEntries(
    Object.entries(make(path)).map(([key, value]) => [key === '' ? prefix : `${prefix}${key}`, value]),
  );
}

/** Paths of what differs between two drafts, as patterns of the schema would have them. */
export function changedPaths(before: unknown, after: unknown, path = ''): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isMap(before) && isMap(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changedPaths(before[key], after[key], path === '' ? key : `${path}.${key}`));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => changedPaths(item, after[index], `${path}.${index}`));
  return [path];
}

/** Whether a path (`network.rules.0.port`) is one of a pattern (`network.rules[].port`), or leads to it. */
export function isOf(pattern: string, path: string): boolean {
  // Another kind of entry has other keys: all of it is another one.
  if (/\([a-z_0-9]+\)\.kind$/.test(pattern)) return isOf(pattern.replace(/\([a-z_0-9]+\)\.kind$/, ''), path);
  const wanted = pattern
    .replaceAll('[]', '.#')
    .replace(/\([a-z_0-9]+\)/g, '')
    .split('.');
  // What is in a list or a map by name is changed with it.
  const isHolder = /(?:\*|\[\])$/.test(pattern);
  return path.split('.').every((step, index) => {
    const expected = wanted[index];
    if (expected === undefined) return isHolder;
    return expected === step || expected === '*' || (expected === '#' && /^\d+$/.test(step));
  });
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
