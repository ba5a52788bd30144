import {
  AttestedSchema,
  AttestSchema,
  CreatedWorkloadSchema,
  EnvelopeSchema,
  NewWorkloadSchema,
  SallyportError,
} from '@sallyport/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, boundSession, operatorOf, showOnce } from '../../servers/index.ts';
import type { Seal } from './open-seal.ts';
import type { SealAnswer } from './seal-door.ts';

/** A result with 1 MiB of output in which every byte is written as an escape, and room for the rest. */
const ENVELOPE_BYTES = 7 * 1024 * 1024;
const ATTEST_BYTES = 16 * 1024;

/** The door, loaded with the first worker. */
export type OpenSeal = () => Seal | Promise<Seal>;

/** `/v1/seal/attest` and `/v1/dispatch-gateway`. Admitted by their own proofs, not by a session's token. */
export function sealRoutes(app: App, seal: OpenSeal): void {
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

/** `POST /v1/seal/workloads`: for launchers; what it answers goes to the worker and to nobody else. */
export function sealWorkloadRoutes(app: App, seal: OpenSeal): void {
  app.post(
    '/v1/seal/workloads',
    {
      schema: {
        summary: 'Announce a worker of a session; its one-time secret is shown once',
        body: NewWorkloadSchema,
        response: { 201: CreatedWorkloadSchema },
      },
    },
    async (request, reply) => {
      const { session_id: session, execution_id: execution } = request.body;
      const door = await seal();
      const { secret, ...rest } = await door.createWorkload(session, execution, operatorOf(request));
      return reply.code(201).send({ ...rest, attestation_secret: showOnce(secret) });
    },
  );
}

function send(reply: FastifyReply, { status, body }: SealAnswer): FastifyReply {
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
