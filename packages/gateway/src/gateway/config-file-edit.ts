import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import {
  type ConfigCheck,
  checkConfigFile,
  type HomePaths,
  type Variables,
  writeFileAtomically,
} from '../config/index.ts';

/** Where a config is, and how it is judged. */
export interface ConfigPlace {
  readonly paths: HomePaths;
  readonly env: Variables;
  readonly checks: readonly ConfigCheck[];
}

/** The text of the config file. Refuses with `ConfigInvalid` when it is broken already, `NotFound` when there is none. */
export function readConfigText(place: ConfigPlace): string {
  const text = readText(place.paths.config);
  const broken = problemOf(text, place);
  if (broken !== undefined) throw broken;
  return text;
}

/** Writes the text, unless it would be invalid (`ConfigInvalid`) or somebody edited the file meanwhile (`Conflict`). */
export function writeConfigText(place: ConfigPlace, before: string, text: string): void {
  const problem = problemOf(text, place);
  if (problem !== undefined) throw problem;
  if (readText(place.paths.config) !== before)
    throw new SallyportError('Conflict', { message: 'the config was changed meanwhile', hint: 'try again' });
  writeFileAtomically(place.paths.config, text);
}

/** What would be wrong with this text in the place of the config; includes are found from there. */
export function problemOf(text: string, { paths, env, checks }: ConfigPlace): SallyportError | undefined {
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

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SallyportError('NotFound', {
      message: `the config \`${file}\` cannot be read`,
      hint: '`sallyport setup` or `sallyport init` makes one',
      cause,
    });
  }
}
