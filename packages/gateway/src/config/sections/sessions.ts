import { z } from 'zod';
import { durationSchema } from './duration.ts';

export const SessionsSchema = z
  .strictObject({
    ttl: durationSchema.default('1h').describe('life of a session token; it can be renewed'),
    max_live: z.int().min(1).max(10_000).default(50).describe('live sessions that a tenant may have at once'),
  })
  .describe('sessions of agents');
