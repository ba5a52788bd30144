import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { parse } from 'yaml';
import { appendToList, setEntry, type Value, writeSecretFile } from '../config/index.ts';
import { Secret } from '../shared/secret.ts';
import { type ConfigPlace, problemOf, readConfigText, writeConfigText } from './config-file-edit.ts';

/** A credential to be written into the config. */
export interface NewCredential {
  readonly tenant: string;
  readonly name: string;
  /** keys of the entry but `source`: kind, hosts, risk and what the kind wants */
  readonly entry: Readonly<Record<string, unknown>>;
  /** where the value is read from; absent: what `readValue` gives goes into a file of the home */
  readonly source?: string;
  /** agents that may use it */
  readonly agents: readonly string[];
  /** asks for the value, once everything else is known to be right; not asked by kinds that need none */
  readonly readValue: () => Promise<string>;
}

export interface AddedCredential {
  readonly file: string;
  /** null for kinds that need none */
  readonly source: string | null;
}

/**
 * Writes a credential into the config file, whose form and comments stay, and its value into a file that only its owner
 * may read. Refuses with `Conflict` when there is one of that name, `ConfigInvalid` when the result would not be valid:
 * then nothing has changed.
 */
export async function addCredential(wanted: NewCredential, place: ConfigPlace): Promise<AddedCredential> {
  const { paths } = place;
  const before = readConfigText(place);
  const withSource = (source: string): string =>
    withCredential(before, { ...wanted, entry: { ...wanted.entry, source } });
  const write = (text: string, source: string | null): AddedCredential => {
    writeConfigText(place, before, text);
    return { file: paths.config, source };
  };

  if (wanted.source !== undefined) return write(withSource(wanted.source), wanted.source);
  // A kind without a source takes none; every other says that it is missing.
  const bare = withCredential(before, wanted);
  if (problemOf(bare, place) === undefined) return write(bare, null);
  const name = secretFileName(wanted.tenant, wanted.name);
  const source = `file:secrets/${name}`;
  const text = withSource(source);
  const problem = problemOf(text, place);
  if (problem !== undefined) throw problem;
  writeSecretFile(join(secretsFolder(paths.home), name), await readGiven(wanted.readValue), {
    exclusive: true,
  });
  return write(text, source);
}

/** The name of the file that a credential's value is kept in. */
export function secretFileName(tenant: string, name: string): string {
  return `${tenant}.${name.replace(':', '.')}.secret`;
}

/** Where values that were typed in are kept; made where it is missing. */
export function secretsFolder(home: string): string {
  const folder = join(home, 'secrets');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** What somebody typed or piped in, without the line end. Refuses nothing at all with `BadRequest`. */
export async function readGiven(read: () => Promise<string>): Promise<Secret> {
  const value = (await read()).replace(/\r?\n$/, '');
  if (value.trim() === '') throw new SallyportError('BadRequest', { message: 'no value was given' });
  return new Secret(value);
}

/** The text with one more credential, and with its name in the lists of the agents. */
export function withCredential(
  text: string,
  { tenant, name, entry, agents }: Pick<NewCredential, 'tenant' | 'name' | 'entry' | 'agents'>,
): string {
  const config: unknown = parse(text);
  if (lookUp(config, ['tenants', tenant]) === undefined)
    throw new SallyportError('NotFound', { message: `there is no tenant \`${tenant}\` in this file` });
  const path = ['tenants', tenant, 'credentials', name];
  if (lookUp(config, path) !== undefined) {
    throw new SallyportError('Conflict', {
      message: `there is a credential \`${name}\` already`,
      hint: 'give it another value with `sallyport credentials rotate`, change it in the config, or take another name',
    });
  }
  // `as`: made of flags and answers: texts, and lists of texts
  const added = setEntry(text, path, entry as Value);
  return agents.reduce((edited, agent) => {
    const [at] = [
      ['tenants', tenant, 'agents', agent],
      ['agents', agent],
    ].filter((where) => lookUp(config, where) !== undefined);
    if (at === undefined)
      throw new SallyportError('NotFound', { message: `there is no agent \`${agent}\` in this file` });
    const list = [...at, 'credentials'];
    return lookUp(config, list) === undefined
      ? setEntry(edited, list, [name])
      : appendToList(edited, list, name);
  }, added);
}

/** What stands at a path of plain data. */
export function lookUp(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  );
}
