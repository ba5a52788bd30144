/** What `sallyport run` was asked to do. */
export interface RunFlags {
  readonly home: string | undefined;
  readonly config: string | undefined;
  readonly agent: string | undefined;
  readonly tenant: string | undefined;
  readonly workspace: string | undefined;
  readonly write: readonly string[];
  readonly read: readonly string[];
  /** paths that are no secrets, whatever they look like */
  readonly show: readonly string[];
  /** ports of this machine that the agent may ask to reach */
  readonly forward: readonly number[];
  readonly preset: string | undefined;
  /** false with `--no-preset` */
  readonly usePreset: boolean;
  readonly isUnconfined: boolean;
  readonly showEnvFiles: boolean;
  readonly suggest: boolean;
  readonly json: boolean;
  readonly command: readonly [string, ...string[]];
}

/** A command line that cannot be read. */
export class RunUsageError extends Error {}

const WITH_VALUE = [
  'home',
  'config',
  'agent',
  'tenant',
  'workspace',
  'write',
  'read',
  'show',
  'forward',
  'preset',
] as const;
/** Clients whose settings are known. */
export const PRESET_NAMES = ['claude', 'codex', 'pi', 'aider', 'opencode'] as const;
const ALONE = ['no-preset', 'unconfined', 'show-env-files', 'suggest', 'json'] as const;

type ValueFlag = (typeof WITH_VALUE)[number];

/**
 * Reads what stands after `run`. Everything from the first word that is no flag, or from `--` on, is the agent's
 * own command line and is left as it is. Throws `RunUsageError`.
 *
 * By hand, because it is on the way of every start: a parser of command lines costs more than the whole jail.
 */
export function parseRunFlags(argv: readonly string[]): RunFlags {
  const values = new Map<ValueFlag, string[]>();
  const alone = new Set<string>();
  let index = 0;
  for (; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') {
      index += 1;
      break;
    }
    if (!word.startsWith('-')) break;
    const [, name = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (isValueFlag(name)) {
      if (inline === undefined) index += 1;
      const value = inline ?? argv[index];
      if (value === undefined || value === '') throw new RunUsageError(`\`--${name}\` needs a value`);
      values.set(name, [...(values.get(name) ?? []), value]);
    } else if (inline === undefined && (ALONE as readonly string[]).includes(name)) alone.add(name);
    else throw new RunUsageError(`there is no flag \`${word}\``);
  }
  const [program, ...args] = argv.slice(index);
  if (program === undefined || program === '') throw new RunUsageError('there is no command to run');
  const last = (name: ValueFlag): string | undefined => values.get(name)?.at(-1);
  const preset = last('preset');
  if (preset !== undefined && !(PRESET_NAMES as readonly string[]).includes(preset)) {
    throw new RunUsageError(`there is no preset \`${preset}\`: ${PRESET_NAMES.join(', ')}`);
  }
  return {
    home: last('home'),
    config: last('config'),
    agent: last('agent'),
    tenant: last('tenant'),
    workspace: last('workspace'),
    write: values.get('write') ?? [],
    read: values.get('read') ?? [],
    show: values.get('show') ?? [],
    forward: (values.get('forward') ?? []).map(portOf),
    preset,
    usePreset: !alone.has('no-preset'),
    isUnconfined: alone.has('unconfined'),
    showEnvFiles: alone.has('show-env-files'),
    suggest: alone.has('suggest'),
    json: alone.has('json'),
    command: [program, ...args],
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new RunUsageError(`\`${text}\` is not a port`);
  if (port < 1024) throw new RunUsageError(`the port ${port} is below 1024, which a jail may not listen on`);
  return port;
}

function isValueFlag(name: string): name is ValueFlag {
  return (WITH_VALUE as readonly string[]).includes(name);
}
