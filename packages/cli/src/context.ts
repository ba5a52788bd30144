import { readFileSync } from 'node:fs';
import { type HomePaths, homeFailure, resolveHome } from '@sallyport/gateway/home';
import { COMMAND } from '@sallyport/gateway/own-files';
import { SallyportError } from '@sallyport/protocol';
import { OperatorClient } from './operator-client.ts';
import { createOutput, type Output, type Streams } from './output.ts';

/** Flags that say where the gateway is. */
export interface HomeFlags {
  readonly home?: string;
  readonly config?: string;
}

/** What a command works with. Built once; the environment and the streams are inputs. */
export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  home(flags: HomeFlags): HomePaths;
  /** the running gateway's operator side; rejects with `GatewayNotRunning` */
  operator(flags: HomeFlags): OperatorClient;
}

export function createContext(input: {
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}): CliContext {
  const home = (flags: HomeFlags): HomePaths =>
    resolveHome(input.env, {
      ...(flags.home === undefined ? {} : { home: flags.home }),
      ...(flags.config === undefined ? {} : { config: flags.config }),
    });
  return {
    ...input,
    output: createOutput(input.streams, input.env),
    home,
    operator(flags) {
      const paths = home(flags);
      return new OperatorClient({ socketPath: paths.operatorSocket, token: operatorToken(paths) });
    },
  };
}

function operatorToken(paths: HomePaths): string {
  try {
    return readFileSync(paths.operatorToken, 'utf8').trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EACCES') {
      throw new SallyportError('NotPermitted', {
        message: `\`${paths.operatorToken}\` belongs to someone else`,
        hint: 'run this as the user who owns the home of the gateway',
        cause,
      });
    }
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw homeFailure(paths.home, cause);
    throw new SallyportError('GatewayNotRunning', {
      message: `there is no gateway in \`${paths.home}\``,
      hint: `start one with \`${COMMAND} start\`, or name its home with \`--home\``,
      cause,
    });
  }
}
