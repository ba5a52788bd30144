import { Resolver } from 'node:dns/promises';

/** Answers a DNS question as `dns.resolve` does: each record in pieces. */
export type TxtResolver = (name: string, type: string) => Promise<string[][]>;

const TIMEOUT_MS = 5_000;
const TRIES = 2;

/** TXT records from the system's resolver. Rejects as `dns.resolve` does. */
export const resolveTxt: TxtResolver = (name) =>
  new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }).resolveTxt(name);
