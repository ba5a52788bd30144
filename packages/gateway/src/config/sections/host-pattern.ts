import { z } from 'zod';
import { parseDomainPattern } from '../../shared/host.ts';

/** `api.example.com`, `*.example.com` or an address. */
export const hostPatternSchema = z
  .string()
  .max(260)
  .refine((text) => parseDomainPattern(text) !== undefined, {
    error: 'not a host',
    params: { hint: 'write `api.example.com`, or `*.example.com` for all hosts below it; no port, no path' },
  });
