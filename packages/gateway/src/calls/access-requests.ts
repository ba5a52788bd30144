import {
  ACCESS,
  type AccessRequest,
  AccessRequestSchema,
  type Action,
  type Actor,
  type JsonObject,
  type TargetProblem,
} from '@sallyport/protocol';
import { type ActionBuilder, finishAction, SAMPLES, wantedAction } from '../actions/index.ts';
import type { ToolListing, ToolResult } from '../executors/index.ts';
import { accessInput, type Gate } from '../gate/index.ts';
import type { SessionFacts } from '../identity/index.ts';
import { redeemPermit } from '../shared/permit.ts';
import { didYouMean } from '../shared/suggest.ts';
import { visibleLine } from '../shared/visible-text.ts';
import {
  type AccessLine,
  answerOf,
  grantsOf,
  nameOf,
  previewOf,
  reasonOf,
  riskOfLines,
  type Want,
} from './access-lines.ts';
import { refusalOf } from './call-refusal.ts';
import { type CarryOutParts, carryOut } from './carry-out.ts';
import { actorOf, type ToolCallRequest, type ToolOutcome } from './tool-call.ts';

const NAMED_AT_MOST = 20;

export interface AccessParts extends CarryOutParts {
  readonly gate: Pick<Gate, 'decide' | 'foresee'>;
  readonly builderFor: (tenant: string) => ActionBuilder | Promise<ActionBuilder>;
  /** what would be lent with a request of this session */
  readonly credentialFor: (
    session: SessionFacts,
    host: string,
    port: number,
    path: string,
  ) => string | undefined;
  readonly onlyReads: (tool: string) => boolean;
  /** tools of the gateway that this actor may use */
  readonly visible: (actor: Actor) => readonly Pick<ToolListing, 'tool'>[];
}

export interface AccessCall extends Pick<ToolCallRequest, 'signal' | 'onAsked' | 'wait'> {
  readonly door: 'mcp' | 'hook';
  readonly session: SessionFacts;
  readonly input: JsonObject;
}

/**
 * What an agent asks for before it begins: `request_access`. An action like any other, whose yes leaves a standing answer for
 * each line. It works out what each line would be, and decides nothing.
 */
export class AccessRequests {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  async call({ door, session, input, signal, onAsked, wait }: AccessCall): Promise<ToolOutcome> {
    const plan = await this.#plan(session, input);
    const action = actionOf(door, actorOf(session), input, plan);
    const { lines } = plan;
    return carryOut<ToolOutcome>(this.#parts, {
      ...{ signal, onAsked, wait, hasEnd: false },
      build: () => action,
      refused: (verdict) => ({ kind: 'refused', action, refusal: refusalOf(verdict, action) }),
      execute({ verdict, action: allowed }) {
        // The people's yes left the grants; nothing else is to be done.
        redeemPermit(verdict, allowed);
        const { note } = verdict;
        return { kind: 'done', action, result: resultOf(lines), ...(note === undefined ? {} : { note }) };
      },
    });
  }

  async #plan(session: SessionFacts, input: JsonObject): Promise<Plan> {
    const read = AccessRequestSchema.safeParse(input);
    if (!read.success) {
      const [issue] = read.error.issues;
      return refused(`\`${issue?.path.join('.') || 'the request'}\`: ${issue?.message ?? 'cannot be read'}`);
    }
    const { wants, purpose } = read.data;
    const twice = wants.find((want, index) => wants.findIndex((other) => isSame(want, other)) !== index);
    if (twice !== undefined) return refused(`${nameOf(twice)} is there twice: say it once, with a count`);
    const builder = await this.#parts.builderFor(session.tenant);
    const lines: AccessLine[] = [];
    for (const want of wants) {
      const sample = this.#isThere(want, session)
        ? wantedAction(want, this.#partsFor(session, builder))
        : undefined;
      if (sample === undefined) return refused(this.#unknown(want, actorOf(session)));
      lines.push({ want, foreseen: await this.#parts.gate.foresee(sample) });
    }
    const said = { purpose, wants: wants.map(jsonOf) };
    if (lines.some(({ foreseen }) => foreseen.kind === 'askable')) return { lines, said, purpose };
    return {
      lines,
      said,
      purpose,
      problem: `there is nothing to ask people for: ${lines.map(whyNot).join('; ')}`,
    };
  }

  /** Whether a tool of a server is one that this agent may use; of anything else, only its action tells. */
  #isThere({ operation }: Want, session: SessionFacts): boolean {
    if (!operation.startsWith('mcp:')) return true;
    return this.#parts.visible(actorOf(session)).some(({ tool }) => tool === operation);
  }

  #partsFor(session: SessionFacts, builder: ActionBuilder): Parameters<typeof wantedAction>[1] {
    const { credentialFor, onlyReads } = this.#parts;
    return {
      builder,
      actor: actorOf(session),
      credentialFor: (host, port, path) => credentialFor(session, host, port, path),
      onlyReads,
    };
  }

  /** What the agent should have said instead. */
  #unknown(want: Want, actor: Actor): string {
    const [, provider = '', name = ''] = /^([a-z][a-z0-9-]*):(.+)$/.exec(want.operation) ?? [];
    const what = `${nameOf(want)} cannot be asked for beforehand`;
    if (provider === 'mcp') {
      const tools = this.#parts.visible(actor).map(({ tool }) => tool);
      const near = didYouMean(want.operation, tools);
      const some = tools.slice(0, NAMED_AT_MOST).map((tool) => `\`${tool}\``);
      return `${what}: ${near ?? (some.length === 0 ? 'there are no tools' : `there are ${some.join(', ')}`)}, each on its server`;
    }
    const samples = SAMPLES[provider];
    if (samples !== undefined) {
      const names = [...samples.names()];
      if (names.includes(name))
        return `${what}: the object is not one of this operation, such as \`github.com/acme/app\``;
      return `${what}: ${didYouMean(name, names) ?? `there is no such operation of ${provider}`} (docs/operations.md has all of them)`;
    }
    return (
      `${what}: there are \`read\` on a host, \`METHOD /path/{}\` on a host and path, ` +
      `\`PROVIDER:OPERATION\` of ${Object.keys(SAMPLES).join(', ')} on a repository, project or channel, \`mcp:SERVER/TOOL\` on a server, ` +
      'a tool on a file, and commands as a question names them'
    );
  }
}

