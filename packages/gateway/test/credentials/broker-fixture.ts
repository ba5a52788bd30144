import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type EventActor, type NewEvent, SallyportError } from '@sallyport/protocol';
import { FakeClock, tempDir } from '@sallyport/testkit';
import { onTestFinished } from 'vitest';
import { createLogger, Redactor } from '../../src/audit/index.ts';
import { type Config, loadConfig } from '../../src/config/index.ts';
import { CredentialBroker, type LendRequest, type Loan } from '../../src/credentials/index.ts';
import type { SessionFacts } from '../../src/identity/index.ts';
import type { OutgoingRequest } from '../../src/shared/http-message.ts';
import { RecordingTrail } from '../identity/recording-trail.ts';

const USERS = '{ ana: { roles: [owner] } }';
const ACTOR: EventActor = { kind: 'agent', tenant: 'default', agent: 'dev', session: 'sess_dev' };

export interface BrokerSetup {
  /** YAML below `tenants.default` */
  readonly tenant?: string;
  /** YAML below `agents`; every agent has a session `sess_<agent>` */
  readonly agents?: Readonly<Record<string, readonly string[]>>;
  /** YAML below `tenants.other`, whose agent `dev` has the session `sess_other` */
  readonly other?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly longestMs?: number;
}

/** A broker over a real config, sources and files, with a clock, sessions and a trail that tests control. */
export class BrokerFixture {
  readonly clock = new FakeClock();
  readonly trail = new RecordingTrail();
  readonly redactor = new Redactor();
  readonly log: string[] = [];
  readonly sessions = new Map<string, SessionFacts>();
  readonly home: string;
  readonly broker: CredentialBroker;
  #config: Config;
  readonly #env: Readonly<Record<string, string>>;

  static async open(setup: BrokerSetup): Promise<BrokerFixture> {
    const dir = await tempDir();
    onTestFinished(() => dir.remove());
    const fixture = new BrokerFixture(dir.path, setup);
    // Programs that a test left running end with it.
    onTestFinished(() => fixture.broker.close());
    return fixture;
  }

  private constructor(home: string, setup: BrokerSetup) {
    this.home = home;
    this.#env = { PATH: process.env.PATH ?? '', HOME: home, ...setup.env };
    this.#config = this.#load(setup);
    for (const [agent, credentials] of Object.entries(setup.agents ?? {}))
      this.openSession(agent, credentials);
    if (setup.other !== undefined) this.openSession('dev', ['api'], 'other', 'sess_other');
    this.broker = new CredentialBroker({
      config: () => this.#config,
      sessionOf: (id) => this.sessions.get(id),
      trail: this.trail,
      redactor: this.redactor,
      log: createLogger({
        level: 'debug',
        redactor: this.redactor,
        destination: { write: (line: string) => void this.log.push(line) },
      }),
      clock: this.clock,
      env: this.#env,
      home,
      ...(setup.longestMs === undefined ? {} : { longestMs: setup.longestMs }),
    });
  }

  /** As a hot reload would: another config is in force from now on. */
  reload(setup: BrokerSetup): void {
    this.#config = this.#load(setup);
  }

  write(name: string, content: string | Uint8Array, mode = 0o600): void {
    const path = join(this.home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
  }

  openSession(agent: string, credentials: readonly string[], tenant = 'default', id = `sess_${agent}`): void {
    this.sessions.set(id, {
      ...{ id, tenant, agent, user: 'ana', chain: [agent], confinement: 'jailed', credentials },
      createdAt: this.clock.now(),
      expiresAt: this.clock.now() + 86_400_000,
    });
  }

  ask(over: Partial<LendRequest> = {}): LendRequest {
    return {
      ...{ tenant: 'default', name: 'api', host: 'api.example.com', session: 'sess_dev', actor: ACTOR },
      ...{ actionId: 'act_1', signal: AbortSignal.timeout(60_000) },
      ...over,
    };
  }

  async lend(over: Partial<LendRequest> = {}): Promise<Loan> {
    return this.broker.lend(this.ask(over));
  }

  /** The value as upstream would get it. */
  async sent(over: Partial<LendRequest> = {}, request = outgoing()): Promise<OutgoingRequest> {
    const loan = await this.lend(over);
    await loan.apply(request);
    return request;
  }

  /** What was refused, in words. */
  async refusal(over: Partial<LendRequest> = {}): Promise<SallyportError> {
    try {
      await this.lend(over);
    } catch (error) {
      if (error instanceof SallyportError) return error;
      throw error;
    }
    throw new Error('nothing was refused');
  }

  /** Everything that could be read by anybody: events, log, errors. */
  printed(...more: readonly unknown[]): string {
    return JSON.stringify([this.trail.events, this.log, more.map(everythingOf)]);
  }

  reads(): readonly NewEvent[] {
    return this.trail.of('CredentialEvent::Read');
  }

  #load({ tenant = '', other, agents = {} }: BrokerSetup): Config {
    const listed = Object.entries(agents).map(
      ([agent, names]) => `  ${agent}: { credentials: ${JSON.stringify(names)} }`,
    );
    const text = [
      'roles: { owner: { allow: ["agent:*", "tool:*"] } }',
      listed.length === 0 ? 'agents: {}' : `agents:\n${listed.join('\n')}`,
      'tenants:',
      section('default', tenant),
      other === undefined ? '' : section('other', other),
    ].join('\n');
    this.write('sallyport.yaml', text);
    return loadConfig({ file: join(this.home, 'sallyport.yaml'), env: this.#env, checks: [] }).config;
  }
}

/** A bare request to `https://api.example.com/`. */
export function outgoing(over: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    ...{ tenant: 'default', scheme: 'https', host: 'api.example.com', port: 443 },
    ...{ method: 'GET', target: '/', headers: [], isStreamed: false },
    ...over,
  };
}

export function headerOf(request: OutgoingRequest, name: string): string | undefined {
  return request.headers.find(([own]) => own.toLowerCase() === name)?.[1];
}

function section(name: string, yaml: string): string {
  const lines = [`users: ${USERS}`, 'default_user: ana', ...yaml.split('\n')];
  return [`  ${name}:`, ...lines.map((line) => `    ${line}`)].join('\n');
}

function everythingOf(value: unknown): unknown {
  if (!(value instanceof SallyportError)) return value;
  return [value.message, value.hint, value.details, String(value.cause), value.stack, value.toBody()];
}
