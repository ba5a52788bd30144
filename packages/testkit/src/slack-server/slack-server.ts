import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnFreePort } from '../http-server.ts';
import { acceptSocket } from '../websocket-server.ts';
import { checkModal, isObject, type Json, SlackError } from './block-kit.ts';
import { Envelopes } from './envelopes.ts';
import {
  openConversation,
  openView,
  type Parameters,
  postMessage,
  Uploads,
  updateMessage,
} from './methods.ts';
import { type SlackMessage, unescapeMrkdwn, Workspace } from './workspace.ts';

/** What a press led to: words for the one who pressed, or a form. */
export type PressResult =
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'form'; readonly view: Json };

export interface PressOptions {
  /** who presses; the member whose conversation it is unless given */
  readonly user?: string;
  readonly isBot?: boolean;
  /** replaces what the button carries */
  readonly value?: string;
  /** the conversation that the press says it comes from */
  readonly channel?: string;
  /** how often the same press arrives; each is answered */
  readonly copies?: number;
  /** the trigger has expired when the app wants to use it */
  readonly expired?: boolean;
}

/**
 * The part of Slack that an approval channel uses: Web API over HTTP and socket mode over a WebSocket. It refuses
 * what the real one refuses: wrong tokens, unknown conversations, bots, blocks and modals beyond the limits of
 * Block Kit, spent triggers, files that were not announced; and it tells to wait.
 */
export class SlackServer implements AsyncDisposable {
  readonly appToken = 'xapp-1-test-token-of-the-app';
  readonly botToken = 'xoxb-test-token-of-the-bot';
  readonly workspace = new Workspace();
  readonly envelopes = new Envelopes();
  readonly calls: { readonly method: string; readonly at: number; status: number }[] = [];
  /** `down` answers 503, `slow` does not answer */
  mode: 'up' | 'down' | 'slow' = 'up';
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #uploads = new Uploads();
  readonly #limits = new Map<string, number>();
  readonly #tickets = new Set<string>();
  readonly #triggers = new Map<string, { readonly show: (view: Json) => void; readonly expired: boolean }>();
  readonly #responses = new Map<string, (text: string) => void>();
  #origin = '';
  #next = 1;

