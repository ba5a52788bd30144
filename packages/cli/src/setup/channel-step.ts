import type { SetupField } from '@sallyport/gateway';
import type { Value } from '@sallyport/gateway/config';
import { SallyportError } from '@sallyport/protocol';
import type { Asker, Check } from './asker.ts';

/** Where a person is asked, as it was set up and tried. */
export interface ChannelAnswer {
  readonly channel: string;
  readonly identity: string;
  /** as they go into the config */
  readonly settings: Value;
  /** files below `secrets` and what goes into them */
  readonly secrets: ReadonlyMap<string, string>;
}

export interface ChannelStep {
  readonly asker: Asker;
  readonly channel: string;
  /** given as flags: fields by key, and settings besides */
  readonly given: Readonly<Record<string, string>>;
  readonly identity: string | undefined;
  readonly askIdentity: { readonly pattern: RegExp; readonly form: string };
  readonly setup: {
    readonly before: readonly string[];
    readonly fields: readonly SetupField[];
    settings(answers: Readonly<Record<string, string>>): object;
  };
}

const REFERENCE = /^(?:env|file|secret|op|vault|aws-sm):/;

/**
 * Asks for what a channel needs. Gives the settings twice: with the secrets in variables, for a trial in memory, and with
 * the files that they are kept in.
 */
export async function askForChannel(step: ChannelStep): Promise<{
  readonly kept: ChannelAnswer;
  readonly trial: Value;
  readonly env: Readonly<Record<string, string>>;
}> {
  const { asker, channel, given, setup } = step;
  const { fields } = setup;
  if (fields.some(({ key }) => given[key] === undefined)) for (const line of setup.before) asker.say(line);
  const secrets = new Map<string, string>();
  const env: Record<string, string> = {};
  const kept: Record<string, string> = {};
  const trial: Record<string, string> = {};
  for (const field of fields) {
    const typed = given[field.key] ?? (await askFor(asker, field));
    if (field.isSecret !== true || (given[field.key] !== undefined && isReference(field, typed))) {
      kept[field.key] = trial[field.key] = typed;
      continue;
    }
    const variable = `SALLYPORT_SETUP_${field.key.toUpperCase()}`;
    env[variable] = typed;
    trial[field.key] = `env:${variable}`;
    kept[field.key] = `file:secrets/${channel}.${field.key}`;
    secrets.set(`${channel}.${field.key}`, typed);
  }
  const { pattern, form } = step.askIdentity;
  const identity =
    step.identity ??
    (await asker.text(`Who you are on ${channel}: ${form.replaceAll('`', '')}`, matches(pattern, form)));
  const more = Object.fromEntries(
    Object.entries(given).filter(([key]) => !fields.some((field) => field.key === key)),
  );
  const settings = (answers: Readonly<Record<string, string>>): Value =>
    ({ ...setup.settings(answers), ...more }) as Value; // texts and numbers, as the definition types them
  return {
    kept: { channel, identity, settings: settings(kept), secrets },
    trial: settings(trial),
    env,
  };
}

/** SECURITY: a value in an argument is seen by everybody on the machine: a flag names where it is. */
function isReference(field: SetupField, text: string): boolean {
  if (REFERENCE.test(text)) return true;
  throw new SallyportError('BadRequest', {
    message: `\`${field.key}\` is a secret, and no argument is`,
    hint: `say where it is: \`--set ${field.key}=env:NAME\` or \`--set ${field.key}=file:/path\``,
  });
}

function askFor(asker: Asker, { ask, isSecret, pattern, form }: SetupField): Promise<string> {
  const check = matches(pattern, form);
  return isSecret === true ? asker.hidden(`${ask} (not shown)`, check) : asker.text(ask, check);
}

function matches(pattern: RegExp, form: string): Check {
  return (typed) => (pattern.test(typed) ? undefined : `Expected ${form.replaceAll('`', '')}`);
}
