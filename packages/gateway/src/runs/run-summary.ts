import type { AuditEvent, RunSummary, Target } from '@sallyport/protocol';
import type { TrailReader } from '../servers/index.ts';
import type { SessionRecord } from '../store/index.ts';
import { requestOf } from '../targets/index.ts';

const PAGE = 1_000;
/** events of one run that a summary looks at; what is beyond is said, not read */
const AT_MOST = 20_000;
const SHOWN = 50;

/** The fields of a decision's event that a summary needs. */
interface Judged {
  readonly verdict: 'allow' | 'deny';
  readonly by?: 'policy' | 'grant' | 'review' | 'person';
  readonly violation?: string;
  readonly effect: 'read' | 'write';
  readonly type: string;
  readonly tool: string;
  readonly judged: string;
  readonly target: Target;
}

const JUDGED: ReadonlySet<string> = new Set([
  'ActionEvent::Judged',
  'MCPToolEvent::ToolPolicyViolation',
  'CommandExecutionEvent::CommandPolicyViolation',
  'ProxyEvent::RequestAllowed',
]);

const BY_PEOPLE: Readonly<Record<string, 'denied' | 'unanswered'>> = {
  ApprovalDenied: 'denied',
  ApprovalTimeout: 'unanswered',
  ApprovalCancelled: 'unanswered',
  ApprovalPending: 'unanswered',
};

/** What a session did, from the trail. */
export async function runSummary(
  trail: Pick<TrailReader, 'read'>,
  session: SessionRecord,
): Promise<RunSummary> {
  const tally = new Tally();
  const complete = await readDecisions(trail, session, (event) => tally.add(event));
  return {
    session_id: session.id,
    agent: session.agent,
    confinement: session.confinement,
    started_at: new Date(session.createdAt).toISOString(),
    ended_at: session.endedAt === undefined ? null : new Date(session.endedAt).toISOString(),
    end_reason: session.endReason ?? null,
    ...tally.result(),
    complete,
    taken_back: [],
    changes: null,
  };
}

async function readDecisions(
  trail: Pick<TrailReader, 'read'>,
  session: SessionRecord,
  take: (event: AuditEvent) => void,
): Promise<boolean> {
  let cursor: string | undefined;
  for (let seen = 0; seen < AT_MOST; ) {
    const page = await trail.read({
      tenant: session.tenant,
      text: session.id,
      since: session.createdAt,
      limit: PAGE,
      order: 'asc',
      cursor,
    });
    for (const { type, json } of page.items) {
      if (!JUDGED.has(type)) continue;
      const event = JSON.parse(json) as AuditEvent; // our own trail
      // An outcome that came soon enough stands in one event with its decision; a later one has none.
      if ('judged' in event.data && 'target' in event.data) take(event);
    }
    if (page.nextCursor === null) return true;
    seen += page.items.length;
    cursor = page.nextCursor;
  }
  return false;
}

class Tally {
  #calls = 0;
  readonly #allowed = { read: 0, write: 0 };
  readonly #people = { approved: 0, denied: 0, unanswered: 0 };
  #refused = 0;
  // process-local: of one run, which this process began
  readonly #hosts = new Map<string, { reads: number; writes: number; refused: number }>();
  // process-local: of one run, which this process began
  readonly #questions = new Map<string, RunSummary['questions'][number]>();
  // process-local: of one run, which this process began
  readonly #suggestions = new Map<string, RunSummary['suggestions'][number]>();

  add({ data, approval_id: approval }: AuditEvent): void {
    const judged = data as unknown as Judged; // written by the gate, in this shape
    this.#calls += 1;
    const isAllowed = judged.verdict === 'allow';
    if (isAllowed) this.#allowed[judged.effect] += 1;
    this.#countHost(judged);
    const outcome = isAllowed
      ? judged.by === 'person'
        ? 'approved'
        : undefined
      : BY_PEOPLE[judged.violation ?? ''];
    if (outcome === undefined) {
      if (!isAllowed) this.#refused += 1;
      return;
    }
    this.#people[outcome] += 1;
    const what = describeTarget(judged);
    const key = `${outcome} ${what}`;
    const before = this.#questions.get(key);
    this.#questions.set(key, {
      what,
      times: (before?.times ?? 0) + 1,
      outcome,
      approval: before?.approval ?? approval ?? null,
    });
    if (outcome === 'approved') this.#suggest(judged);
  }

  result() {
    const { approved, denied, unanswered } = this.#people;
    return {
      calls: this.#calls,
      reads: this.#allowed.read,
      writes: this.#allowed.write,
      asked: approved + denied + unanswered,
      approved,
      denied: denied + unanswered,
      refused: this.#refused,
      hosts: [...this.#hosts]
        .map(([host, counts]) => ({ host, ...counts }))
        .sort((a, b) => b.reads + b.writes - (a.reads + a.writes) || a.host.localeCompare(b.host))
        .slice(0, SHOWN),
      questions: [...this.#questions.values()].slice(0, SHOWN),
      suggestions: [...this.#suggestions.values()].sort((a, b) => b.avoids - a.avoids).slice(0, SHOWN),
    };
  }

  #countHost({ target, verdict, effect }: Judged): void {
    const request = requestOf(target);
    if (request === undefined) return;
    const counts = this.#hosts.get(request.host) ?? { reads: 0, writes: 0, refused: 0 };
    if (verdict === 'deny') counts.refused += 1;
    else if (effect === 'read') counts.reads += 1;
    else counts.writes += 1;
    this.#hosts.set(request.host, counts);
  }

  /** SECURITY: nothing is suggested for what must be asked each time: no rule answers that. */
  #suggest({ target, effect, judged }: Judged): void {
    const request = requestOf(target);
    if (request === undefined || judged.includes('each-time')) return;
    const suggestion =
      effect === 'read'
        ? {
            setting: 'network.rules' as const,
            line: `- { host: ${JSON.stringify(request.host)}, port: ${request.port}, method: [GET, HEAD, OPTIONS], action: allow }`,
          }
        : { setting: 'exceptions' as const, line: `- ${JSON.stringify(`http(${request.host}/**)`)}` };
    const avoids = (this.#suggestions.get(suggestion.line)?.avoids ?? 0) + 1;
    this.#suggestions.set(suggestion.line, { ...suggestion, avoids });
  }
}

function describeTarget({ target, type, tool }: Judged): string {
  const request = requestOf(target);
  if (request === undefined) return `${tool} (${type})`;
  const { method, scheme, host, port, path } = request;
  const standard = scheme === 'http' || scheme === 'ws' ? 80 : 443;
  return `${method} ${scheme}://${host}${port === standard ? '' : `:${port}`}${path}`;
}
