import { Resolver } from 'node:dns/promises';
import type { DKIMResult } from 'mailauth';
import { getDomain } from 'tldts';

/** Answers a DNS question as `dns.resolve` does: each record in pieces. */
export type TxtResolver = (name: string, type: string) => Promise<string[][]>;

const TIMEOUT_MS = 5_000;
const TRIES = 2;

/** TXT records from the system's resolver. Rejects as `dns.resolve` does. */
export const resolveTxt: TxtResolver = (name) =>
  new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }).resolveTxt(name);

const SHORTEST_KEY_BITS = 1_024;
const LOOK_UPS_AT_MOST = 5;
const SIGNED: readonly string[] = ['from', 'subject'];

export type DkimProof =
  | { readonly kind: 'proved'; readonly domain: string }
  | { readonly kind: 'unproved'; readonly why: DkimProblem; readonly message: string };

export type DkimProblem = 'unsigned' | 'unaligned' | 'incomplete' | 'broken' | 'no-key';

/**
 * Whether the domain of `sender` signed this message: a valid signature of that organisation over the whole body,
 * the `From` and the `Subject`.
 *
 * Keys are looked up for domains of the sender's organisation only: a mail cannot make us ask for any name.
 */
export async function proveDomain(message: Buffer, sender: string, resolve: TxtResolver): Promise<DkimProof> {
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const { results } = await dkimVerify(message, {
    resolver: bounded(resolve, domain),
    strict: true,
    minBitLength: SHORTEST_KEY_BITS,
  });
  const problems = results.map((result) => problemOf(result, domain));
  if (problems.includes(undefined)) return { kind: 'proved', domain };
  const why = CLOSEST_FIRST.find((kind) => problems.includes(kind)) ?? 'unsigned';
  return { kind: 'unproved', why, message: describe(why, domain) };
}

/** What comes closest to a good signature is what the person is told. */
const CLOSEST_FIRST: readonly DkimProblem[] = ['no-key', 'incomplete', 'broken', 'unaligned'];

function problemOf(result: DKIMResult, domain: string): DkimProblem | undefined {
  const { signingDomain, signingHeaders, status } = result;
  if (status.result === 'none' || signingDomain === undefined) return 'unsigned';
  // SECURITY: anyone may sign for a domain of their own; only the sender's counts [AP-2].
  if (!isAligned(signingDomain, domain)) return 'unaligned';
  if (status.result === 'temperror') return 'no-key';
  if (status.result !== 'pass') return 'broken';
  // A key in testing mode says of itself that it proves nothing (RFC 6376, 3.6.1).
  if (status.testing === true) return 'unsigned';
  // SECURITY: with `l=` anyone may add to the body; what is not signed, anyone may change [AP-8].
  if (result.canonBodyLengthLimited !== false) return 'incomplete';
  const signed = new Set(signingHeaders?.headers.map((line) => line.split(':', 1)[0]?.trim().toLowerCase()));
  return SIGNED.every((name) => signed.has(name)) ? undefined : 'incomplete';
}

function isAligned(signing: string, domain: string): boolean {
  return organisationOf(signing) === organisationOf(domain);
}

/** With the private part of the list: customers of a hoster are strangers to each other. */
function organisationOf(domain: string): string {
  const plain = domain.toLowerCase().replace(/\.$/, '');
  return getDomain(plain, { allowPrivateDomains: true }) ?? plain;
}

function bounded(resolve: TxtResolver, domain: string): TxtResolver {
  let left = LOOK_UPS_AT_MOST;
  return async (name, type) => {
    const [, signing] = /\._domainkey\.(.+)$/.exec(name) ?? [];
    if (signing === undefined || !isAligned(signing, domain) || left === 0)
      throw Object.assign(new Error('not looked up'), { code: 'ENOTFOUND' });
    left -= 1;
    return resolve(name, type);
  };
}

function describe(why: DkimProblem, domain: string): string {
  switch (why) {
    case 'unsigned':
      return `the mail has no DKIM signature; \`${domain}\` must sign what it sends`;
    case 'unaligned':
      return `the mail is signed (DKIM), but not by \`${domain}\``;
    case 'incomplete':
      return 'the DKIM signature does not cover sender, subject and the whole text';
    case 'broken':
      return 'the DKIM signature does not fit: the mail was changed on its way, or is forged';
    case 'no-key':
      return `the DKIM key of \`${domain}\` could not be looked up; try again later`;
  }
}
