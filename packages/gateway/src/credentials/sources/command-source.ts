import type { SourceConfig, Variables } from '../../config/index.ts';
import { splitTemplate } from '../../shared/command-template.ts';
import { runCommand } from './run-command.ts';
import { checkKey, type SecretSource } from './secret-source.ts';

const BASE = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];

export interface CommandSourceOptions {
  /** the scheme of its references */
  readonly scheme: string;
  readonly config: Pick<SourceConfig, 'read' | 'write' | 'env'>;
  readonly home: string;
  readonly env: Variables;
}

/**
 * Any program that prints a secret: `read: "op read op://{key}"`. It runs in the gateway's home, without a shell, and
 * sees few of the gateway's variables.
 */
export function createCommandSource(options: CommandSourceOptions): SecretSource {
  const { scheme, config, home } = options;
  const env = pick(options.env, [...BASE, ...config.env]);
  const argvOf = (template: string, key: string): readonly string[] => {
    const split = splitTemplate(template);
    // The schema took it: only a bug brings anything else here.
    if (split.kind === 'wrong') throw new TypeError(split.why);
    const checked = checkKey(key.replace(/^\/\//, ''));
    return split.argv.map((word) => word.replaceAll('{key}', checked));
  };
  const { read = '', write } = config;
  return {
    scheme,
    read: async (key, signal) => runCommand({ argv: argvOf(read, key), cwd: home, env, signal }),
    ...(write === undefined
      ? {}
      : {
          async write(key, value, signal) {
            await runCommand({ argv: argvOf(write, key), cwd: home, env, input: value, signal });
          },
        }),
  };
}

function pick(env: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(env, name)).map((name) => [name, env[name]]),
  );
}
