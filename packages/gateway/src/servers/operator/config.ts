import {
  ComparedSchema,
  CompareSchema,
  ConfigStateSchema,
  ReloadedSchema,
  SallyportError,
} from '@sallyport/protocol';
import type { App } from '../base-app.ts';
import type { ConfigControl } from '../services.ts';

/** What config is in force, and a reload on demand. The files themselves are never shown. */
export function configRoutes(app: App, config: ConfigControl): void {
  app.get(
    '/v1/config',
    { schema: { summary: 'The config in force', response: { 200: ConfigStateSchema } } },
    async () => config.state(),
  );

  app.post(
    '/v1/config/compare',
    {
      schema: {
        summary: 'What a restart would be needed for if a file were the config of this gateway',
        body: CompareSchema,
        response: { 200: ComparedSchema },
      },
    },
    async (request) => {
      try {
        return { needs_restart: [...config.compare(request.body.file)] };
      } catch (error) {
        if (!(error instanceof SallyportError) || error.code !== 'ConfigInvalid') throw error;
        throw new SallyportError('Unprocessable', { message: error.message, cause: error });
      }
    },
  );

  app.post(
    '/v1/config/reload',
    { schema: { summary: 'Read the config again now', response: { 200: ReloadedSchema } } },
    async () => {
      try {
        const changed = await config.reload();
        return { changed, config: config.state() };
      } catch (error) {
        if (!(error instanceof SallyportError) || error.code !== 'ConfigInvalid') throw error;
        throw new SallyportError('Unprocessable', {
          message: `the config was refused, and the old one stays: ${error.message}`,
          ...(error.hint === undefined ? {} : { hint: error.hint }),
          details: { problems: config.state().rejected?.problems ?? [] },
          cause: error,
        });
      }
    },
  );
}
