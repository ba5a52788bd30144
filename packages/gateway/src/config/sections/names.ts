import { z } from 'zod';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Name of a tenant, user, agent, role, channel or credential: safe in paths, URLs, logs and rules. */
export const nameSchema = z
  .string()
  .regex(NAME, 'a name has letters, digits, `.`, `_`, `-`, starts with a letter or digit, at most 64 long');
