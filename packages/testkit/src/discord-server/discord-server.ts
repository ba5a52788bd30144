import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnFreePort } from '../http-server.ts';
import { acceptSocket } from '../websocket-server.ts';
import { APPLICATION, DiscordGateway } from './gateway.ts';
import { type DiscordMessage, Guild } from './guild.ts';
import { Interactions, type PressResult } from './interactions.ts';
import { DiscordError, isObject, type Json, type UploadedFile } from './limits.ts';

export interface PressOptions {
  /** who presses; the person of the direct channel unless given */
  readonly user?: string;
  readonly isBot?: boolean;
  /** replaces what the button carries */
  readonly customId?: string;
  /** the channel that the press says it comes from, on a server */
  readonly serverChannel?: string;
}

/**
 * The part of Discord that an approval channel uses: REST over HTTP and the gateway over a WebSocket. It refuses what
 * the real one refuses: wrong tokens, unknown channels, people who take no messages, contents and components beyond
 * the limits, interactions that were answered already or never were; and it tells to wait.
 */
export class DiscordServer implements AsyncDisposable {
  readonly token = 'NzAw.test-token.of-the-bot';
  readonly guild = new Guild();
  readonly gateway = new DiscordGateway(this.token);
  readonly calls: { readonly route: string; readonly at: number; status: number }[] = [];
  /** `down` answers 503, `slow` does not answer */
  mode: 'up' | 'down' | 'slow' = 'up';
  readonly #interactions = new Interactions();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #limits = new Map<string, number>();
  #origin = '';

