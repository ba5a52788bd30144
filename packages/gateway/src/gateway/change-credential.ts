import { rmSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { parse } from 'yaml';
import { removeEntry, writeSecretFile } from '../config/index.ts';
import { lookUp, readGiven } from './add-credential.ts';
import { type ConfigPlace, readConfigText, writeConfigText } from './config-file-edit.ts';

export interface NamedCredential {
  readonly tenant: string;
  readonly name: string;
}

/**
 * Takes a credential out of the config file and out of the lists of agents. The file of its value goes too, if it is one of
 * ours and nothing else reads it. Refuses with `ConfigInvalid` when something else in the config needs it.
 */
export function removeCredential(
  wanted: NamedCredential,
  place: ConfigPlace,
): { readonly removedFile: string | null; readonly agents: readonly string[] } {
  const before = readConfigText(place);
  const config: unknown = parse(before);
  const { path, source } = find(config, wanted);
  const lists = listsWith(config, wanted);
  const text = lists.reduce((edited, list) => removeEntry(edited, list), removeEntry(before, path));
  writeConfigText(place, before, text);
  const file = source?.startsWith('file:') === true ? ownFile(source, place) : undefined;
  // Another credential or a channel may read the same file.
  const isFree = file !== undefined && source !== undefined && !text.includes(source);
  if (isFree) rmSync(file, { force: true });
  return { removedFile: isFree ? file : null, agents: lists.map((list) => String(list.at(-3))) };
}

/**
 * Gives a credential that is kept in a file another value. Whoever reads it sees the old one or the new one, and a gateway
 * that runs uses the new one from the next request on. Refuses with `Unprocessable` when it is kept elsewhere.
 */
export async function rotateCredential(
  wanted: NamedCredential & { readonly readValue: () => Promise<string> },
  place: ConfigPlace,
): Promise<{ readonly file: string }> {
  const { source } = find(parse(readConfigText(place)), wanted);
  if (source?.startsWith('file:') !== true)
    throw new SallyportError('Unprocessable', {
      message: `\`${wanted.name}\` is ${source === undefined ? 'read from no source' : `kept in \`${source}\``}, where nothing is written from here`,
      hint: `change it there, then run \`sallyport credentials refresh ${wanted.name}\``,
    });
  const file = resolve(place.paths.home, source.slice('file:'.length));
  writeSecretFile(file, await readGiven(wanted.readValue));
  return { file };
}

function find(
  config: unknown,
  { tenant, name }: NamedCredential,
): { readonly path: readonly string[]; readonly source: string | undefined } {
  const path = ['tenants', tenant, 'credentials', name];
  if (lookUp(config, path) === undefined)
    throw new SallyportError('NotFound', {
      message: `there is no credential \`${name}\` in this file`,
      hint: '`sallyport credentials list` shows what there is; one of an included file is changed there',
    });
  const source = lookUp(config, [...path, 'source']);
  return { path, source: typeof source === 'string' ? source : undefined };
}

/** Where agents have it in their lists: paths with an index at their end. */
function listsWith(
  config: unknown,
  { tenant, name }: NamedCredential,
): readonly (readonly (string | number)[])[] {
  return [['agents'], ['tenants', tenant, 'agents']].flatMap((path) =>
    Object.keys(lookUp(config, path) ?? {}).flatMap((agent) => {
      const list = [...path, agent, 'credentials'];
      const at = (lookUp(config, list) as readonly unknown[] | undefined)?.indexOf(name) ?? -1;
      return at === -1 ? [] : [[...list, at]];
    }),
  );
}

/** A file below `secrets` in the home is ours; any other is somebody's. */
function ownFile(source: string, { paths }: ConfigPlace): string | undefined {
  const folder = resolve(paths.home, 'secrets') + sep;
  const file = resolve(paths.home, source.slice('file:'.length));
  return file.startsWith(folder) ? file : undefined;
}
