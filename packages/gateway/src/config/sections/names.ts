import { z } from 'zod';

/** What can keep programs apart. Each has its definition in `sandbox/backends.ts`: a name without one does not compile. */
const BACKEND_NAMES = ['bubblewrap'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Name of a tenant, user, agent, role, channel or credential: safe in paths, URLs, logs and rules. */
export const nameSchema = z
  .string()
  .regex(NAME, 'a name has letters, digits, `.`, `_`, `-`, starts with a letter or digit, at most 64 long');
