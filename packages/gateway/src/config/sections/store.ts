import { z } from 'zod';

export const StoreSchema = z
  .strictObject({
    url: z
      .string()
      .regex(/^postgres(?:ql)?:\/\/[^\s]+$/, 'expected `postgres://user@host:port/database`')
      .optional()
      .describe('Postgres to keep state in, best read from a variable; without it SQLite in the home'),
  })
  .describe('where the gateway keeps its state');
