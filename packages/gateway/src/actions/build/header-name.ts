import { quoted } from '../../shared/canonical-json.ts';
import { isCredentialHeader } from '../../shared/credential-forms/header-names.ts';
import { REDACTED } from '../../shared/same-request.ts';

/** More that nobody needs to see to decide: cookies, and tokens that are no credentials by themselves. */
const HIDDEN = /cookie|token/;

/** Headers whose values nobody may see. */
function isHidden(lower: string): boolean {
  return HIDDEN.test(lower) || isCredentialHeader(lower.replaceAll('_', '-'));
}

/** What an action needs to know and to write for a header of one name. */
export interface HeaderName {
  /** the whole header as it is shown, if its value is hidden */
  readonly redacted: readonly [string, string] | undefined;
  /** what goes before the value in a preview */
  readonly line: string;
  /** what goes before the value in the JSON list of all headers: as its first entry, or after another value */
  readonly first: string;
  readonly next: string;
}

const known = new Map<string, HeaderName>();
const NAMES_AT_MOST = 1000;
/** No name that matters is longer, and what is kept must stay small. */
const LONGEST_KEPT = 64;

/** The same few names come with every request: each is looked at once. Refuses a name with half a character. */
export function headerName(name: string): HeaderName {
  let entry = known.get(name);
  if (entry === undefined) {
    const item = `[${quoted(name)},"`;
    const redacted = isHidden(name.toLowerCase()) ? Object.freeze([name, REDACTED] as const) : undefined;
    entry = { redacted, line: `\n${name}: `, first: item, next: `"],${item}` };
    if (name.length <= LONGEST_KEPT && known.size < NAMES_AT_MOST) known.set(name, entry);
  }
  return entry;
}
