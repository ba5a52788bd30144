import { z } from 'zod';

/** What an OAuth token endpoint answers, as far as it is used. */
export const TokenAnswerSchema = z.object({
  access_token: z.string().min(1).max(16_384),
  /** absent: the one before stays valid */
  refresh_token: z.string().min(1).max(16_384).optional(),
  id_token: z.string().max(65_536).optional(),
  /** seconds */
  expires_in: z.number().positive().max(315_360_000).optional(),
});
export type TokenAnswer = z.infer<typeof TokenAnswerSchema>;
