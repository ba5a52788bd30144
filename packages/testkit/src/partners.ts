import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const LOCK = join(import.meta.dirname, '../../../tools/partners/package-lock.json');

/** Where each agent's program stands below `node_modules`. */
const PROGRAMS = {
  claude: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  codex: '.bin/codex',
  pi: '.bin/pi',
} as const;

export type PartnerName = keyof typeof PROGRAMS;

export interface PartnerState {
  /** its program */
  readonly program: string;
  readonly missing: boolean;
  /** command that installs it: part of the name of what is skipped */
  readonly install: string;
}

/**
 * Looks for an agent that some tests run: `describe.skipIf(requirePartner('claude').missing)`. All of them are pinned
 * in tools/partners and installed outside the repo, because together they are larger than everything else.
 *
 * With `SALLYPORT_TEST_ALL=1` a missing one is an error that names the command that installs it.
 */
export function requirePartner(name: PartnerName): PartnerState {
  const cache = process.env.SALLYPORT_CACHE ?? join(homedir(), '.cache/sallyport');
  const hash = createHash('sha256').update(readFileSync(LOCK)).digest('hex').slice(0, 16);
  const program = join(cache, 'partners', hash, 'node_modules', PROGRAMS[name]);
  const install = 'npm run test:setup';
  const missing = !existsSync(program);
  if (missing && process.env.SALLYPORT_TEST_ALL === '1')
    throw new Error(`the agent \`${name}\` is missing: install it with \`${install}\``);
  return { program, missing, install };
}
