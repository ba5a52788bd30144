import {
  HOOK_CLIENTS,
  type HookAnswer,
  HookAnswerSchema,
  HookCallSchema,
  type HookClient,
} from '@sallyport/protocol';
import { z } from 'zod';
import type { AgentProcesses, SessionFacts } from '../../identity/index.ts';
import { type App, sessionOf } from '../../servers/index.ts';
import { HOOK_BODY_BYTES, hookWitnessRoute, type WitnessFront } from './witness-route.ts';

/** for an answer once people have been asked long enough */
const ANSWER_MS = 30_000;

/** The hook door behind this route. */
export interface HookFront extends WitnessFront {
  answer(call: {
    readonly client: HookClient;
    readonly session: SessionFacts;
    readonly event: unknown;
    readonly home: string | undefined;
    readonly temporary: string | undefined;
    readonly waitMs: number;
    readonly gone: AbortSignal;
  }): Promise<HookAnswer>;
}

export interface HookRoutesParts {
  readonly hooks: HookFront;
  readonly agentProcesses: Pick<AgentProcesses, 'addClientOf'>;
}

/** What a client's hook asks before a tool runs. SECURITY: it is answered, and nothing is carried out. */
export function hookRoutes(app: App, { hooks, agentProcesses }: HookRoutesParts): void {
  app.post(
    '/v1/hooks/:client',
    {
      bodyLimit: HOOK_BODY_BYTES,
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
      const { event, home, temporary, wait_seconds: seconds } = request.body;
      // Nothing is said while people think: that must not look like a connection that nobody uses.
      request.raw.setTimeout(seconds * 1000 + ANSWER_MS);
      const session = sessionOf(request);
      // In a jail nobody outside can be seen, nor reached.
      if (session.confinement === 'unconfined') agentProcesses.addClientOf(session.id, request.raw.socket);
      return hooks.answer({
        ...{ client: request.params.client, session, event, home, temporary },
        waitMs: seconds * 1000,
        gone: gone.signal,
      });
    },
  );
  hookWitnessRoute(app, hooks);
}
