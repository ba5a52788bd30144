import { holdsSecretText } from '../../../shared/credential-forms/nested-values.ts';
import { isCredentialText } from '../../../shared/credential-forms/values.ts';

/** More than a remark: a person may want to see it. */
const LONGEST = 16_384;

/** What a bot may take for an order at the start of a line: `/merge`, `!deploy`, `.deploy`, `bors r+`. */
const ORDER = /^[\s>*_~`#-]*(?:[/!.][a-z]|bors\b)/im;
/** Whoever is named is called, and many that answer are programs: `@dependabot merge`. */
const MENTION = /(?<!\w)@[\w-]/;
/** Sentences that widely used bots obey, wherever they stand. */
const PHRASE =
  /\b(?:lgtm|ship ?it|(?:ok|okay|safe) to (?:test|merge)|(?:re-?)?test this please|re-?test|re-?check|re-?run|add to \w+list|skip ci|ci skip|auto-?merge)\b|\br\+/i;
/** An image is fetched from where it says when the page is made; a tag or a comment of HTML is not what people see. */
const NOT_SEEN = /!\[|<[a-z!/?]/i;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const LINES = /[\t\r\n]/g;

/**
 * Whether a text says something to people and does nothing else.
 *
 * SECURITY: an exception for talk must not be one for what bots do on being told: merging, approving, running
 * pipelines, fetching an address. What has the form of a secret is nobody's talk either [GA-15].
 */
export function isPlainTalk(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > LONGEST) return false;
  if (ORDER.test(text) || MENTION.test(text) || PHRASE.test(text) || NOT_SEEN.test(text)) return false;
  if (HIDDEN.test(text.replaceAll(LINES, ' '))) return false;
  return !isCredentialText(text) && !holdsSecretText(text);
}

const DESCRIBES = new Set([
  ...[
    'bug',
    'defect',
    'regression',
    'crash',
    'performance',
    'documentation',
    'docs',
    'duplicate',
    'enhancement',
  ],
  ...[
    'feature',
    'feature request',
    'improvement',
    'refactor',
    'refactoring',
    'chore',
    'cleanup',
    'question',
    'support',
  ],
  ...[
    'good first issue',
    'help wanted',
    'invalid',
    'wontfix',
    'needs info',
    'needs reproduction',
    'needs triage',
  ],
  ...['discussion', 'accessibility', 'usability', 'design', 'tech debt', 'flaky', 'backend', 'frontend'],
]);
const KINDS =
  /^(?:area|component|kind|type|topic|lang|language|priority|severity|size)\s?(?:::?|\/|=)\s?[\w .-]{1,50}$/;

/**
 * Labels that say what something is about.
 *
 * SECURITY: many repositories run pipelines and merge by label (`safe to test`, `deploy`, `automerge`): what is not on
 * this list may be one of those [GA-15].
 */
export function onlyDescribe(labels: readonly unknown[]): boolean {
  return (
    labels.length > 0 &&
    labels.length <= 20 &&
    labels.every((label) => {
      if (typeof label !== 'string') return false;
      const plain = label.trim().toLowerCase().replaceAll(/[-_]/g, ' ');
      return DESCRIBES.has(plain) || KINDS.test(plain);
    })
  );
}