  static async start(): Promise<SlackServer> {
    const server = new SlackServer();
    const port = await listenOnFreePort(server.#server);
    server.#origin = `http://127.0.0.1:${port}`;
    server.#server.on('upgrade', (request, stream) => {
      const ticket = new URL(request.url ?? '/', server.#origin).searchParams.get('ticket') ?? '';
      // The address that `apps.connections.open` gives is good for one connection.
      if (!server.#tickets.delete(ticket)) return void stream.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      const socket = acceptSocket(request, stream);
      if (socket !== undefined) server.envelopes.connect(socket);
    });
    return server;
  }

  get apiUrl(): string {
    return `${this.#origin}/api/`;
  }

  /** The next call of this method is told to wait so many seconds. */
  limitNext(method: string, seconds: number): void {
    this.#limits.set(method, seconds);
  }

  /** Somebody presses a button; resolves with what came of it, once for each copy. */
  async press(message: SlackMessage, button: string, options: PressOptions = {}): Promise<PressResult[]> {
    const found = message.buttons.find(({ text }) => text === button);
    const value = options.value ?? found?.value;
    if (value === undefined) throw new Error(`the message has no button \`${button}\``);
    const action = { type: 'button', action_id: found?.actionId ?? 'sallyport-press-1', value };
    const user = options.user ?? this.workspace.memberOf(message.channel);
    const channel = options.channel ?? message.channel;
    return Promise.all(
      Array.from({ length: options.copies ?? 1 }, async (): Promise<PressResult> => {
        const id = String(this.#next++);
        const { promise, resolve } = Promise.withResolvers<PressResult>();
        const show = (view: Json): void => resolve({ kind: 'form', view });
        this.#triggers.set(id, { show, expired: options.expired ?? false });
        this.#responses.set(id, (text) => resolve({ kind: 'told', text }));
        await this.envelopes.send('interactive', {
          type: 'block_actions',
          team: { id: 'T1' },
          user: { id: user, team_id: 'T1', ...(options.isBot === true ? { is_bot: true } : {}) },
          api_app_id: 'A1',
          container: { type: 'message', message_ts: message.ts, channel_id: channel },
          channel: { id: channel, name: 'directmessage' },
          message: { ts: message.ts, bot_id: 'B1' },
          trigger_id: id,
          response_url: `${this.#origin}/actions/${id}`,
          actions: [{ block_id: 'answers', ...action }],
        });
        return promise;
      }),
    );
  }

  /** Somebody submits a form that was opened; resolves with what it shows then, undefined when it closed. */
  async submit(
    view: Json,
    text: string,
    options: { readonly user: string; readonly isBot?: boolean; readonly metadata?: string },
  ): Promise<string | undefined> {
    const [input] = Array.isArray(view.blocks) ? view.blocks : [];
    const block = isObject(input) ? String(input.block_id) : '';
    const action = isObject(input) && isObject(input.element) ? String(input.element.action_id) : '';
    const values = { [block]: { [action]: { type: 'plain_text_input', value: text } } };
    const metadata = options.metadata ?? view.private_metadata;
    const answer = await this.envelopes.send('interactive', {
      type: 'view_submission',
      team: { id: 'T1' },
      user: { id: options.user, team_id: 'T1', ...(options.isBot === true ? { is_bot: true } : {}) },
      api_app_id: 'A1',
      view: { id: 'V1', ...view, private_metadata: metadata, state: { values } },
    });
    if (answer.response_action === undefined) return undefined;
    const [section] = arrayOf(checkModal(answer.view).blocks);
    return isObject(section) && isObject(section.text) ? String(section.text.text) : '';
  }

  /** A member writes to the app; the app acknowledges the event, whatever it does with it. */
  async write(user: string, text: string): Promise<void> {
    const event = {
      type: 'message',
      channel_type: 'im',
      channel: `D${user.slice(1)}`,
      user,
      text,
      ts: '1.1',
    };
    await this.envelopes.send('events_api', { type: 'event_callback', team_id: 'T1', event });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.envelopes.cut();
    await closeServer(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.#origin);
    const call = { method: pathname.replace('/api/', ''), at: performance.now(), status: 0 };
    this.calls.push(call);
    const body = await readBody(request);
    if (this.mode === 'slow') return;
    const reply = (status: number, content: unknown, headers = {}): void => {
      call.status = status;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(content));
    };
    if (this.mode === 'down') return reply(503, { ok: false, error: 'service_unavailable' });
    const [, place, id = ''] = pathname.split('/');
    if (place === 'actions') return reply(...this.#respond(id, body));
    if (place === 'upload') return reply(...(await this.#upload(id, request, body)));
    try {
      reply(200, { ok: true, ...this.#call(call.method, request, body) });
    } catch (error) {
      const known = error instanceof SlackError ? error : new SlackError('internal_error', [String(error)]);
      const refusal = { ok: false, error: known.message, response_metadata: { messages: known.messages } };
      if (known.retryAfter === undefined) reply(200, refusal);
      else reply(429, refusal, { 'retry-after': String(known.retryAfter) });
    }
  }

  #call(method: string, request: IncomingMessage, body: Buffer): Json {
    const seconds = this.#limits.get(method);
    if (seconds !== undefined) {
      this.#limits.delete(method);
      throw new SlackError('ratelimited', [], seconds);
    }
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    if (token === undefined) throw new SlackError('not_authed');
    if (token !== this.botToken && token !== this.appToken) throw new SlackError('invalid_auth');
    if ((method === 'apps.connections.open') !== (token === this.appToken))
      throw new SlackError('not_allowed_token_type');
    const parameters: Parameters = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
    switch (method) {
      case 'auth.test':
        return { user_id: 'UBOT', bot_id: 'B1', team_id: 'T1', team: 'Test team' };
      case 'apps.connections.open': {
        const ticket = String(this.#next++);
        this.#tickets.add(ticket);
        return { url: `${this.#origin.replace('http', 'ws')}/link?ticket=${ticket}` };
      }
      case 'conversations.open':
        return openConversation(this.workspace, parameters);
      case 'chat.postMessage':
        return postMessage(this.workspace, parameters);
      case 'chat.update':
        return updateMessage(this.workspace, parameters);
      case 'views.open':
        return openView(parameters, (trigger) => this.#spend(trigger));
      case 'files.getUploadURLExternal':
        return this.#uploads.begin(parameters, this.#origin);
      case 'files.completeUploadExternal':
        return this.#uploads.complete(this.workspace, parameters);
      // open: any method
      default:
        throw new SlackError('unknown_method');
    }
  }

  #spend(trigger: string): ((view: Json) => void) | 'expired_trigger_id' | 'invalid_trigger_id' {
    const known = this.#triggers.get(trigger);
    if (known === undefined) return 'invalid_trigger_id';
    this.#triggers.delete(trigger);
    return known.expired ? 'expired_trigger_id' : known.show;
  }

  #respond(id: string, body: Buffer): [number, unknown] {
    const tell = this.#responses.get(id);
    const message: unknown = JSON.parse(body.toString('utf8'));
    if (tell === undefined || !isObject(message)) return [404, { ok: false, error: 'expired_url' }];
    if (typeof message.text !== 'string' || message.text === '')
      return [200, { ok: false, error: 'no_text' }];
    if (message.response_type !== 'ephemeral' || message.replace_original !== false)
      return [500, { ok: false, error: 'this would replace the question for everyone' }];
    tell(unescapeMrkdwn(message.text));
    return [200, { ok: true }];
  }

  async #upload(id: string, request: IncomingMessage, body: Buffer): Promise<[number, unknown]> {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const [file] = [...form.values()].filter((value) => typeof value !== 'string');
    const content = file === undefined ? Buffer.alloc(0) : Buffer.from(await file.arrayBuffer());
    return this.#uploads.receive(id, content) ? [200, 'OK'] : [400, 'unexpected file'];
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
  return Buffer.concat(chunks);
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
