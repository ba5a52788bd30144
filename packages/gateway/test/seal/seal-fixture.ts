import { generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type {
  Attested,
  AuditLevel,
  CreatedWorkload,
  GatewayAnswer,
  JsonObject,
  SignedAnswer,
} from '@sallyport/protocol';
import { type FakeClock, tempDir, waitUntil } from '@sallyport/testkit';
import Fastify, { type FastifyInstance } from 'fastify';
import { loadActionBuilders } from '../../src/actions/index.ts';
import { ToolCalls } from '../../src/calls/index.ts';
import { MemoryCoordination } from '../../src/coordination/index.ts';
import { openSeal, type Seal } from '../../src/doors/seal/open-seal.ts';
import { sealRoutes } from '../../src/doors/seal/routes.ts';
import { CommandPath, type CommandPathParts } from '../../src/executors/index.ts';
import {
  type SessionFacts,
  type Sessions,
  startSessions,
  type TenantPolicy,
} from '../../src/identity/index.ts';
import { bindConnection } from '../../src/servers/index.ts';
import { canonicalJson } from '../../src/shared/canonical-json.ts';
import { SealWorkloadsRepository } from '../../src/store/index.ts';
import { type GateFixture, openGate } from '../gate/gate-fixture.ts';

export const OPERATOR = { kind: 'operator', via: 'test' } as const;

/** Agents of the tests: one may run `echo`, one nothing; another tenant has one of its own. */
const CONFIG = {
  permissions: ['allow:*'],
  security_contexts: {
    // With a time limit a call has a signal of its own: its order must reach the worker all the same.
    build: {
      capabilities: [{ tool: 'cmd.run', subcommand_allowlist: { echo: ['*'] }, timeout_seconds: 1_200 }],
    },
  },
  agents: { dev: { tools: ['cmd.run'], security_context: 'build' } },
};

export interface News {
  readonly type: string;
  readonly data: JsonObject;
}

/** The SEAL door over a real gate, store, trail and sessions; the clock is the test's. */
export interface SealFixture extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly sessions: Sessions;
  readonly keyFile: string;
  /** how much the trail keeps from now on */
  setLevel(level: AuditLevel): Promise<void>;
  seal(): Seal;
  url: string;
  /** the session that new connections belong to: those of a jail's socket do to one */
  bound: SessionFacts | undefined;
  /** the gateway is started again, over the same store and home */
  restart(): Promise<void>;
  openSession(tenant?: string): Promise<SessionFacts>;
  createWorkload(session: string, execution?: string): Promise<CreatedWorkload>;
  /** a worker that has attested, of a new session unless one is named */
  attached(session?: SessionFacts): Promise<TestWorker>;
  /** the events since the last time this was called, of all tenants */
  news(): Promise<readonly News[]>;
  /** the same, once there is one of this type: some become visible a moment later */
  newsWith(type: string): Promise<readonly News[]>;
}

export async function openSealFixture(limits: CommandPathParts['limits'] = {}): Promise<SealFixture> {
  const base: GateFixture = await openGate(CONFIG);
  const dir = await tempDir();
  const { clock, store, trail } = base;
  const policy: TenantPolicy = {
    roles: { owner: { allow: ['agent:*', 'tool:*'] } },
    users: { ana: { roles: ['owner'] } },
    agents: new Set(['dev']),
  };
  const sessions = await startSessions({
    store,
    coordination: new MemoryCoordination(clock),
    audit: trail,
    clock,
    tenantOf: (name) => (['default', 'other'].includes(name) ? policy : undefined),
  });
  const createBuilder = await loadActionBuilders();
  const commands = new CommandPath({ trail, limits });
  const gate = base.break({ isToolKnown: ({ tool }) => commands.knows(tool) });
  const calls = new ToolCalls({
    gate,
    policyOf: base.policyOf,
    builderFor: () => createBuilder(),
    routes: commands,
    worldOf: () => ({ cwd: '/workspace', links: () => ({ kind: 'missing' }) }),
    trail,
    onProblem: (error) => {
      throw error;
    },
  });
  const keyFile = join(dir.path, 'seal.key');
  const seen = new Set<string>();
  let open: Seal;
  let app: FastifyInstance | undefined;
  const fixture: SealFixture = {
    ...{ clock, sessions, keyFile },
    setLevel: async (level) => void (await trail.apply({ level })),
    seal: () => open,
    url: '',
    bound: undefined,
    async restart() {
      await app?.close();
      open = openSeal({
        ...{ keyFile, trail, sessions, calls, commands, clock },
        repository: new SealWorkloadsRepository(store),
        coordination: new MemoryCoordination(clock),
        boot: clock.now(),
        scopeOf: () => 'build',
        systemTenant: 'system',
      });
      app = Fastify();
      sealRoutes(app, fixture.seal);
      app.server.prependListener('connection', (socket: Socket) => {
        if (fixture.bound !== undefined) bindConnection(socket, fixture.bound);
      });
      fixture.url = await app.listen({ port: 0, host: '127.0.0.1' });
      // What is signed in the very millisecond of the start counts as before it.
      clock.advance(1);
    },
    async openSession(tenant = 'default') {
      const who = { tenant, user: 'ana', agent: 'dev', confinement: 'jailed' } as const;
      return (await sessions.open({ ...who, credentials: [], by: OPERATOR })).session;
    },
    async createWorkload(session, execution) {
      const { secret, ...rest } = await open.createWorkload(session, execution, OPERATOR);
      return { ...rest, attestation_secret: secret.reveal() };
    },
    async attached(session) {
      const { id } = session ?? (await fixture.openSession());
      const worker = new TestWorker(fixture, await fixture.createWorkload(id));
      await worker.attest();
      return worker;
    },
    async news() {
      const tenants = ['default', 'other', 'system'];
      const pages = await Promise.all(
        tenants.map((tenant) => trail.read({ tenant, limit: 1_000, order: 'desc' })),
      );
      const fresh = pages.flatMap(({ items }) => items).filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      return fresh.map(({ type, json }) => ({ type, data: (JSON.parse(json) as { data: JsonObject }).data }));
    },
    async newsWith(type) {
      const found: News[] = [];
      await waitUntil(`news of ${type}`, async () => {
        found.push(...(await fixture.news()));
        return found.some((event) => event.type === type);
      });
      return found;
    },
    async [Symbol.asyncDispose]() {
      await app?.close();
      await sessions.close();
      await base[Symbol.asyncDispose]();
      await dir.remove();
    },
  };
  await fixture.restart();
  return fixture;
}

