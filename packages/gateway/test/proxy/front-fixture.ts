import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { EventType, JsonObject, NewEvent } from '@sallyport/protocol';
import { FakeClock, tempDir } from '@sallyport/testkit';
import { loadActionBuilders } from '../../src/actions/index.ts';
import type { Approval, ApprovalPort, QuestionDraft } from '../../src/approvals/index.ts';
import { createLogger, Redactor } from '../../src/audit/index.ts';
import { openAuthority } from '../../src/authority/index.ts';
import { MemoryCoordination } from '../../src/coordination/index.ts';
import { CredentialBroker, Placeholders, References } from '../../src/credentials/index.ts';
import { createProxyDoor, type ProxyDoor } from '../../src/doors/proxy/proxy-door.ts';
import type { ProxyLimits } from '../../src/doors/proxy/proxy-limits.ts';
import { createProxySettings } from '../../src/doors/proxy/proxy-settings.ts';
import { createEgress } from '../../src/egress/index.ts';
import { HttpExecutor } from '../../src/executors/index.ts';
import { load, OPTIONS } from '../../src/gate/gate.fixture.ts';
import { Gate, PolicySet, RateCounters } from '../../src/gate/index.ts';
import { type OpenedSession, startSessions, tenantPolicyOf } from '../../src/identity/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { Spools } from '../../src/shared/spool.ts';
import { openStore } from '../../src/store/index.ts';
import { RecordingTrail } from '../identity/recording-trail.ts';

export interface Front extends AsyncDisposable {
  readonly port: number;
  readonly door: ProxyDoor;
  readonly ca: string;
  readonly session: OpenedSession;
  readonly trail: RecordingTrail;
  readonly clock: FakeClock;
  readonly placeholders: Placeholders;
  readonly references: References;
  /** names that were looked up */
  readonly lookups: string[];
  /** questions that people were asked */
  readonly questions: QuestionDraft[];
  /** what people say; `wait`: nothing */
  people: 'yes' | 'no' | 'late' | 'wait';
  /** value of the one `Proxy-Authorization` that is right */
  readonly auth: string;
  openSession(): Promise<OpenedSession>;
  endSession(id?: string): Promise<void>;
  events(type: EventType): readonly JsonObject[];
  /** files that wait in the spool */
  spooled(): readonly string[];
  /** A connection to the door. */
  dial(): Promise<Wire>;
  /** CONNECT, and TLS inside it. */
  tunnel(host: string, options?: { readonly sni?: string; readonly alpn?: string[] }): Promise<TLSSocket>;
}

const OPERATOR = { kind: 'operator', via: 'test' } as const;

export interface FrontOptions {
  readonly config?: object;
  readonly limits?: Partial<ProxyLimits>;
  /** where names lead; 127.0.0.1 unless given */
  readonly addresses?: readonly string[];
  readonly ownPorts?: readonly number[];
  readonly caFile?: string;
  readonly providers?: readonly { readonly host: string; readonly provider: string }[];
}

