import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type FoundCredential, secretFileName, withCredential } from '@sallyport/gateway';
import type { HomePaths } from '@sallyport/gateway/home';
import { SallyportError } from '@sallyport/protocol';
import { type FileChange, readSettings } from '../install/settings-file.ts';
import { baseConfig, defaultAgent, withChannel, withIdentity } from './config-draft.ts';
import { aliasChange, aliasLines } from './found-agents.ts';
import type { Answers } from './wizard.ts';

export interface Plan {
  readonly config: string;
  readonly changes: readonly FileChange[];
  /** values that are taken over, each into a file of its own */
  readonly imports: readonly {
    readonly path: string;
    readonly material: NonNullable<FoundCredential['material']>;
  }[];
  /** what a person has to do themselves */
  readonly notes: readonly string[];
}

export interface PlanPlace {
  readonly paths: HomePaths;
  readonly env: NodeJS.ProcessEnv;
  readonly osUser: string;
  /** how a shell starts us */
  readonly command: string;
  readonly before: string | undefined;
}

/** Every file that the answers lead to, as it is to be; nothing is written. */
export function planSetup(answers: Answers, place: PlanPlace): Plan {
  const { paths, env, osUser, before, command } = place;
  const { channel, credentials, policy } = answers;
  let text = baseConfig(before, policy, osUser);
  if (osUser !== '') text = withIdentity(text, 'terminal', osUser);
  const changes: FileChange[] = [];
  const imports: Plan['imports'][number][] = [];
  const secret = (name: string, value: string): void => {
    const path = join(paths.home, 'secrets', name);
    changes.push({ path, before: readSecret(path), after: `${value}\n`, mode: 0o600, isSecret: true });
  };
  if (channel !== undefined) {
    text = withIdentity(
      withChannel(text, channel.channel, channel.settings),
      channel.channel,
      channel.identity,
    );
    for (const [name, value] of channel.secrets) secret(name, value);
  }
  for (const { name, entry, material } of credentials) {
    const file = secretFileName('default', name);
    const source = material === undefined ? {} : { source: `file:secrets/${file}` };
    text = withCredential(text, {
      ...{ tenant: 'default', name, agents: [defaultAgent(text)] },
      entry: { ...entry, ...source },
    });
    if (material !== undefined) imports.push({ path: join(paths.home, 'secrets', file), material });
  }
  const notes: string[] = [];
  changes.push({ path: paths.config, before, after: text, mode: 0o600 });
  const aliases = answers.agents === 'jail' ? answers.found : [];
  try {
    if (answers.agents !== 'keep') changes.push(aliasChange(env, env.HOME ?? homedir(), aliases, command));
  } catch (error) {
    if (!(error instanceof SallyportError)) throw error;
    if (aliases.length > 0)
      notes.push(`${error.message}: put these lines there yourself`, ...aliasLines(aliases, command));
  }
  return {
    config: text,
    imports,
    changes: changes.filter((change) => change.before !== change.after),
    notes,
  };
}

function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return readSettings(path);
  }
}
