import {
  type Attested,
  AttestedSchema,
  AttestSchema,
  EnvelopeSchema,
  SallyportError,
  type SignedAnswer,
} from '@sallyport/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionFacts } from '../../identity/index.ts';
import { type App, boundSession } from '../../servers/index.ts';

/** A result with 1 MiB of output in which every byte is written as an escape, and room for the rest. */
const ENVELOPE_BYTES = 7 * 1024 * 1024;
const ATTEST_BYTES = 16 * 1024;

interface Connection {
  /** the session that the connection itself belongs to */
  readonly bound: SessionFacts | undefined;
  /** aborts when the caller leaves */
  readonly left: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly body: SignedAnswer;
}

/** The SEAL door behind these routes. */
export interface SealFront {
  attest(body: Uint8Array, connection: Pick<Connection, 'bound'>): Promise<Attested>;
  take(body: Uint8Array, connection: Connection): Promise<Answer>;
  /** A signed refusal of what did not even arrive whole. */
  unread(error: SallyportError): Promise<Answer>;
}

export interface SealRoutesParts {
  /** loaded with the first worker */
  readonly seal: () => SealFront | Promise<SealFront>;
}

/** `/v1/seal/attest` and `/v1/dispatch-gateway`. Admitted by their own proofs, not by a session's token. */
export function sealRoutes(app: App, { seal }: SealRoutesParts): void {
  app.register(async (routes) => {
    // SECURITY: read by the door's own reader: what was signed is then what is carried out.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    routes.post(
      '/v1/seal/attest',
      {
        bodyLimit: ATTEST_BYTES,
        schema: { summary: 'SEAL: a worker proves its key and gets a token', security: [] },
        config: { public: true, described: { body: AttestSchema, response: { 200: AttestedSchema } } },
      },
      async (request) => {
        const door = await seal();
        return AttestedSchema.parse(await door.attest(bytesOf(request), { bound: boundSession(request) }));
      },
    );

    routes.post(
      '/v1/dispatch-gateway',
      {
        bodyLimit: ENVELOPE_BYTES,
        schema: { summary: 'SEAL: a signed envelope with a tool call or a result', security: [] },
        config: { public: true, described: { body: EnvelopeSchema } },
        errorHandler: async (error, _request, reply) => {
          const known = asRefusal(error);
          if (known === undefined) throw error;
          return send(reply, await (await seal()).unread(known));
        },
      },
      async (request, reply) => {
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        // People may take longer to answer than a connection may be silent.
        request.raw.socket.setTimeout(0);
        const door = await seal();
        const connection = { bound: boundSession(request), left: left.signal };
        return send(reply, await door.take(bytesOf(request), connection));
      },
    );
  });
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function bytesOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** What Fastify refused before anybody read it. */
function asRefusal(error: unknown): SallyportError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new SallyportError('PayloadTooLarge');
  return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? new SallyportError('UnsupportedMediaType') : undefined;
}
