import { z } from 'zod';
import type { App } from '../base-app.ts';

/** `GET /openapi.json`: this side's routes, and none of the other's. Open to everyone. */
export function openApiRoutes(app: App): void {
  app.get(
    '/openapi.json',
    {
      config: { public: true },
      schema: { summary: 'This document', security: [], response: { 200: z.looseObject({}) } },
    },
    async () => ({ ...app.swagger() }),
  );
}
