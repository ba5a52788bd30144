import { NewRunSchema, RunEndSchema, type RunLine, RunSummarySchema } from '@sallyport/protocol';
import { z } from 'zod';
import type { AgentProcesses } from '../../identity/index.ts';
import type { App } from '../base-app.ts';
import type { RunControl, TrailReader } from '../operator-services.ts';
import { showOnce } from '../shown-once.ts';
import { operatorOf } from '../wire.ts';
import { questionsOfRun } from './run-questions.ts';

const IdSchema = z.strictObject({ id: z.string() });

export interface RunRoutesOptions {
  readonly heartbeatMs: number;
  readonly agentProcesses: Pick<AgentProcesses, 'addRun'>;
  readonly trail: Pick<TrailReader, 'subscribe'>;
}

/** `POST /v1/runs`: a session for as long as the answer is read; its end is the end of the run. */
export function runsRoutes(app: App, runs: RunControl, options: RunRoutesOptions): void {
  app.post(
    '/v1/runs',
    {
      schema: {
        summary: 'Start a run: lines of JSON, first what it needs, last why it ended; hanging up ends it',
        body: NewRunSchema,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      let isGone = false;
      reply.raw.once('close', () => {
        isGone = true;
      });
      const by = operatorOf(request);
      const run = await runs.start(request.body, by);
      // Before it is told that it may start: from then on what it starts is the agent's.
      options.agentProcesses.addRun(run.facts.session_id, request.raw.socket);
      if (isGone) {
        await run.release(by);
        return reply.hijack();
      }
      reply.hijack();
      const { raw } = reply;
      const write = (line: RunLine): void => void raw.write(`${JSON.stringify(line)}\n`);
      raw.once('close', () => void run.release(by));
      raw.writeHead(200, { ...textHeaders(reply.getHeaders()), 'content-type': 'application/x-ndjson' });
      const isJailed = run.facts.confinement === 'jailed';
      // SECURITY: a jail needs no token, so none goes there; its connections are the session's.
      write({ ...run.facts, session_token: isJailed ? null : showOnce(run.token) });
      const beating = setInterval(() => write({ kind: 'beat' }), options.heartbeatMs);
      const over = new AbortController();
      raw.once('close', () => over.abort());
      const { session_id: session, tenant } = run.facts;
      void questionsOfRun(options.trail, { session, tenant, signal: over.signal }, write);
      const reason = await run.ended;
      over.abort();
      clearInterval(beating);
      raw.end(`${JSON.stringify({ kind: 'ended', reason } satisfies RunLine)}\n`);
      return reply;
    },
  );

  app.post(
    '/v1/runs/:id/end',
    {
      schema: {
        summary: 'End a run, and what it did; also for one that has ended',
        params: IdSchema,
        body: RunEndSchema,
        response: { 200: RunSummarySchema.nullable() },
      },
    },
    async (request) => {
      const { exit_code: code, summary: withSummary, taken_back: takenBack } = request.body;
      const reason = code === undefined ? 'the run ended' : `the agent ended with exit code ${code}`;
      return runs.end(request.params.id, { reason, by: operatorOf(request), withSummary, takenBack });
    },
  );

  app.get(
    '/v1/runs/:id/summary',
    {
      schema: {
        summary: 'What a session did: calls, questions, hosts, and what would have avoided the questions',
        params: IdSchema,
        response: { 200: RunSummarySchema },
      },
    },
    async (request) => runs.summary(request.params.id),
  );
}

function textHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
