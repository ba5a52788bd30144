import { readFileSync } from 'node:fs';
import { type HomePaths, homePaths, resolveHome } from '@sallyport/gateway/home';
import { SallyportError } from '@sallyport/protocol';
import { OperatorClient } from './operator-client.ts';
import { createOutput, type Output, type Streams } from './output.ts';

/** What a command works with. Built once; the environment and the streams are inputs. */
export interface CliContext {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  home(flags: { readonly home?: string }): HomePaths;
  /** the running gateway's operator side; rejects with `GatewayNotRunning` */
  operator(flags: { readonly home?: string }): OperatorClient;
}

export function createContext(input: {
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  readonly signal: AbortSignal;
}): CliContext {
  const home = (flags: { readonly home?: string }): HomePaths =>
    homePaths(resolveHome(input.env, flags.home === undefined ? {} : { home: flags.home }));
  return {
    ...input,
    output: createOutput(input.streams, input.env),
    home,
    operator(flags) {
      const paths = home(flags);
      return new OperatorClient({ socketPath: operatorSocket(paths), token: operatorToken(paths) });
    },
  };
}

function operatorToken(paths: HomePaths): string {
  try {
    return readFileSync(paths.operatorToken, 'utf8').trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EACCES') {
      throw new SallyportError('NotPermitted', {
        message: `\`${paths.operatorToken}\` belongs to someone else`,
        hint: 'run this as the user who owns the home of the gateway',
        cause,
      });
    }
    throw new SallyportError('GatewayNotRunning', {
      message: `there is no gateway in \`${paths.root}\``,
      hint: 'start one with `npm start`, or name its home with `--home`',
      cause,
    });
  }
}

/** A home with a long path has its socket elsewhere; the running gateway says where. */
function operatorSocket(paths: HomePaths): string {
  try {
    const runtime = JSON.parse(readFileSync(paths.runtime, 'utf8')) as { operator_socket?: string };
    return runtime.operator_socket ?? paths.operatorSocket;
  } catch {
    return paths.operatorSocket; // no gateway is running; connecting will say so
  }
}
