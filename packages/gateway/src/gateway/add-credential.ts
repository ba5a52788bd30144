import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { isMap, parseDocument } from 'yaml';
import {
  type ConfigCheck,
  checkConfigFile,
  type HomePaths,
  type Variables,
  writeFileAtomically,
  writeSecretFile,
} from '../config/index.ts';
import { Secret } from '../shared/secret.ts';

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
 * Writes a credential into the config file, whose comments stay, and its value into a file that only its owner may
 * read. Refuses with `Conflict` when there is one of that name, `ConfigInvalid` when the result would not be valid: then
 * nothing has changed.
 */
export async function addCredential(
  wanted: NewCredential,
  paths: HomePaths,
  env: Variables,
  checks: readonly ConfigCheck[],
): Promise<AddedCredential> {
  const before = readFileSync(paths.config, 'utf8');
  const validate = (text: string): SallyportError | undefined => problemOf(text, paths, env, checks);
  const broken = validate(before);
  if (broken !== undefined) throw broken;

  if (wanted.source !== undefined) {
    const text = withCredential(before, { ...wanted, entry: { ...wanted.entry, source: wanted.source } });
    finish(paths, before, text, validate(text));
    return { file: paths.config, source: wanted.source };
  }
  // A kind without a source takes none; every other says that it is missing.
  const bare = withCredential(before, wanted);
  if (validate(bare) === undefined) {
    finish(paths, before, bare, undefined);
    return { file: paths.config, source: null };
  }
  const name = `${wanted.tenant}.${wanted.name.replace(':', '.')}.secret`;
  const source = `file:secrets/${name}`;
  const text = withCredential(before, { ...wanted, entry: { ...wanted.entry, source } });
  const problem = validate(text);
  if (problem !== undefined) throw problem;
  const value = (await wanted.readValue()).replace(/\r?\n$/, '');
  if (value.trim() === '') throw new SallyportError('BadRequest', { message: 'no value was given' });
  const folder = join(paths.home, 'secrets');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeSecretFile(join(folder, name), new Secret(value), { exclusive: true });
  finish(paths, before, text, undefined);
  return { file: paths.config, source };
}

function finish(paths: HomePaths, before: string, text: string, problem: SallyportError | undefined): void {
  if (problem !== undefined) throw problem;
  // Somebody may have edited it while the value was typed.
  if (readFileSync(paths.config, 'utf8') !== before) {
    throw new SallyportError('Conflict', { message: 'the config was changed meanwhile', hint: 'try again' });
  }
  writeFileAtomically(paths.config, text);
}

function withCredential(text: string, { tenant, name, entry, agents }: NewCredential): string {
  const document = parseDocument(text);
  if (!document.hasIn(['tenants', tenant])) {
    throw new SallyportError('NotFound', { message: `there is no tenant \`${tenant}\` in this file` });
  }
  const path = ['tenants', tenant, 'credentials'];
  if (!isMap(document.getIn(path))) document.setIn(path, document.createNode({}));
  if (document.hasIn([...path, name])) {
    throw new SallyportError('Conflict', {
      message: `there is a credential \`${name}\` already`,
      hint: 'change it in the config, or take another name',
    });
  }
  document.setIn([...path, name], document.createNode(entry, { flow: true }));
  for (const agent of agents) {
    const at = document.hasIn(['tenants', tenant, 'agents', agent])
      ? ['tenants', tenant, 'agents', agent]
      : ['agents', agent];
    if (!document.hasIn(at)) {
      throw new SallyportError('NotFound', { message: `there is no agent \`${agent}\` in this file` });
    }
    if (!isMap(document.getIn(at))) document.setIn(at, document.createNode({}));
    const list = [...at, 'credentials'];
    if (document.hasIn(list)) document.addIn(list, name);
    else document.setIn(list, document.createNode([name], { flow: true }));
  }
  return document.toString({ lineWidth: 0 });
}

/** What would be wrong with this text in the place of the config; includes are found from there. */
function problemOf(
  text: string,
  paths: HomePaths,
  env: Variables,
  checks: readonly ConfigCheck[],
): SallyportError | undefined {
  const trial = join(dirname(paths.config), `.sallyport.${process.pid}.trial.yaml`);
  try {
    writeFileAtomically(trial, text);
    const { problems } = checkConfigFile(trial, env, checks);
    const [first] = problems.filter(({ severity }) => severity === 'error');
    if (first === undefined) return undefined;
    return new SallyportError('ConfigInvalid', {
      message: first.message,
      ...(first.hint === undefined ? {} : { hint: first.hint }),
    });
  } finally {
    rmSync(trial, { force: true });
  }
}
