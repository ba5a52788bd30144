import { visibleLine } from '../output.ts';
import type { QuestionLine } from './held-run.ts';

const ESC = '\u001b';
const BELL = '\u0007';
/** xterm keeps a stack of titles: the one before comes back when nothing waits any more. */
const KEEP_TITLE = `${ESC}[22;2t`;
const TITLE_BACK = `${ESC}[23;2t`;
const LONGEST_TITLE = 60;

export interface NoticePlace {
  /** standard error, where it is a terminal; undefined: nobody looks */
  readonly write: ((text: string) => void) | undefined;
  /** false for a client that draws the whole screen: a line of ours would stand in the middle of it */
  readonly hasLines: boolean;
  readonly isDumb: boolean;
}

/**
 * Says that an agent waits for its person: by the title of the terminal and a bell, and as a line where the agent's output
 * is plain. Silence would look like an agent that hangs.
 */
export class WaitingNotice {
  readonly #place: NoticePlace;
  readonly #open = new Map<string, string>();

  constructor(place: NoticePlace) {
    this.#place = place;
  }

  take(line: QuestionLine): void {
    const { write, hasLines, isDumb } = this.#place;
    if (write === undefined) return;
    const was = this.#open.size;
    if (line.kind === 'asked') this.#open.set(line.approval, line.title);
    else this.#open.delete(line.approval);
    const words = hasLines ? lineOf(line) : '';
    write(`${isDumb ? '' : this.#title(was)}${line.kind === 'asked' ? BELL : ''}${words}`);
  }

  /** Nothing of it is left on the terminal. */
  close(): void {
    if (this.#open.size > 0 && !this.#place.isDumb) this.#place.write?.(TITLE_BACK);
    this.#open.clear();
  }

  #title(was: number): string {
    const waiting = [...this.#open.values()];
    if (waiting.length === 0) return was === 0 ? '' : TITLE_BACK;
    const first = [...visibleLine(waiting[0] ?? '')].slice(0, LONGEST_TITLE).join('');
    const more = waiting.length > 1 ? ` (+${waiting.length - 1})` : '';
    return `${was === 0 ? KEEP_TITLE : ''}${ESC}]2;? waits for you: ${first}${more}${BELL}`;
  }
}

function lineOf(line: QuestionLine): string {
  if (line.kind === 'settled') return `sallyport: ${line.how}\r\n`;
  const title = visibleLine(line.title);
  return `sallyport: waits for you: ${title}\r\n           answer in another terminal: sallyport approve ${line.approval.slice(0, 17)} (or deny)\r\n`;
}
