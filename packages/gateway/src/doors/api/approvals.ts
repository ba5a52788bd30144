import {
  type ApprovalState,
  ApprovalStateSchema,
  CreatedApprovalSchema,
  isTypeOfEveryGateway,
  type NewApproval,
  NewApprovalSchema,
  SallyportError,
} from '@sallyport/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { finishAction, riskOf } from '../../actions/index.ts';
import type { Approval, QuestionDraft } from '../../approvals/index.ts';
import type { Config } from '../../config/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { ApiClient, ApiKeys, Sessions } from '../../identity/index.ts';
import {
  type AgentServices,
  type App,
  clientOf,
  readerOf,
  requireApiKey,
  requireReader,
} from '../../servers/index.ts';
import { canonicalJson, sha256Hex } from '../../shared/canonical-json.ts';
import { streamApproval } from './approval-stream.ts';
import { namedTarget, toCreated, toState, unprocessable } from './approval-wire.ts';

/** A preview of 1 MiB may take six times as much when JSON escapes it. */
const BODY_BYTES = 7 * 1024 * 1024;
const LONGEST_WAIT_SECONDS = 60;
const KEY = /^[\x21-\x7e]{1,200}$/;
const STREAMS_AT_MOST = 1_000;

export interface ApprovalRouteServices {
  readonly keys: Pick<ApiKeys, 'authenticate'>;
  readonly sessions: Pick<Sessions, 'authenticate' | 'signalOf'>;
  readonly gate: Pick<Gate, 'consider'>;
  readonly approvals: AgentServices['approvals'];
  readonly config: { readonly config: Pick<Config, 'custom_types'> };
  readonly clock: { now(): number };
  readonly heartbeatMs: number;
  /** aborts when the gateway stops */
  readonly stopping: AbortSignal;
}

