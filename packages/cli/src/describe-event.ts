import { EVENT_MEANINGS, type EventType } from '@sallyport/protocol';
import { type Output, type Style, visibleLine } from './output.ts';

interface EventLike {
  readonly id: string;
  readonly at: string;
  readonly tenant: string;
  readonly type: string;
  readonly actor: { readonly kind: string; readonly [key: string]: unknown };
  readonly approval_id?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventLineOptions {
  /** also the event's id, and the hashes of what it is about */
  readonly hashes?: boolean;
  /** nothing is cut */
  readonly isWhole?: boolean;
  readonly now?: number;
}

/**
 * Events as lines for people: when, who, what, which verdict, why. One for each list, because a later event of a question
 * names it by its id alone, and a person knows its title.
 */
export class EventLines {
  readonly #output: Output;
  readonly #titles = new Map<string, string>();

  constructor(output: Output) {
    this.#output = output;
  }

  line(event: EventLike, options: EventLineOptions = {}): string {
    const { style, columns, isTerminal } = this.#output;
    if (event.approval_id !== undefined && typeof event.data.title === 'string')
      this.#titles.set(event.approval_id, event.data.title);
    const title = event.approval_id === undefined ? undefined : this.#titles.get(event.approval_id);
    const verdict = verdictOf(event);
    const why = whyOf(event);
    const said = verdict === '' ? '' : `→ ${verdict}`;
    const parts = [
      timeOf(event.at, options.now ?? Date.now()),
      whoOf(event).padEnd(8),
      whatOf(event, title),
      why === '' ? said : `${said}${said === '' ? '(' : ': '}${why}${said === '' ? ')' : ''}`,
    ];
    const plain = parts
      .filter((part) => part !== '')
      .map(visibleLine)
      .join('  ');
    const line = isTerminal && options.isWhole !== true ? cut(plain, columns) : plain;
    const shown = style(colorOf(verdict, event.type), line);
    return options.hashes === true ? `${shown}\n    ${style('dim', hashesOf(event))}` : shown;
  }
}

/** Today's time alone; the day before it otherwise. */
function timeOf(at: string, now: number): string {
  const moment = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':');
  if (moment.toDateString() === new Date(now).toDateString()) return time;
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}

function whoOf({ actor }: EventLike): string {
  return String(actor.agent ?? actor.user ?? actor.client ?? actor.kind);
}

function whatOf({ type, data }: EventLike, title: string | undefined): string {
  const known = text(data.title) || title || targetOf(data) || text(data.does) || text(data.tool);
  const meaning = EVENT_MEANINGS[type as EventType] as string | undefined; // a newer gateway may know more
  if (known !== '') return VERDICT_SAYS_IT.test(type) ? known : `${known}: ${meaning ?? type}`;
  const about = ['agent', 'workspace', 'server', 'name', 'host', 'credential', 'file'].flatMap((key) =>
    text(data[key]) === '' ? [] : [text(data[key])],
  );
  return [(meaning ?? type).replace(/, and why$/, ''), ...about].join(' ');
}

/** Events whose meaning is their verdict. */
const VERDICT_SAYS_IT = /^(?:ActionEvent::Judged|ApprovalEvent::(?!Notified))/;

/** The target of an action in a person's words. */
function targetOf({ target, tool }: EventLike['data']): string {
  if (typeof target !== 'object' || target === null) return '';
  const { kind, method, host, path, commands, server, tool: name } = target as Record<string, unknown>;
  if (kind === 'http') return `${text(method)} ${text(host)}${text(path)}`;
  if (kind === 'command' && Array.isArray(commands))
    return commands.map((one: { text?: unknown }) => text(one.text)).join(' ; ');
  if (kind === 'mcp') return `${text(server)}/${text(name)}`;
  return path === undefined ? text(tool) : `${text(tool)} ${text(path)}`;
}

const VERDICTS: readonly (readonly [pattern: RegExp, verdict: string])[] = [
  [/^ApprovalEvent::Requested/, 'asks'],
  [/^ApprovalEvent::Expired/, 'no answer'],
  [/^ApprovalEvent::Cancelled/, 'withdrawn'],
  [/AnswerRefused|Refused|Blocked|Violation|Rejected/, 'refused'],
  [/Failed|Killed/, 'failed'],
];

function verdictOf({ type, data }: EventLike): string {
  if (type === 'ActionEvent::Judged' && data.violation === 'ApprovalPending') return 'asks';
  if (type === 'ActionEvent::Judged') return data.verdict === 'allow' ? 'allowed' : 'denied';
  if (type === 'ApprovalEvent::Decided')
    return text(data.status) || text(data.outcome) || text(data.answer) || 'answered';
  return VERDICTS.find(([pattern]) => pattern.test(type))?.[1] ?? '';
}

function whyOf({ data }: EventLike): string {
  const { reason } = data;
  if (typeof reason === 'object' && reason !== null) return text((reason as { reason?: unknown }).reason);
  return text(reason) || text(data.message) || text(data.note);
}

function hashesOf({ id, type, data }: EventLike): string {
  const hashes = ['binding', 'fingerprint', 'digest'].flatMap((key) =>
    text(data[key]) === '' ? [] : [`${key}=${text(data[key])}`],
  );
  return [id, type, ...hashes].join(' ');
}

function colorOf(verdict: string, type: string): Style {
  if (/^(?:denied|refused|failed|no answer)$/.test(verdict) || /Killed/.test(type)) return 'red';
  if (verdict === 'asks') return 'yellow';
  return verdict === 'allowed' || verdict === 'approved' ? 'green' : 'dim';
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function cut(line: string, columns: number): string {
  const characters = [...line];
  return characters.length <= columns ? line : `${characters.slice(0, columns - 1).join('')}…`;
}
