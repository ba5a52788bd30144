import { AccessAnswerSchema, SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import type { AccessRequests } from '../../calls/index.ts';
import { type App, sessionOf } from '../../servers/index.ts';

/** longer than people are waited for anywhere else */
const WAIT_MS = 25 * 3600 * 1000;

/** `request_access` for programs that speak no MCP: waits for people, and is withdrawn when the caller leaves. */
export function accessRoute(
  app: Pick<App, 'post'>,
  access: () => Promise<Pick<AccessRequests, 'call'>>,
): void {
  app.post(
    '/v1/access',
    {
      schema: {
        summary: 'Asks people for a whole task beforehand; waits for their answer',
        // Whatever it is goes to the gate, which refuses and records what cannot be read.
        body: z.record(z.string(), z.json()),
        response: { 200: AccessAnswerSchema },
      },
    },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      request.raw.setTimeout(WAIT_MS);
      const requests = await access();
      const outcome = await requests.call({
        door: 'hook',
        session: sessionOf(request),
        input: request.body,
        signal: gone.signal,
      });
      if (outcome.kind !== 'done') {
        const { code, message, hint } = outcome.refusal;
        throw new SallyportError(code, { message, ...(hint === undefined ? {} : { hint }) });
      }
      const { result, note } = outcome;
      return AccessAnswerSchema.parse({
        ...result.structuredContent,
        ...(note === undefined ? {} : { note }),
      });
    },
  );
}
