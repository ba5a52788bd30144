import { type Health, HealthSchema } from '@sallyport/protocol';
import type { App } from '../base-app.ts';

/** `GET /healthz`, the same as `GET /health`: whether the process answers. Open to everyone on both sides. */
export function healthRoutes(
  app: App,
  options: { readonly side: Health['side']; readonly version: string },
): void {
  for (const url of ['/healthz', '/health']) {
    app.get(
      url,
      {
        exposeHeadRoute: true,
        config: { public: true },
        schema: { summary: 'Whether the gateway answers', security: [], response: { 200: HealthSchema } },
      },
      async () => ({ status: 'ok' as const, version: options.version, side: options.side }),
    );
  }
}
