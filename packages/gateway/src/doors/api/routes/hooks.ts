import {
  HOOK_CLIENTS,
  type HookAnswer,
  HookAnswerSchema,
  HookCallSchema,
  type HookClient,
  type JsonObject,
} from '@sallyport/protocol';
import { z } from 'zod';
import type { SessionFacts } from '../../../identity/index.ts';
import { sessionOf } from '../agent-auth.ts';
import type { App } from '../base-app.ts';
import { boundSession } from '../bound-connection.ts';

/** A file that is written is in the event, escaped. */
const BODY_BYTES = 16 * 1024 * 1024;

/** for an answer once people have been asked long enough */
const ANSWER_MS = 30_000;
/** longer than any hook waits for people */
const WITNESS_MS = 25 * 3600 * 1000;

/** The hook door behind this route. */
export interface HookFront {
  answer(call: {
    readonly client: HookClient;
    readonly session: SessionFacts;
    readonly event: unknown;
    readonly home: string | undefined;
    readonly waitMs: number;
    readonly gone: AbortSignal;
  }): Promise<HookAnswer>;
  witness(body: unknown, whose: string | undefined, gone: AbortSignal): Promise<JsonObject | undefined>;
}

export interface HookRoutesParts {
  readonly hooks: HookFront;
}

/** What a client's hook asks before a tool runs. SECURITY: it is answered, and nothing is carried out. */
export function hookRoutes(app: App, { hooks }: HookRoutesParts): void {
  app.post(
    '/v1/hooks/:client',
    {
      bodyLimit: BODY_BYTES,
      schema: {
        summary: "Whether a client may run a tool, in the client's own form; waits for people",
        params: z.strictObject({ client: z.enum(HOOK_CLIENTS) }),
        body: HookCallSchema,
        response: { 200: HookAnswerSchema },
      },
    },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { event, home, wait_seconds: seconds } = request.body;
      // Nothing is said while people think: that must not look like a connection that nobody uses.
      request.raw.setTimeout(seconds * 1000 + ANSWER_MS);
      return hooks.answer({
        ...{ client: request.params.client, session: sessionOf(request), event, home },
        waitMs: seconds * 1000,
        gone: gone.signal,
      });
    },
  );
  witnessRoute(app, hooks);
}

/**
 * MCP for Codex itself, which has no token of ours to send: no shell and no process stands between it and this answer.
 *
 * SECURITY: it says what was said already, to whoever names the whole call, and judges nothing [ID-1]. A jail hears of its
 * own calls alone.
 */
function witnessRoute(app: App, hooks: HookFront): void {
  app.post(
    '/v1/hooks/codex/mcp',
    { bodyLimit: BODY_BYTES, config: { public: true }, schema: { hide: true } },
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
