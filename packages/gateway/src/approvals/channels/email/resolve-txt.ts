import { Resolver } from 'node:dns/promises';
import type { TxtResolver } from './mail-part.ts';

const TIMEOUT_MS = 5_000;
const TRIES = 2;

/** TXT records from the system's resolver. Rejects as `dns.resolve` does. */
export const resolveTxt: TxtResolver = (name) =>
  new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }).resolveTxt(name);
