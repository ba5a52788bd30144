import { z } from 'zod';

/** Headers that frame or route a message: nobody may set or strip them by config. */
const RESERVED = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;

export const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'not the name of a header')
  .refine((name) => !RESERVED.test(name), { error: 'this header belongs to the connection' });
