import {
  PrunedSchema,
  SnapshotListSchema,
  SnapshotQuerySchema,
  UndoOrderSchema,
  UndoPlanSchema,
  UndoRequestSchema,
  UndoResultSchema,
} from '@sallyport/protocol';
import type { App } from '../base-app.ts';
import type { SnapshotControl } from '../operator-services.ts';
import { operatorOf } from '../wire.ts';

/** Snapshots of workspaces, and the way back to them. */
export function undoRoutes(app: App, snapshots: SnapshotControl): void {
  app.get(
    '/v1/snapshots',
    {
      schema: {
        summary: 'Runs in a workspace, and the states of it that are held',
        querystring: SnapshotQuerySchema,
        response: { 200: SnapshotListSchema },
      },
    },
    async (request) => snapshots.list(request.query.workspace),
  );

  app.post(
    '/v1/snapshots/prune',
    {
      schema: {
        summary: 'Remove snapshots that are too old or too many, in every workspace',
        response: { 200: PrunedSchema },
      },
    },
    async (request) => snapshots.prune(operatorOf(request)),
  );

  app.post(
    '/v1/undo/plan',
    {
      schema: {
        summary: 'What an undo would do; changes nothing',
        body: UndoRequestSchema,
        response: { 200: UndoPlanSchema },
      },
    },
    async (request) => snapshots.plan(request.body),
  );

  app.post(
    '/v1/undo',
    {
      schema: {
        summary: 'Put a workspace back, exactly as it was shown by a plan',
        body: UndoOrderSchema,
        response: { 200: UndoResultSchema },
      },
    },
    async (request) => snapshots.undo(request.body, operatorOf(request)),
  );
}