export interface Posted {
  readonly status: number;
  readonly payload: GatewayAnswer;
  readonly answer: SignedAnswer;
}

export const nonce = (): string => randomBytes(18).toString('base64url');

/** A worker of the test's own making, so that it can do what ours would not. */
export class TestWorker {
  readonly fixture: SealFixture;
  readonly workload: CreatedWorkload;
  readonly privateKey: KeyObject;
  readonly publicText: string;
  token = '';

  constructor(fixture: SealFixture, workload: CreatedWorkload) {
    const pair = generateKeyPairSync('ed25519');
    this.fixture = fixture;
    this.workload = workload;
    this.privateKey = pair.privateKey;
    this.publicText = String(pair.publicKey.export({ format: 'jwk' }).x);
  }

  async attest(over: JsonObject = {}): Promise<Response> {
    const { workload_id, attestation_secret } = this.workload;
    const response = await this.#send('/v1/seal/attest', {
      ...{ public_key: this.publicText, workload_id, attestation_secret },
      ...over,
    });
    if (response.status === 200) this.token = ((await response.clone().json()) as Attested).security_token;
    return response;
  }

  /** Attests as one does after a restart: with the key of before. */
  async attestAgain(over: JsonObject = {}, key = this.privateKey): Promise<Response> {
    const { workload_id } = this.workload;
    const proof = { nonce: nonce(), timestamp: this.now(), ...over };
    const text = canonicalJson({ ...proof, public_key: this.publicText, workload_id });
    const signature = sign(null, Buffer.from(text), key).toString('base64url');
    const response = await this.#send('/v1/seal/attest', {
      ...{ public_key: this.publicText, workload_id, proof: { ...proof, signature } },
    });
    if (response.status === 200) this.token = ((await response.clone().json()) as Attested).security_token;
    return response;
  }

  now(): string {
    return new Date(this.fixture.clock.now()).toISOString();
  }

  /** An envelope that would be accepted, but for what `over` says; the signature is over what is sent. */
  envelope(payload: JsonObject, over: JsonObject = {}, key = this.privateKey): JsonObject {
    const signed = {
      payload: { nonce: nonce(), ...payload },
      security_token: this.token,
      timestamp: this.now(),
      ...over,
    };
    const { payload: p, security_token, timestamp } = signed;
    const text = canonicalJson({ payload: p, security_token, timestamp });
    return {
      protocol: 'seal/v1',
      signature: sign(null, Buffer.from(text), key).toString('base64url'),
      ...signed,
    };
  }

  call(command: string, ...args: string[]): JsonObject {
    return { type: 'tool_call', tool: 'cmd.run', arguments: { command, args } };
  }

  result(dispatch: string, over: JsonObject = {}): JsonObject {
    return {
      type: 'dispatch_result',
      execution_id: this.workload.execution_id,
      dispatch_id: dispatch,
      ...{ exit_code: 0, stdout: 'hello\n', stderr: '', duration_ms: 3, truncated: false },
      ...over,
    };
  }

  /** Posts bytes as they are; the answer must be signed by the gateway. */
  async post(body: JsonObject | string | Uint8Array<ArrayBuffer>): Promise<Posted> {
    const response = await this.#send('/v1/dispatch-gateway', body);
    const answer = (await response.json()) as SignedAnswer;
    const isAnswer = 'signature' in answer && isSigned(this.workload.gateway_public_key, answer);
    if (!isAnswer) throw new Error(JSON.stringify(answer));
    return { status: response.status, payload: answer.payload, answer };
  }

  /** Posts a call of `echo` and gives the id of the order that it is answered with. */
  async ordered(): Promise<string> {
    const { payload } = await this.post(this.envelope(this.call('echo', 'hello')));
    if (payload.type !== 'dispatch') throw new Error(JSON.stringify(payload));
    return payload.dispatch_id;
  }

  #send(path: string, body: JsonObject | string | Uint8Array<ArrayBuffer>): Promise<Response> {
    const isPlain = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(new URL(path, this.fixture.url), {
      method: 'POST',
      // A connection of its own: whose it is must not depend on the call before.
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: isPlain ? body : JSON.stringify(body),
    });
  }
}

export function isSigned(publicText: string, { payload, timestamp, signature }: SignedAnswer): boolean {
  const key = { format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicText } } as const;
  const text = canonicalJson({ payload, timestamp });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}
