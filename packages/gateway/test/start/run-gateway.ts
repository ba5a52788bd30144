import { startGateway } from '@sallyport/gateway';
import { SallyportError } from '@sallyport/protocol';

/** What `spawnGateway` runs: a gateway as the CLI starts it, steered by one JSON argument. */
interface Instructions {
  readonly home: string;
  readonly ports?: { readonly api?: number; readonly operator?: number };
  /** throw this, outside of any request, once the gateway runs */
  readonly crash?: { readonly how: 'exception' | 'rejection'; readonly message: string };
}

const { home, ports, crash }: Instructions = JSON.parse(process.argv[2] ?? '{}');

try {
  const gateway = await startGateway({
    home,
    ports: { api: 0, proxy: 0, ssh: 0, operator: 0, ...ports },
    env: process.env,
  });
  process.stdout.write(`${JSON.stringify({ pid: process.pid, ports: gateway.ports })}\n`);
  if (crash !== undefined) {
    setImmediate(() => {
      const error = new Error(crash.message);
      if (crash.how === 'exception') throw error;
      void Promise.reject(error);
    });
  }
  await gateway.closed;
} catch (error) {
  if (!(error instanceof SallyportError)) throw error;
  process.stderr.write(`error: ${error.message}\nhint: ${error.hint}\n`);
  process.exitCode = 1;
}