interface Plan {
  readonly lines: readonly AccessLine[];
  /** what the agent said, as far as it could be read */
  readonly said?: JsonObject;
  readonly purpose?: AccessRequest['purpose'];
  /** why nobody is asked */
  readonly problem?: string;
}

function refused(problem: string): Plan {
  return { lines: [], problem };
}

function jsonOf({ operation, object, count }: Want): JsonObject {
  return count === undefined ? { operation, object } : { operation, object, count };
}

function isSame(one: Want, other: Want): boolean {
  return one.operation === other.operation && one.object === other.object;
}

function whyNot(line: AccessLine): string {
  const why = line.foreseen.kind === 'allowed' ? 'needs no consent' : reasonOf(line);
  return `${nameOf(line.want)}: ${why ?? 'is asked about each time'}`;
}

function actionOf(door: AccessCall['door'], actor: Actor, input: JsonObject, plan: Plan): Action {
  const { lines, said, purpose = '', problem } = plan;
  const bad: TargetProblem | undefined =
    problem === undefined ? undefined : { code: 'Malformed', message: visibleLine(problem) };
  return finishAction({
    ...{ door, actor, tool: ACCESS.tool, type: ACCESS.type, effect: 'write', reach: 'workspace' },
    risk: riskOfLines(lines),
    target: { kind: 'plain', ...(bad === undefined ? {} : { problem: bad }) },
    // What could not be read is not kept: it may be of any size, and hold anything.
    input:
      said === undefined
        ? { keys: Object.keys(input).slice(0, NAMED_AT_MOST) }
        : accessInput(said, grantsOf(lines)),
    preview: previewOf(purpose, lines),
  });
}

function resultOf(lines: readonly AccessLine[]): ToolResult {
  return {
    content: [{ type: 'text', text: answerOf(lines) }],
    structuredContent: {
      lines: lines.map((line) => {
        const reason = reasonOf(line);
        return {
          ...jsonOf(line.want),
          status: STATUS[line.foreseen.kind],
          ...(reason === undefined ? {} : { reason }),
        };
      }),
    },
  };
}

const STATUS = {
  askable: 'granted',
  denied: 'denied',
  'each-time': 'asked each time',
  allowed: 'needs no consent',
} as const;
