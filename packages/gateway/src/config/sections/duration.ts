import { z } from 'zod';
import { parseDuration } from '../../shared/duration.ts';

/** A length of time in words: `30s`, `1h30m`. Stays text in the config; `durationMs` reads it. */
export const durationSchema = z.string().refine((text) => parseDuration(text) !== undefined, {
  error: 'not a duration',
  params: { hint: 'write a number with its unit: `500ms`, `30s`, `15m`, `1h30m`, `7d`' },
});
