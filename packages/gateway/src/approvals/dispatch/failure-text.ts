import type { Redactor } from '../../audit/index.ts';

const CHARACTERS_AT_MOST = 300;
const CAUSES_AT_MOST = 4;

/**
 * Why a message did not reach anybody, for the trail: what the service said, with the causes behind it.
 *
 * SECURITY: what a service answers may repeat the token or the URL that it was sent, so it is redacted before it is cut:
 * half a secret would be found by no pattern [CR-1].
 */
export function failureText(error: unknown, redactor: Pick<Redactor, 'redactText'>): string {
  const parts: string[] = [];
  for (let cause = error; cause !== undefined && parts.length < CAUSES_AT_MOST; ) {
    const text = cause instanceof Error ? cause.message || cause.name : String(cause);
    if (!parts.includes(text)) parts.push(text);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  const text = redactor.redactText(parts.join(': ')).replaceAll(/\p{Cc}+/gu, ' ');
  return text.length <= CHARACTERS_AT_MOST ? text : `${text.slice(0, CHARACTERS_AT_MOST)}…`;
}
