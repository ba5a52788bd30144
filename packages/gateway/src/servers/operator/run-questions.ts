import type { RunLine } from '@sallyport/protocol';
import type { TrailReader } from '../operator-services.ts';

export interface WatchedRun {
  readonly session: string;
  readonly tenant: string;
  readonly signal: AbortSignal;
}

const ENDS: Readonly<Record<string, string>> = {
  'ApprovalEvent::Decided': 'answered',
  'ApprovalEvent::Expired': 'not answered in time',
  'ApprovalEvent::Cancelled': 'withdrawn',
};

/**
 * Tells a run which of its questions wait, as the trail has them: whoever sits before a silent agent has to know why it is
 * silent. Ends with the signal; a trail that cannot be read costs a run its notices and nothing else.
 */
export async function questionsOfRun(
  trail: Pick<TrailReader, 'subscribe'>,
  { session, tenant, signal }: WatchedRun,
  write: (line: RunLine) => void,
): Promise<void> {
  const open = new Set<string>();
  try {
    for await (const { type, json } of trail.subscribe({ tenant, signal })) {
      if (!type.startsWith('ApprovalEvent::')) continue;
      const event = JSON.parse(json) as StoredQuestion; // the trail wrote it
      const { approval_id: approval } = event;
      if (approval === undefined) continue;
      if (type === 'ApprovalEvent::Requested' && event.actor.session === session) {
        open.add(approval);
        write({ kind: 'asked', approval, title: event.data.title ?? '' });
      } else if (ENDS[type] !== undefined && open.delete(approval)) {
        write({ kind: 'settled', approval, how: ENDS[type] });
      }
    }
  } catch {
    // The run goes on: `sallyport watch` and the channels still show what it asks.
  }
}

interface StoredQuestion {
  readonly actor: { readonly session?: string };
  readonly approval_id?: string;
  readonly data: { readonly title?: string };
}
