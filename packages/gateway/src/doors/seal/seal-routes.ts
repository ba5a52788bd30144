import { AttestedSchema, AttestSchema, SallyportError } from '@sallyport/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionFacts } from '../../identity/index.ts';
import type { SealAnswer, SealDoor } from './seal-door.ts';
import { parseSealJson } from './seal-json.ts';
import type { Workloads } from './workloads.ts';

/** A result with 1 MiB of output in which every byte is written as an escape, and room for the rest. */
const ENVELOPE_BYTES = 7 * 1024 * 1024;
const ATTEST_BYTES = 16 * 1024;

export interface SealRoutesParts {
  readonly door: SealDoor;
  readonly workloads: Pick<Workloads, 'attest'>;
  readonly onRefusedUnread: (error: SallyportError) => Promise<void>;
  /** the session that the connection itself belongs to */
  readonly boundSession: (request: FastifyRequest) => SessionFacts | undefined;
}

/** `/v1/seal/attest` and `/v1/dispatch-gateway`, on the agent side. Admitted by their own proofs, not by a session's token. */
export async function sealRoutes(app: FastifyInstance, parts: SealRoutesParts): Promise<void> {
  await app.register(async (routes) => {
    // SECURITY: read by our own reader: what was signed is then what is carried out.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );

    routes.post('/v1/seal/attest', { config: { public: true }, bodyLimit: ATTEST_BYTES }, async (request) => {
      const parsed = AttestSchema.safeParse(parseSealJson(bytesOf(request)));
      if (!parsed.success) {
        throw new SallyportError('BadRequest', {
          message: 'an attestation is `public_key`, `workload_id` and `attestation_secret` or `proof`',
        });
      }
      return AttestedSchema.parse(await parts.workloads.attest(parsed.data, parts.boundSession(request)));
    });

    routes.post(
      '/v1/dispatch-gateway',
      {
        config: { public: true },
        bodyLimit: ENVELOPE_BYTES,
        errorHandler: async (error, _request, reply) => {
          const known = asRefusal(error);
          if (known === undefined) throw error;
          await parts.onRefusedUnread(known);
          return send(reply, parts.door.refuse(known));
        },
      },
      async (request, reply) => {
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        // People may take longer to answer than a connection may be silent.
        request.raw.socket.setTimeout(0);
        const answer = await parts.door.take(bytesOf(request), {
          bound: parts.boundSession(request),
          left: left.signal,
        });
        return send(reply, answer);
      },
    );
  });
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
