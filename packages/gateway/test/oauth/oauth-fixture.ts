import { createHash, randomBytes } from 'node:crypto';
import {
  type HttpAnswer,
  MCP_FIXTURE_PROGRAM,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  waitFor,
} from '@sallyport/testkit';
import { expect } from 'vitest';

export const CALLBACK = 'http://127.0.0.1:4711/callback';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface OAuthConfig {
  /** more of the top level */
  readonly more?: string;
  /** rules of the top level */
  readonly permissions?: readonly string[];
}

/** A gateway whose agent may do everything, so that what is refused is refused by OAuth. */
export async function startOAuth(
  { more = '', permissions = ['allow:*'] }: OAuthConfig = {},
  options: Omit<TestGatewayOptions, 'config'> = {},
): Promise<TestGateway> {
  return startTestGateway({
    ...options,
    config: `
permissions: ${JSON.stringify(permissions)}
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
    mode: cautious
    exceptions: ["mcp:*"]
  other: { default_user: eve, default_agent: dev, users: { eve: { roles: [member] } } }
roles:
  member: { allow: ["agent:*", "tool:*", "approve:*"] }
agents:
  dev: { permissions: ["allow:*"] }
  second: { permissions: ["allow:*"] }
mcp_servers:
  - { name: fix, executable: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([MCP_FIXTURE_PROGRAM])}, sandbox: none }
${more}
`,
  });
}

export interface Question {
  readonly id: string;
  readonly preview: string;
  readonly title: string;
  readonly strength: string;
  readonly client_id: string | null;
}

/** Everything a program and its browser do, one step at a time. */
export class Program {
  readonly gateway: TestGateway;
  readonly verifier = randomBytes(32).toString('base64url');
  readonly challenge: string;
  readonly clientId: string;

  constructor(gateway: TestGateway, clientId: string) {
    this.gateway = gateway;
    this.clientId = clientId;
    this.challenge = createHash('sha256').update(this.verifier).digest('base64url');
  }

  static async register(gateway: TestGateway, metadata: object = {}): Promise<Program> {
    const answer = await registerClient(gateway, metadata);
    if (answer.status !== 201) throw new Error(`not registered: ${answer.text}`);
    return new Program(gateway, answer.json<{ client_id: string }>().client_id);
  }

  get resource(): string {
    return `${this.gateway.urls.api}/mcp`;
  }

  /** The parameters of a good request, with some of them changed; undefined leaves one out. */
  parameters(changed: Readonly<Record<string, string | undefined>> = {}): URLSearchParams {
    const all = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: CALLBACK,
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      resource: this.resource,
      state: 'st4te',
      ...changed,
    };
    return new URLSearchParams(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  authorize(changed: Readonly<Record<string, string | undefined>> = {}): Promise<HttpAnswer> {
    return this.gateway.agent(`/oauth/authorize?${this.parameters(changed)}`);
  }

  /** Begins a good request: the path of the page that waits. */
  async begin(changed: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const answer = await this.authorize(changed);
    if (answer.status !== 303) throw new Error(`not begun: ${answer.status} ${answer.text}`);
    const { pathname, search } = new URL(String(answer.headers.location));
    expect(pathname).toBe('/oauth/wait');
    return pathname + search;
  }

  /** What the browser is sent to once people have answered. */
  async answered(page: string): Promise<URL> {
    return waitFor('the page to lead back to the client', async () => {
      const answer = await this.gateway.agent(page);
      if (answer.status !== 303) throw new Error(`still ${answer.status}`);
      return new URL(String(answer.headers.location));
    });
  }

  /** Begins, has a person say yes, and comes back with a code. */
  async code(changed: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const page = await this.begin(changed);
    const { id } = await onlyQuestion(this.gateway);
    await decide(this.gateway, id, { code: '1' });
    const code = (await this.answered(page)).searchParams.get('code');
    if (code === null) throw new Error('no code');
    return code;
  }

  redeem(code: string, changed: Readonly<Record<string, string | undefined>> = {}): Promise<HttpAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.verifier,
      resource: this.resource,
      ...changed,
    });
  }

  refresh(token: string, changed: Readonly<Record<string, string | undefined>> = {}): Promise<HttpAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...changed });
  }

  token(form: Readonly<Record<string, string | undefined>>): Promise<HttpAnswer> {
    const all = { client_id: this.clientId, ...form };
    const body = new URLSearchParams(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ).toString();
    return this.gateway.agent('/oauth/token', { body, headers: FORM });
  }

  async tokens(): Promise<Tokens> {
    const answer = await this.redeem(await this.code());
    if (answer.status !== 200) throw new Error(`no tokens: ${answer.text}`);
    return answer.json<Tokens>();
  }
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

export function registerClient(gateway: TestGateway, metadata: object = {}): Promise<HttpAnswer> {
  return gateway.agent('/oauth/register', {
    json: {
      client_name: 'Test Program',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
  });
}

export async function questions(gateway: TestGateway): Promise<readonly Question[]> {
  const answer = await gateway.operator('/v1/approvals?status=pending');
  return answer.json<{ items: readonly Question[] }>().items;
}

export async function onlyQuestion(gateway: TestGateway): Promise<Question> {
  return waitFor('exactly one question', async () => {
    const [first, ...others] = await questions(gateway);
    if (first === undefined || others.length > 0) throw new Error(`${others.length} others`);
    return first;
  });
}

export async function decide(gateway: TestGateway, id: string, decision: object): Promise<void> {
  const answer = await gateway.operator(`/v1/approvals/${id}/decision`, { json: decision });
  if (answer.status !== 200) throw new Error(`not decided: ${answer.text}`);
}

export interface TrailEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function events(gateway: TestGateway, group = 'OAuthEvent::'): Promise<readonly TrailEvent[]> {
  const answer = await gateway.operator('/v1/audit/events?limit=200');
  return answer.json<{ items: readonly TrailEvent[] }>().items.filter(({ type }) => type.startsWith(group));
}

/** Whether a token opens the MCP door. */
export async function opens(gateway: TestGateway, token: string): Promise<boolean> {
  const answer = await gateway.agent('/session', { token });
  if (answer.status !== 200 && answer.status !== 401) throw new Error(answer.text);
  return answer.status === 200;
}
