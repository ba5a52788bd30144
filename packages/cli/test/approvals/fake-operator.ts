import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
  type ApprovalDetail,
  ApprovalDetailSchema,
  DecisionSchema,
  SallyportError,
} from '@sallyport/protocol';
import { closeServer, tempDir } from '@sallyport/testkit';

const TOKEN = 'operator-token-of-the-fake';

/** A question as the operator side shows it. */
export function detailFixture(over: Partial<ApprovalDetail> = {}): ApprovalDetail {
  const id = over.id ?? 'appr_01hzy3v8k2m4n6p8q0r2s4t6v8';
  return ApprovalDetailSchema.parse({
    id,
    approval_id: id,
    tenant: 'default',
    status: 'pending',
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: null,
    title: 'git push origin main',
    preview: 'cd app\ngit push origin main',
    self_declared: false,
    door: 'hook',
    tool: 'Bash',
    action_type: 'vcs:push',
    effect: 'write',
    risk: 'high',
    strength: 'human',
    reason: {
      layer: 'rules',
      reason: 'a push is asked for',
      rule: 'ask Bash(git push*)',
      at: 'sallyport.yaml:12:7',
      also: [],
    },
    review: null,
    does: '`git push` on github.com/acme/app main',
    covers: {
      session: '`git push` on github.com/acme/app main, by `dev`, in this session',
      minutes: null,
      always: null,
    },
    scopes: [
      { scope: 'operation-of-owner', covers: '`git push` on everything of github.com/acme, by `dev`' },
    ],
    user: 'ana',
    agent: 'dev',
    session: 'sess_1',
    client_id: null,
    session_id: null,
    credential: null,
    action_id: 'act_1',
    binding: 'b1',
    fingerprint: 'f1',
    policy_revision: 'r1',
    blocked: true,
    quorum: 1,
    agreed: [],
    deciders: ['ana'],
    decision: null,
    decided_by: null,
    decided_via: null,
    decided_at: null,
    answered_by: null,
    cancel_reason: null,
    ...{ channel: null, target: null, decision_code: null, note: null, override: null },
    choices: [{ code: '1', text: 'Allow once' }],
    allow_rule_applied: null,
    ...over,
  });
}

/**
 * The operator side as the commands see it: lists, details, decisions (first answer wins, a changed question is
 * refused) and the stream of events, on the unix socket of a home, in the schemas of the protocol.
 */
export class FakeOperator implements AsyncDisposable {
  readonly home: string;
  readonly decisions: { readonly id: string; readonly body: unknown }[] = [];
  readonly #questions = new Map<string, ApprovalDetail>();
  readonly #streams = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #remove: () => Promise<void>;
  #seq = 0;

  private constructor(home: string, remove: () => Promise<void>) {
    this.home = home;
    this.#remove = remove;
  }

  static async start(): Promise<FakeOperator> {
    const dir = await tempDir();
    const self = new FakeOperator(dir.path, dir.remove);
    await writeFile(join(dir.path, 'operator.token'), TOKEN, { mode: 0o600 });
    await new Promise<void>((resolve) => void self.#server.listen(join(dir.path, 'operator.sock'), resolve));
    return self;
  }

  get watchers(): number {
    return this.#streams.size;
  }

  find(id: string): ApprovalDetail | undefined {
    return this.#questions.get(id);
  }

  put(question: ApprovalDetail, type = 'ApprovalEvent::Requested'): void {
    this.#questions.set(question.id, question);
    this.emit(type, { title: question.title }, question.id);
  }

  emit(type: string, data: Readonly<Record<string, unknown>>, approvalId?: string): void {
    this.#seq += 1;
    const id = `evt_${String(this.#seq).padStart(26, '0')}`;
    const event = {
      id,
      seq: this.#seq,
      at: '2026-01-01T00:00:00.000Z',
      tenant: 'default',
      type,
      actor: { kind: 'agent', agent: 'dev' },
      ...(approvalId === undefined ? {} : { approval_id: approvalId }),
      data,
    };
    for (const stream of this.#streams)
      stream.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** Ends every open stream, as a restart of the gateway does. */
  dropWatchers(): void {
    for (const stream of this.#streams) stream.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server);
    await this.#remove();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost');
    try {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) throw new SallyportError('NotAuthenticated');
      if (url.pathname === '/v1/events') return this.#stream(response);
      const body = await this.#call(request, url);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    } catch (error) {
      const known =
        error instanceof SallyportError ? error : new SallyportError('Internal', { message: String(error) });
      response
        .writeHead(known.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(known.toBody()));
    }
  }

  async #call(request: IncomingMessage, url: URL): Promise<unknown> {
    const [, , , id, action] = url.pathname.split('/');
    if (id === undefined) {
      const items = [...this.#questions.values()].filter(
        ({ status }) => status === url.searchParams.get('status'),
      );
      return { items: items.toReversed(), next_cursor: null };
    }
    const question = this.#questions.get(decodeURIComponent(id));
    if (question === undefined)
      throw new SallyportError('NotFound', { message: 'there is no such approval' });
    if (action === undefined) return question;
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    return this.#decide(question, DecisionSchema.parse(JSON.parse(text)));
  }

  #decide(question: ApprovalDetail, body: ReturnType<typeof DecisionSchema.parse>): unknown {
    this.decisions.push({ id: question.id, body });
    if (question.status !== 'pending') {
      throw new SallyportError('Conflict', { message: `it is ${question.status} already` });
    }
    if (body.binding !== question.binding) {
      throw new SallyportError('Unprocessable', {
        message: 'the question has changed: read it again, then answer',
      });
    }
    const status = body.code === '3' ? 'denied' : 'approved';
    const approval: ApprovalDetail = { ...question, status };
    this.put(approval, 'ApprovalEvent::Decided');
    return { outcome: 'decided', missing: 0, approval };
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1000\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }
}
