import { IdListSchema } from '@sallyport/protocol';
import { z } from 'zod';
import type { IdLookup } from '../../store/index.ts';
import type { App } from '../base-app.ts';

/** More than a person can choose from are not needed to see that a beginning is not enough. */
const MOST = 20;

/** Whole ids for shortened ones: what a person types at a terminal. */
export function idsRoutes(app: App, ids: Pick<IdLookup, 'startingWith'>): void {
  app.get(
    '/v1/ids',
    {
      schema: {
        summary: 'Ids of approvals, sessions, grants, keys and events that begin so, newest first',
        querystring: z.strictObject({
          prefix: z
            .string()
            .min(4)
            .max(64)
            .describe('`appr_01m7…`: its kind, and as much of the rest as you have'),
        }),
        response: { 200: IdListSchema },
      },
    },
    async (request) => ({
      items: [...(await ids.startingWith(request.query.prefix, MOST))],
      next_cursor: null,
    }),
  );
}
