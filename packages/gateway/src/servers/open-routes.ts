import { type Health, HealthSchema } from '@sallyport/protocol';
import { z } from 'zod';
import type { App } from './base-app.ts';
import type { CommonServices } from './services.ts';

/**
 * `GET /healthz`, the same as `GET /health`: whether the process answers, and can record what it does. Open to everyone on
 * both sides, so it does not say which file is gone.
 */
export function healthRoutes(
  app: App,
  side: Health['side'],
  { version, trouble }: Pick<CommonServices, 'version' | 'trouble'>,
): void {
  for (const url of ['/healthz', '/health']) {
    app.get(
      url,
      {
        exposeHeadRoute: true,
        config: { public: true },
        schema: { summary: 'Whether the gateway answers', security: [], response: { 200: HealthSchema } },
      },
      async () => {
        const problem = trouble();
        if (problem !== undefined) throw problem;
        return { status: 'ok' as const, version, side };
      },
    );
  }
}

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
