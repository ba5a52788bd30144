import { createHash } from 'node:crypto';
import type { AuditEvent, SuggestionWire } from '@sallyport/protocol';
import type { PolicySet } from '../gate/index.ts';
import { answerIn, Simulation } from './simulate.ts';
import { type ConfigEdit, editsFor } from './suggested-edits.ts';

const CANDIDATES_AT_MOST = 20;
const LISTED_AT_MOST = 20;
/** groups of questions that are looked at; a trail may hold millions */
const GROUPS_AT_MOST = 10_000;
/** A yes that was given once may have been for once. */
const ASKED_AT_LEAST = 2;

interface Group {
  readonly edits: readonly ConfigEdit[];
  readonly events: Set<string>;
  hasNo: boolean;
}

/** Tries a config with edits; undefined when the edits do not fit it. */
export type TryEdits = (edits: readonly ConfigEdit[]) => PolicySet | undefined;

export interface Suggestion {
  readonly edits: readonly ConfigEdit[];
  readonly wire: Omit<SuggestionWire, 'file' | 'diff'>;
}

/**
 * Settings that would have answered what people always allowed. Reads the trail twice: to find what they might be, and to
 * prove each one over all that was recorded. INVARIANT: nothing is suggested that would not have answered every
 * question that it is suggested for, and everything else that it would have allowed is told with it.
 */
export async function findSuggestions(
  trail: () => AsyncIterable<AuditEvent>,
  tryEdits: TryEdits,
): Promise<readonly Suggestion[]> {
  const groups = new Map<string, Group>();
  for await (const event of trail()) collect(groups, event);
  const candidates = [...groups.values()]
    .filter(({ hasNo, events }) => !hasNo && events.size >= ASKED_AT_LEAST)
    .sort((a, b) => b.events.size - a.events.size)
    .slice(0, CANDIDATES_AT_MOST)
    .flatMap((group) => {
      const policies = tryEdits(group.edits);
      return policies === undefined ? [] : [new Trial(group, new Simulation(policies))];
    });
  if (candidates.length === 0) return [];
  for await (const event of trail()) for (const candidate of candidates) candidate.add(event);
  return candidates.flatMap((candidate) => candidate.suggestion() ?? []);
}

function collect(groups: Map<string, Group>, event: AuditEvent): void {
  const answer = answerIn(event);
  const edits = answer === undefined ? undefined : editsFor(answer);
  if (answer === undefined || edits === undefined) return;
  const key = JSON.stringify([answer.action.actor.tenant, edits]);
  const group = groups.get(key) ?? { edits, events: new Set<string>(), hasNo: false };
  if (!groups.has(key)) {
    if (groups.size >= GROUPS_AT_MOST) return;
    groups.set(key, group);
  }
  if (answer.isYes) group.events.add(answer.event);
  else group.hasNo = true;
}

/** One candidate on its way through the trail. */
class Trial {
  readonly #group: Group;
  readonly #simulation: Simulation;
  readonly #examples = new Set<string>();
  readonly #others = new Map<string, number>();
  #answered = 0;
  #otherCount = 0;
  #opensTooMuch = false;

  constructor(group: Group, simulation: Simulation) {
    this.#group = group;
    this.#simulation = simulation;
  }

  add(event: AuditEvent): void {
    const difference = this.#simulation.replay(event);
    if (difference?.would_be !== 'allow') return;
    const what = `${difference.tool}: ${difference.what}`;
    if (this.#group.events.has(event.id)) {
      this.#answered += 1;
      if (this.#examples.size < LISTED_AT_MOST) this.#examples.add(what);
      return;
    }
    // SECURITY: what a person refused, or a policy denies, is opened by nobody's suggestion.
    if (difference.was.startsWith('deny') || answerIn(event)?.isYes === false) this.#opensTooMuch = true;
    this.#otherCount += 1;
    if (this.#others.has(what) || this.#others.size < LISTED_AT_MOST)
      this.#others.set(what, (this.#others.get(what) ?? 0) + 1);
  }

  /** Undefined: it would not have answered all of its questions, so it is none. */
  suggestion(): Suggestion | undefined {
    const { edits, events } = this.#group;
    if (this.#opensTooMuch || this.#answered !== events.size) return undefined;
    const id = createHash('sha256').update(JSON.stringify(edits)).digest('hex').slice(0, 8);
    return {
      edits,
      wire: {
        ...{ id, removes: events.size, examples: [...this.#examples] },
        also_allows: [...this.#others].map(([what, times]) => ({ what, times })),
        also_count: this.#otherCount,
      },
    };
  }
}