/** Questions of API clients: asked and looked at here. SECURITY: nothing on this side decides [ID-1, AP-2]. */
export function approvalRoutes(app: App, services: ApprovalRouteServices): void {
  const { keys, sessions, approvals } = services;
  const IdSchema = z.strictObject({ id: z.string().max(64) });

  app.post(
    '/v1/approvals',
    {
      // Admitted by its own check: an API key is no session.
      config: { public: true },
      onRequest: requireApiKey(keys),
      bodyLimit: BODY_BYTES,
      schema: {
        summary: 'Ask people; 201 while they are asked, 200 when a standing allow answers',
        body: NewApprovalSchema,
        response: { 200: CreatedApprovalSchema, 201: CreatedApprovalSchema },
      },
    },
    async (request, reply) => {
      const created = toCreated(await create(services, clientOf(request), request.body, keyOf(request)));
      return reply.code(created.auto ? 200 : 201).send(created);
    },
  );

  app.get(
    '/v1/approvals/:id',
    {
      config: { public: true },
      onRequest: requireReader(keys, sessions),
      schema: {
        summary: 'How an approval stands; `wait` holds the answer until it has ended',
        params: IdSchema,
        querystring: z.strictObject({
          wait: z.coerce.number().int().min(0).max(LONGEST_WAIT_SECONDS).default(0).describe('in seconds'),
        }),
        response: { 200: ApprovalStateSchema },
      },
    },
    async (request, reply): Promise<ApprovalState> => {
      const { id } = request.params;
      const found = own(request, await approvals.approvals.find(id));
      const { wait } = request.query;
      if (found.status !== 'pending' || wait === 0) return toState(found);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([gone.signal, services.stopping]);
      const waited = await approvals.approvals.wait(id, wait * 1000, signal);
      return toState(waited ?? found);
    },
  );

  let streams = 0;
  app.get(
    '/v1/approvals/:id/events',
    {
      config: { public: true },
      onRequest: requireReader(keys, sessions),
      schema: {
        summary: 'How it stands now and when that changes (server-sent events), until it has ended',
        params: IdSchema,
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const found = own(request, await approvals.approvals.find(request.params.id));
      if (streams >= STREAMS_AT_MOST)
        throw new SallyportError('TooManyRequests', { message: 'too many streams are open' });
      streams += 1;
      try {
        await streamApproval(reply, found, approvals.approvals, services);
      } finally {
        streams -= 1;
      }
    },
  );
}

async function create(
  services: ApprovalRouteServices,
  client: ApiClient,
  body: NewApproval,
  key: string | undefined,
): Promise<Approval> {
  const { gate, approvals, config } = services;
  checkType(body.action_type, config.config.custom_types);
  const idempotency = key === undefined ? undefined : { key, requestHash: sha256Hex(canonicalJson(body)) };
  if (idempotency !== undefined) {
    const before = await approvals.approvals.findKeyed(client.tenant, client.client_id, idempotency);
    if (before !== undefined) return before;
  }
  const to = namedTarget(body);
  const considered = await gate.consider(actionOf(client, body));
  if (considered.kind === 'refused') {
    const { violation, reason, rule } = considered.verdict;
    throw new SallyportError(violation, {
      message: reason,
      ...(rule === undefined ? {} : { details: { rule } }),
    });
  }
  const draft: QuestionDraft = {
    ...considered.draft,
    title: body.title,
    client: client.client_id,
    sessionId: body.session_id,
    expiresInMs: (body.expires_in_sec ?? 3_600) * 1_000,
    ...(to === undefined ? {} : { to }),
  };
  if (to !== undefined) checkTarget(services, draft, to);
  if (considered.kind === 'asked') return approvals.approvals.open(draft, idempotency);
  const { grant } = considered;
  const code = grant.scope === 'session' ? '2' : grant.scope === 'always' ? '6' : '1';
  const answer = { decision: { code }, decidedBy: grant.createdBy, answeredBy: grant.id } as const;
  return approvals.approvals.keepAnswered(draft, answer, idempotency);
}

/** A type that nobody registered is a slip of the client: no rule, quorum or timeout could be about it. */
function checkType(type: string, registered: readonly string[]): void {
  if (isTypeOfEveryGateway(type) || registered.includes(type)) return;
  throw new SallyportError('BadRequest', {
    message: `there is no action type \`${type}\``,
    hint: 'name one of docs/config.md or `custom:<name>`, or have the operator register it under `custom_types`',
  });
}

/** SECURITY: a question goes to people who may decide it, never to an address that the asker made up [AP-2]. */
function checkTarget(
  { approvals, clock }: ApprovalRouteServices,
  draft: QuestionDraft,
  { channel, target }: { readonly channel: string; readonly target: string },
): void {
  const { channels, deciders } = approvals;
  if (!channels.some(({ name }) => name === channel))
    throw unprocessable(`there is no channel \`${channel}\``, 'leave `channel` out for the default ones');
  const user = deciders.userOf(draft.tenant, channel, target);
  if (user === undefined || !deciders.mayDecide(draft, user, clock.now()))
    throw unprocessable('`target` is nobody who may decide this', 'name a listed identity of a decider');
}

/** What a client declares, as an action: never local, never harmless. */
function actionOf({ client_id: client, tenant }: ApiClient, body: NewApproval) {
  // Known, registered, or `custom:…`: `checkType` lets nothing else through.
  const type = body.action_type as QuestionDraft['type'];
  return finishAction({
    door: 'api',
    actor: { tenant, client, chain: [], confinement: 'unconfined' },
    tool: 'approval',
    type,
    effect: 'write',
    reach: 'remote',
    risk: riskOf(type, 'write'),
    target: { kind: 'plain' },
    input: { session_id: body.session_id, title: body.title },
    preview: body.preview,
  });
}

/** `NotFound` for what is somebody else's, as for what never was [ID-4]. */
function own(request: FastifyRequest, approval: Approval | undefined): Approval {
  const reader = readerOf(request);
  const isOwn =
    approval !== undefined &&
    (reader.kind === 'client'
      ? approval.tenant === reader.client.tenant && approval.client === reader.client.client_id
      : approval.tenant === reader.session.tenant && approval.actor.session === reader.session.id);
  if (!isOwn) throw new SallyportError('NotFound', { message: 'there is no such approval' });
  return approval;
}

function keyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw new SallyportError('BadRequest', { message: '`Idempotency-Key` is 1 to 200 visible characters' });
}