/** The whole door over real parts: sessions, policy, gate, broker, executor, way out. Only people are scripted. */
export async function openFront(options: FrontOptions = {}): Promise<Front> {
  const dir = await tempDir();
  const clock = new FakeClock(Date.now());
  const trail = new RecordingTrail();
  const loaded = load(configOf(options));
  const { config } = loaded;
  const policies = new PolicySet(loaded, OPTIONS);
  const store = await openStore({ sqliteFile: join(dir.path, 'sallyport.db') });
  const tenants = new Map(
    Object.entries(config.tenants).map(([name, own]) => [name, tenantPolicyOf(config, own)]),
  );
  const coordination = new MemoryCoordination(clock);
  const sessions = await startSessions({
    store,
    coordination,
    audit: trail,
    clock,
    tenantOf: (name) => tenants.get(name),
    systemTenant: 'system',
  });
  const redactor = new Redactor();
  const log = createLogger({ level: 'silent', redactor, destination: { write() {} } });
  const broker = new CredentialBroker({
    config: () => config,
    sessionOf: (id) => sessions.peek(id),
    trail,
    redactor,
    log,
    clock,
    env: { TOKEN: 'the-real-token', OTHER: 'another-token' },
    home: dir.path,
  });
  const lookups: string[] = [];
  const questions: QuestionDraft[] = [];
  const egress = createEgress({
    config: () => config,
    folder: dir.path,
    ownListeners: () => (options.ownPorts ?? []).map((port) => ({ port })),
    onProblem(error) {
      throw error;
    },
    resolver: async (name) => {
      lookups.push(name);
      return options.addresses ?? ['127.0.0.1'];
    },
  });
  const gate = new Gate({
    policyOf: (tenant) => policies.policyOf(tenant),
    identityOf: ({ actor }) => {
      const facts = actor.session === undefined ? undefined : sessions.peek(actor.session);
      return facts === undefined
        ? { kind: 'none' }
        : { kind: 'session', alive: true, expiresAt: facts.expiresAt, rights: { permitted: true } };
    },
    isToolKnown: () => true,
    counters: new RateCounters(coordination),
    machine: () => ({ ownPorts: new Set(options.ownPorts), machine: new Set() }),
    grants: { take: async () => undefined, refusing: async () => undefined },
    trail,
    clock,
    approvals: scriptedPeople(questions, () => front.people),
  });
  const createBuilder = await loadActionBuilders();
  const builder = createBuilder({ telemetry: ['telemetry.example'], providers: options.providers ?? [] });
  const authority = await openAuthority({
    keyFile: join(dir.path, 'ca.key'),
    certificateFile: join(dir.path, 'ca.pem'),
    clock: { now: () => Date.now() },
  });
  const placeholders = new Placeholders(new Secret('operator'));
  const references = new References(clock);
  const spoolFolder = join(dir.path, 'spool');
  const door = createProxyDoor({
    sessions,
    settings: createProxySettings(() => config),
    builderFor: () => builder,
    gate,
    executor: new HttpExecutor({
      egress,
      broker,
      trail,
      onSessionEnded: (id, tell) => sessions.onEnded(id, tell),
    }),
    broker,
    placeholders,
    references,
    authority,
    trail,
    clock,
    log,
    spools: new Spools(spoolFolder),
    systemTenant: 'system',
    limits: { lingerMs: 100, previewPauseMs: 50, ...options.limits },
  });
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => door.accept(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const openSession = () =>
    sessions.open({
      tenant: 'default',
      user: 'ana',
      agent: 'dev',
      confinement: 'jailed',
      credentials: ['main', 'spare'],
      by: OPERATOR,
    });
  const session = await openSession();
  const front: Front = {
    port,
    door,
    ca: authority.certificatePem,
    session,
    trail,
    clock,
    placeholders,
    references,
    lookups,
    questions,
    people: 'wait',
    auth: `Bearer ${session.token.reveal()}`,
    openSession,
    endSession: async (id = session.session.id) => void (await sessions.end(id, 'revoked', OPERATOR)),
    events: (type) => trail.of(type).map(({ data }: NewEvent) => data),
    spooled: () => {
      try {
        return readdirSync(spoolFolder);
      } catch {
        return [];
      }
    },
    dial: () => dial(port),
    async tunnel(host, { sni = host.replace(/:\d+$/, ''), alpn = ['http/1.1'] } = {}) {
      const wire = await dial(port);
      wire.send(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n\r\n`);
      await wire.until((text) => text.includes('\r\n\r\n'));
      wire.socket.removeAllListeners('data');
      const socket = tlsConnect({
        socket: wire.socket,
        servername: sni,
        ca: authority.certificatePem,
        ALPNProtocols: alpn,
      });
      await once(socket, 'secureConnect');
      return socket;
    },
    async [Symbol.asyncDispose]() {
      await door.close();
      server.close();
      await egress.close();
      await sessions.close();
      await store.close();
      await dir.remove();
    },
  };
  return front;
}

function configOf({ config = {}, caFile }: FrontOptions): object {
  const given = config as { network?: object; tenants?: { default?: object } };
  return {
    agents: { dev: { permissions: ['allow:*'], credentials: ['main', 'spare'] } },
    ...config,
    network: {
      default: 'allow',
      allow_private: ['127.0.0.1'],
      ...(caFile === undefined ? {} : { ca_files: [caFile] }),
      ...given.network,
    },
    tenants: {
      default: {
        exceptions: ['http'],
        users: { ana: { roles: ['owner'] } },
        credentials: {
          main: {
            kind: 'bearer',
            source: 'env:TOKEN',
            plain_http: true,
            hosts: ['api.example.com', '*.lent.example'],
            in: ['body'],
            body: [{ content_type: 'application/x-www-form-urlencoded', fields: ['client_secret'] }],
          },
          spare: { kind: 'bearer', source: 'env:OTHER', plain_http: true, hosts: ['api.example.com'] },
          foreign: { kind: 'bearer', source: 'env:OTHER', plain_http: true, hosts: ['api.example.com'] },
        },
        ...given.tenants?.default,
      },
    },
    roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
  };
}

/** People who answer as the test says. Everything around them is real. */
function scriptedPeople(questions: QuestionDraft[], say: () => Front['people']): ApprovalPort {
  const approvalOf = (draft: QuestionDraft, status: Approval['status']): Approval => ({
    ...draft,
    quorum: 1,
    expiresInMs: undefined,
    id: `appr_${questions.length}`,
    status,
    createdAt: 0,
    expiresAt: undefined,
    agreed: [],
  });
  return {
    async ask(draft, { signal }) {
      questions.push(draft);
      const said = say();
      if (said === 'yes') return { kind: 'ended', approval: approvalOf(draft, 'approved') };
      if (said === 'no') return { kind: 'ended', approval: approvalOf(draft, 'denied') };
      if (said === 'late') return { kind: 'ended', approval: approvalOf(draft, 'expired') };
      if (!signal.aborted) await once(signal, 'abort');
      return { kind: 'left' };
    },
    async open(draft) {
      questions.push(draft);
      return approvalOf(draft, 'pending');
    },
    quorumOf: () => 1,
  };
}

/** One connection, byte by byte. */
export interface Wire {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  send(bytes: string | Buffer): void;
  /** all that came */
  text(): string;
  until(isSo: (text: string) => boolean): Promise<string>;
}

async function dial(port: number): Promise<Wire> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return wireOn(socket);
}

export function wireOn(socket: Socket): Wire {
  let all = '';
  const waiting = new Set<() => void>();
  socket.on('data', (chunk: Buffer) => {
    all += chunk.toString('latin1');
    for (const look of waiting) look();
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return {
    socket,
    closed,
    send: (bytes) => void socket.write(bytes),
    text: () => all,
    until: (isSo) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!isSo(all)) return;
          waiting.delete(look);
          resolve(all);
        };
        waiting.add(look);
        void closed.then(() =>
          isSo(all) ? resolve(all) : reject(new Error(`closed after: ${all.slice(0, 500)}`)),
        );
        look();
      }),
  };
}

/** Whether a text holds `count` whole answers with a `Content-Length`. */
export function answers(count: number): (text: string) => boolean {
  return (text) => {
    let rest = text;
    for (let seen = 0; seen < count; seen++) {
      const border = rest.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(rest.slice(0, border + 2))?.[1];
      if (border === -1 || length === undefined || rest.length < border + 4 + Number(length)) return false;
      rest = rest.slice(border + 4 + Number(length));
    }
    return true;
  };
}

export const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
export const errorOf = (text: string): JsonObject =>
  JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error as JsonObject;