  static async start(): Promise<DiscordServer> {
    const server = new DiscordServer();
    const port = await listenOnFreePort(server.#server);
    server.#origin = `http://127.0.0.1:${port}`;
    server.gateway.url = `ws://127.0.0.1:${port}`;
    server.#server.on('upgrade', (request, stream) => {
      const socket = acceptSocket(request, stream);
      if (socket !== undefined) server.gateway.connect(socket);
    });
    return server;
  }

  get apiUrl(): string {
    return `${this.#origin}/api`;
  }

  /** The next call of this route (`POST /channels`) is told to wait so many seconds. */
  limitNext(route: string, seconds: number): void {
    this.#limits.set(route, seconds);
  }

  /** Somebody presses a button; resolves with what came of it. */
  async press(message: DiscordMessage, label: string, options: PressOptions = {}): Promise<PressResult> {
    const customId = options.customId ?? message.buttons.find((button) => button.label === label)?.customId;
    if (customId === undefined) throw new Error(`the message has no button \`${label}\``);
    const data = { custom_id: customId, component_type: 2 };
    return this.#interact(3, data, message, options);
  }

  /** Somebody submits a form that was opened; resolves with what they are told then. */
  async submit(
    modal: Json,
    text: string,
    message: DiscordMessage,
    options: PressOptions = {},
  ): Promise<PressResult> {
    const [label] = Array.isArray(modal.components) ? modal.components : [];
    const input = isObject(label) && isObject(label.component) ? label.component : {};
    const value = { type: 4, id: 2, custom_id: input.custom_id, value: text };
    const data = {
      custom_id: options.customId ?? modal.custom_id,
      components: [{ type: 18, id: 1, component: value }],
    };
    return this.#interact(5, data, message, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.gateway.cut();
    await closeServer(this.#server);
  }

  async #interact(
    type: number,
    data: Json,
    message: DiscordMessage,
    options: PressOptions,
  ): Promise<PressResult> {
    const { id, token, result } = this.#interactions.open();
    const person = options.user ?? this.guild.userOf(message.channel) ?? '';
    const user = {
      id: person,
      username: 'person',
      discriminator: '0',
      avatar: null,
      bot: options.isBot ?? false,
    };
    const direct = options.serverChannel === undefined;
    const channel = options.serverChannel ?? message.channel;
    await this.gateway.connected();
    this.gateway.dispatch('INTERACTION_CREATE', {
      id,
      token,
      type,
      data,
      version: 1,
      application_id: APPLICATION,
      channel_id: channel,
      channel: { id: channel, type: direct ? 1 : 0 },
      ...(direct
        ? { user, context: 1 }
        : {
            guild_id: '600000000000000001',
            member: { user, roles: [], joined_at: '2026-01-01T00:00:00Z', permissions: '0', flags: 0 },
            context: 0,
          }),
      message: {
        id: message.id,
        channel_id: channel,
        type: 0,
        content: message.content,
        author: { id: APPLICATION, username: 'sallyport', discriminator: '0', avatar: null, bot: true },
        timestamp: '2026-01-01T00:00:00Z',
        attachments: [],
        embeds: [],
        mentions: [],
        mention_roles: [],
        components: [],
      },
      app_permissions: '0',
      entitlements: [],
      authorizing_integration_owners: {},
      locale: 'en-US',
      attachment_size_limit: 10_485_760,
    });
    return result;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.#origin);
    const path = pathname.replace('/api/v10', '');
    const route = `${request.method ?? ''} /${path.split('/')[1] ?? ''}`;
    const call = { route, at: performance.now(), status: 0 };
    this.calls.push(call);
    const bytes = await readBody(request);
    if (this.mode === 'slow') return;
    let status = 200;
    let body: unknown;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    try {
      if (this.mode === 'down') throw new DiscordError(503, 0, 'Service Unavailable');
      const { json, files } = await readForm(request, bytes);
      body = this.#call(request, path, json, files, route);
    } catch (error) {
      const known = error instanceof DiscordError ? error : new DiscordError(500, 0, String(error));
      ({ status } = known);
      body = { message: known.message, code: known.code };
      if (known.retryAfter !== undefined) {
        headers['retry-after'] = String(known.retryAfter);
        headers['x-ratelimit-scope'] = 'user';
        body = { message: 'You are being rate limited.', retry_after: known.retryAfter, global: false };
      }
    }
    call.status = status;
    response.writeHead(status, headers).end(JSON.stringify(body));
  }

  #call(
    request: IncomingMessage,
    path: string,
    body: Json,
    files: readonly UploadedFile[],
    route: string,
  ): unknown {
    const seconds = this.#limits.get(route);
    if (seconds !== undefined) {
      this.#limits.delete(route);
      throw new DiscordError(429, 0, 'You are being rate limited.', seconds);
    }
    const [, place, first = '', second = '', third = ''] = path.split('/');
    // An interaction's own token is in its address; these two need no other.
    if (route === 'POST /interactions') return this.#interactions.respond(first, second, body);
    if (route === 'PATCH /webhooks') return this.#interactions.editReply(second, body);
    if (request.headers.authorization !== `Bot ${this.token}`)
      throw new DiscordError(401, 0, '401: Unauthorized');
    if (route === 'GET /gateway') {
      const limit = { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 };
      return { url: this.#origin.replace('http', 'ws'), shards: 1, session_start_limit: limit };
    }
    if (route === 'GET /users')
      return { id: APPLICATION, username: 'sallyport', discriminator: '0', bot: true };
    if (route === 'GET /channels' && second === '') return this.guild.describe(first);
    if (route === 'POST /users') return this.guild.openDirect(body.recipient_id);
    if (place === 'channels' && second === 'messages') {
      if (request.method === 'POST') return this.guild.post(first, body, files);
      if (request.method === 'PATCH') return this.guild.edit(first, third, body, files);
    }
    throw new DiscordError(404, 0, '404: Not Found');
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
  return Buffer.concat(chunks);
}

async function readForm(
  request: IncomingMessage,
  bytes: Buffer,
): Promise<{ json: Json; files: readonly UploadedFile[] }> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/'))
    return { json: parse(bytes.length === 0 ? '{}' : bytes.toString('utf8')), files: [] };
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const files: UploadedFile[] = [];
  for (const value of form.values())
    if (typeof value !== 'string')
      files.push({ name: value.name, content: await value.text(), bytes: value.size });
  return { json: parse(String(form.get('payload_json') ?? '{}')), files };
}

function parse(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new DiscordError(400, 50_109, 'The request body contains invalid JSON.');
  return value;
}
