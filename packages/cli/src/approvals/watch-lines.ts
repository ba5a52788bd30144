import { EventLines } from '../describe-event.ts';
import type { OperatorClient } from '../operator-client.ts';
import type { Output } from '../output.ts';
import { questionLines } from './describe-question.ts';
import { followFeed } from './live-feed.ts';

const PAUSE_MS = 1_000;

export interface WatchLinesOptions {
  readonly operator: OperatorClient;
  readonly output: Output;
  readonly asJson: boolean;
  readonly signal: AbortSignal;
}

/** The same without a terminal: each event and each new question once, as lines. Takes no keys. */
export async function watchLines({ operator, output, asJson, signal }: WatchLinesOptions): Promise<void> {
  const seen = new Set<string>();
  const lines = new EventLines(output);
  await followFeed({
    operator,
    signal,
    pauseMs: PAUSE_MS,
    onEvent: (event) => output.line(asJson ? JSON.stringify({ event }) : lines.line(event)),
    onQuestions: ({ items }) => {
      for (const approval of items.toReversed()) {
        if (seen.has(approval.id)) continue;
        seen.add(approval.id);
        if (asJson) output.line(JSON.stringify({ approval }));
        else {
          output.line(`waits for you: ${approval.id}`);
          for (const line of questionLines(approval, output.columns - 4, Date.now()))
            output.line(`    ${line}`);
        }
      }
    },
    onTrouble: (text) => {
      if (text !== undefined) output.note(`no connection: ${text}; trying again`);
    },
  });
}
