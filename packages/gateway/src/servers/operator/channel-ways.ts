import { SallyportError } from '@sallyport/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../base-app.ts';
import type { ChannelWays } from '../operator-services.ts';

const LinkSchema = z.strictObject({ who: z.string().max(320), key: z.string().max(200) });
const TELEGRAM_TOKEN = 'x-telegram-bot-api-secret-token';
const IdSchema = z.strictObject({ id: z.string().max(64) });

/**
 * Links to decide, without a bearer token: the key in the link is the credential.
 * SECURITY: a GET decides nothing; mail scanners and chat previews open every link [AP-5].
 */
export function decisionLinkRoutes(root: App, ways: ChannelWays): void {
  // A scope of its own: nowhere else is a form taken for an answer.
  root.register(async (app) => addLinkRoutes(app, ways));
}

function addLinkRoutes(app: FastifyInstance, ways: ChannelWays): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 65_536 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: '/v1/decide/:id',
      config: { public: true },
      onRequest: async ({ query }) => {
        if (!LinkSchema.safeParse(query).success) throw new SallyportError('NotAuthenticated');
      },
      schema: {
        summary:
          method === 'GET' ? 'The question behind a decision link' : 'Decide the question behind a link',
        params: IdSchema,
        querystring: LinkSchema,
        ...(method === 'GET' ? {} : { body: z.record(z.string(), z.string()).optional() }),
      },
      handler: async (request, reply) => {
        const { id } = request.params as z.infer<typeof IdSchema>;
        const { who, key } = request.query as z.infer<typeof LinkSchema>;
        const fields = (request.body ?? {}) as Readonly<Record<string, string>>;
        const { decisions } = ways;
        if (decisions === undefined) throw notConfigured('webhook');
        const page = await decisions.decide({ method, approvalId: id, who, key, fields });
        return reply
          .code(page.status)
          .headers({ ...page.headers })
          .send(page.body);
      },
    });
  }
}

/** Telegram's webhook. The secret token that we gave it proves the sender. */
export function telegramRoutes(app: App, ways: ChannelWays): void {
  app.post(
    '/v1/channels/telegram',
    {
      config: { public: true },
      // Nothing is read from who brings no token, and whether there is such a channel is nobody's business.
      onRequest: async ({ headers }) => {
        if (ways.telegram === undefined || headers[TELEGRAM_TOKEN] === undefined)
          throw new SallyportError('NotAuthenticated');
      },
      bodyLimit: 262_144,
      schema: {
        summary: 'Updates from Telegram',
        body: z.looseObject({}),
        response: { 200: z.strictObject({ ok: z.literal(true) }) },
      },
    },
    async (request) => {
      const { telegram } = ways;
      const token = request.headers[TELEGRAM_TOKEN];
      const isOurs = await telegram?.receive(
        typeof token === 'string' ? token : undefined,
        request.body as never,
      );
      if (isOurs !== true) throw new SallyportError('NotAuthenticated');
      return { ok: true as const };
    },
  );
}

function notConfigured(channel: string): SallyportError {
  return new SallyportError('NotFound', { message: `there is no channel \`${channel}\` at present` });
}
