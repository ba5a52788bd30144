import type { Output } from './output.ts';

interface EventLike {
  readonly id: string;
  readonly at: string;
  readonly tenant: string;
  readonly type: string;
  readonly actor: { readonly kind: string; readonly [key: string]: unknown };
  readonly data: Readonly<Record<string, unknown>>;
}

/** One line for people: when, what, who, and the facts that fit. */
export function describeEvent(event: EventLike, output: Output): string {
  const who = event.actor.agent ?? event.actor.user ?? event.actor.client ?? event.actor.kind;
  const facts = Object.entries(event.data)
    .filter(
      ([, value]) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
    )
    .map(([key, value]) => `${key}=${shorten(String(value))}`)
    .join(' ');
  return [
    output.style('dim', event.at.slice(0, 19).replace('T', ' ')),
    output.style(/Refused|Rejected|Violation|Failed|Killed/.test(event.type) ? 'red' : 'cyan', event.type),
    String(who),
    facts,
    output.style('dim', event.id),
  ].join('  ');
}

function shorten(text: string): string {
  // An agent chooses some of these words: control characters must not reach the terminal.
  const safe = text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
  return safe.length > 80 ? `${safe.slice(0, 79)}…` : safe;
}
