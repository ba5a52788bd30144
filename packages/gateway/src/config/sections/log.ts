import { z } from 'zod';

export const LogSchema = z
  .strictObject({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info')
      .describe('least level that is logged'),
  })
  .describe("the gateway's own log, on standard error");
