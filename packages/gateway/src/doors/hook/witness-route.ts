import { type JsonObject, SallyportError } from '@sallyport/protocol';
import type { FastifyRequest } from 'fastify';
import { type App, boundSession } from '../../servers/index.ts';
import { ipRange } from '../../shared/ip-range.ts';

/** A file that is written is in the event, escaped. */
export const HOOK_BODY_BYTES = 16 * 1024 * 1024;
/** longer than any hook waits for people */
const WITNESS_MS = 25 * 3600 * 1000;

/** The hook door behind this route. */
export interface WitnessFront {
  witness(body: unknown, whose: string | undefined, gone: AbortSignal): Promise<JsonObject | undefined>;
}

/**
 * MCP for Codex itself, which has no token of ours to send: no shell and no process stands between it and this answer.
 *
 * SECURITY: it says what was said already, to whoever names the whole call, and judges nothing [ID-1]. A jail hears of its
 * own calls alone, and other machines of none.
 */
export function hookWitnessRoute(app: Pick<App, 'post'>, hooks: WitnessFront): void {
  app.post(
    '/v1/hooks/codex/mcp',
    {
      bodyLimit: HOOK_BODY_BYTES,
      config: { public: true },
      schema: { hide: true },
      // Before anything of the body is read.
      onRequest: async (request) => refuseOtherMachines(request),
    },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      request.raw.setTimeout(WITNESS_MS);
      const answer = await hooks.witness(request.body, boundSession(request)?.id, gone.signal);
      if (answer === undefined) return reply.code(202).send();
      return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(answer);
    },
  );
}

function refuseOtherMachines(request: FastifyRequest): void {
  if (boundSession(request) !== undefined) return;
  if (ipRange(request.raw.socket.remoteAddress ?? '') === 'loopback') return;
  throw new SallyportError('NotAuthenticated', {
    message: 'this is for programs on the machine of the gateway',
    hint: 'run the client on that machine, or in its jail (`sallyport run`)',
  });
}
