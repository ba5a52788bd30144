import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpLimits, RunningGateway } from '@sallyport/gateway';
import { forEachPort, type SessionToken } from '@sallyport/protocol';
import { type HttpClient, httpClient } from './http-client.ts';
import { tempDir } from './temp-dir.ts';

export interface TestGatewayOptions {
  /** text of `sallyport.yaml`; without it the gateway writes its own first one */
  readonly config?: string;
  readonly clock?: { now(): number };
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Partial<HttpLimits>;
  /** time between two heartbeats of a stream, in ms */
  readonly heartbeatMs?: number;
  /** how long parallel calls wait for one another to be one question, in ms; not at all unless given, to save time */
  readonly gatherMs?: number;
}

/** A whole gateway in this process, on free ports, in a home of its own that goes away with it. */
export interface TestGateway extends AsyncDisposable {
  readonly home: string;
  readonly ports: RunningGateway['ports'];
  readonly urls: RunningGateway['urls'];
  readonly operatorSocket: string;
  readonly operatorToken: string;
  readonly apiKey: string;
  readonly enrollmentSecret: string;
  readonly inboxSecret: string;
  /** the gateway's own log, one line each */
  readonly log: readonly string[];
  /** a call to the agent side, without credential unless the call has one */
  readonly agent: HttpClient;
  /** a call to the operator side with the operator token */
  readonly operator: HttpClient;
  /** opens a session on the agent side with the tenant's enrollment secret */
  openSession(agent?: string, workspace?: string): Promise<SessionToken>;
  /** replaces `sallyport.yaml`; the gateway reloads it by itself */
  writeConfig(text: string): Promise<void>;
  killNow(): Promise<void>;
  close(): Promise<void>;
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const dir = await tempDir();
  const home = dir.path;
  const configFile = join(home, 'sallyport.yaml');
  const log: string[] = [];
  try {
    if (options.config !== undefined) await writeFile(configFile, options.config, { mode: 0o600 });
    // Loaded here, so that a test of something smaller does not load a whole gateway.
    const { startGateway } = await import('@sallyport/gateway');
    const gateway = await startGateway({
      home,
      ports: forEachPort(() => 0),
      ownsProcess: false,
      env: { USER: 'tester', ...options.env },
      log: { write: (line: string) => void log.push(line) },
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      gatherMs: options.gatherMs ?? 0,
      ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
    });
    return await describeGateway(gateway, { home, configFile, log, remove: dir.remove });
  } catch (error) {
    await dir.remove();
    throw error;
  }
}

async function describeGateway(
  gateway: RunningGateway,
  place: { home: string; configFile: string; log: readonly string[]; remove: () => Promise<void> },
): Promise<TestGateway> {
  const { home } = place;
  const secret = async (file: string) => (await readFile(join(home, file), 'utf8')).trim();
  const [operatorToken, apiKey, enrollmentSecret, inboxSecret] = await Promise.all([
    secret('operator.token'),
    // Where another gateway began the store, it has these two.
    secret('api.key').catch(() => ''),
    secret('enrollment.secret').catch(() => ''),
    secret('inbox.secret'),
  ]);
  const agent = httpClient({ url: gateway.urls.api });
  const operatorSide = httpClient({ url: gateway.urls.operator });
  const close = async (): Promise<void> => {
    await gateway.close();
    await place.remove();
  };
  return {
    home,
    ports: gateway.ports,
    urls: gateway.urls,
    operatorSocket: join(home, 'operator.sock'),
    operatorToken,
    apiKey,
    enrollmentSecret,
    inboxSecret,
    log: place.log,
    agent,
    operator: (path, call) => operatorSide(path, { token: operatorToken, ...call }),
    async openSession(name, workspace) {
      const answer = await agent('/session/new', {
        json: {
          tenant_id: 'default',
          enrollment_secret: enrollmentSecret,
          ...(name === undefined ? {} : { agent: name }),
          ...(workspace === undefined ? {} : { workspace }),
        },
      });
      if (answer.status !== 201) throw new Error(`no session: ${answer.text}`);
      return answer.json<SessionToken>();
    },
    writeConfig: (text) => writeFile(place.configFile, text, { mode: 0o600 }),
    killNow: () => gateway.killNow(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
