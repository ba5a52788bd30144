import type { KeyObject } from 'node:crypto';
import { type Action, type Actor, CONNECT, factsOfDoor } from '@sallyport/protocol';
import {
  type Approval,
  ModelClient,
  type OpenApprovals,
  openApprovals,
  Reviewer,
  refusedEvent,
  SemanticJudge,
} from '../approvals/index.ts';
import type { Broker } from '../credentials/index.ts';
import {
  createStandingAnswers,
  Gate,
  type IdentityFacts,
  isAccess,
  RateCounters,
  ReadBudget,
} from '../gate/index.ts';
import { type GroundServices, readSecret } from '../ground/index.ts';
import type { Sessions } from '../identity/index.ts';
import { assertNever } from '../shared/assert-never.ts';
import { sha256Hex } from '../shared/canonical-json.ts';
import type { MachineFacts } from '../shared/closed-address.ts';
import { isKnownTool } from '../tools/index.ts';
import type { GateServices } from './gate-services.ts';
import { followWorkspace, holdLosses } from './hold-losses.ts';
import { LiveChannels, type LiveChannelsParts } from './live-channels.ts';
import { reachOfAnybody, reachOfSession } from './session-reach.ts';

export interface ApprovalServices {
  readonly gate: Gate;
  readonly open: OpenApprovals;
  readonly channels: LiveChannels;
}

export interface ApprovalServicesOptions {
  readonly ground: GroundServices;
  readonly gate: GateServices;
  readonly channels: Omit<LiveChannelsParts, 'find' | 'askedOn' | 'onUnproved'>;
  readonly credentials: Pick<Broker, 'facts'>;
  /** whether the gateway itself carries out a tool of that name */
  readonly knowsTool: (tool: string) => boolean;
  /** whether the MCP door shows the actor a tool of that name */
  readonly showsTool: (actor: Actor, name: string) => boolean;
  /** whether `skip_judge` is set for the MCP server of that tool */
  readonly skipsJudge: (tool: string) => boolean;
  /** this machine, and what the gateway listens on */
  readonly machine: () => MachineFacts;
  readonly onClose: (close: () => Promise<void>) => void;
  /** before `GATHER_MS` */
  readonly gatherMs?: number | undefined;
}

/** How long calls of one operation on one object wait for one another, to be one question. */
const GATHER_MS = 300;

/** Opens the approval gate with the channels that the config names, and the gate that asks through it. */
export async function openApprovalServices(options: ApprovalServicesOptions): Promise<ApprovalServices> {
  const { ground, gate: services, onClose } = options;
  const { clock, log, config } = options.channels;
  const { store, coordination, trail, sessions } = ground;
  const { grants, policies } = services;
  let opened: OpenApprovals | undefined;
  const find = async (id: string): Promise<Approval | undefined> => opened?.approvals.find(id);
  const askedOn: LiveChannelsParts['askedOn'] = async (channel, id) =>
    (await opened?.askedOn(channel, id)) ?? [];
  const onError = (error: unknown): void => log.error({ err: error }, 'an approval could not be carried on');
  const recordUnproved: LiveChannelsParts['onUnproved'] = (channel, { approvalId, identity, reason }) => {
    find(approvalId)
      .then(async (approval) => {
        if (approval !== undefined) await trail.append(refusedEvent(approval, { channel, identity, reason }));
      })
      .catch(onError);
  };
  const channels = new LiveChannels({ ...options.channels, find, askedOn, onUnproved: recordUnproved });
  const allowAlways = (tenant: string): boolean => policies().policyOf(tenant)?.grants.allowAlways ?? false;

  const open = await openApprovals({
    store,
    coordination,
    trail,
    clock,
    owner: ownerOf(trail.publicKey),
    settingsOf: (tenant) => config().tenants[tenant]?.approvals ?? config().approvals,
    redactor: options.channels.redactor,
    standing: createStandingAnswers({ grants, allowAlways }),
    channels: await channels.first(),
    onDelivery: (channel, error) => channels.delivered(channel, error),
    tenantOf: (tenant) => policies().tenantOf(tenant),
    identitiesOf: (tenant) =>
      Object.fromEntries(
        Object.entries(config().tenants[tenant]?.users ?? {}).map(([user, { identities }]) => [
          user,
          identities,
        ]),
      ),
    reachOf: ({ tenant, session, client }) =>
      client?.startsWith(CONNECT.clientPrefix) === true
        ? reachOfAnybody(config().tenants, options.credentials)
        : reachOfSession(tenant, session, sessions, options.credentials),
    sessions,
    onError,
    gatherMs: options.gatherMs ?? GATHER_MS,
  });
  opened = open;
  onClose(() => open.close());
  channels.attach(open);
  open.inbox.register((mail) => channels.onMail?.(mail));

  const client = new ModelClient({ readSecret: (reference) => readSecret(reference, options.channels) });
  const models = {
    settingsOf: (tenant: string) => config().tenants[tenant]?.gatekeeper ?? config().gatekeeper,
    client,
    redactor: options.channels.redactor,
    trail,
  };
  const reviewer = new Reviewer({
    ...models,
    onApproved: (action, title, review) => open.notices.tell(action, title, review),
  });
  const gate = new Gate({
    policyOf: (tenant) => policies().policyOf(tenant),
    identityOf: (action) => {
      followWorkspace(action, sessions, ground.snapshots.sessions);
      return identityOf(action, sessions, (asked) => policies().rightsOf(asked));
    },
    isToolKnown: (action) => isToolKnown(action, options.knowsTool),
    comesAgain: (action) => comesAgain(action, options.showsTool),
    counters: new RateCounters(coordination, ground.ownState),
    reads: new ReadBudget(),
    holds: (action) => holdLosses(action, sessions, ground.snapshots.sessions),
    machine: options.machine,
    grants,
    nextDoor: grants,
    trail,
    clock,
    approvals: open.approvals,
    reviewer,
    judge: new SemanticJudge(models),
    skipsJudge: ({ door, tool }) => isRouted(door) && options.skipsJudge(tool),
  });
  return { gate, open, channels };
}

/** Doors whose tools the gateway carries out: a server of the same name may be another one elsewhere. */
function isRouted(door: Action['door']): boolean {
  return factsOfDoor(door).toolsKnownBy === 'router';
}

/** Our own MCP endpoint, as `install` names it to clients. */
const OWN_ENDPOINT = 'mcp:sallyport/';

/**
 * A client's hook tells of a call that its next step brings to the MCP door.
 *
 * SECURITY: only for a tool that the door has. What another server of our name invents is a tool that nobody knows.
 */
function comesAgain({ door, tool, actor }: Action, shows: ApprovalServicesOptions['showsTool']): boolean {
  if (!factsOfDoor(door).callerRunsHere || !tool.startsWith(OWN_ENDPOINT)) return false;
  return shows(actor, tool.slice(OWN_ENDPOINT.length));
}

/** The proxy routes by itself, and clients with hooks run their tools themselves: what is theirs has a way. */
function isToolKnown(action: Action, knowsTool: (tool: string) => boolean): boolean {
  const { door, tool } = action;
  if (isAccess(action)) return true;
  const { toolsKnownBy } = factsOfDoor(door);
  switch (toolsKnownBy) {
    case 'router':
      return knowsTool(tool);
    case 'door':
      return true;
    case 'catalogue':
      return isKnownTool(tool);
    default:
      return assertNever(toolsKnownBy);
  }
}

/** Stable and its own for each home, also among gateways that share a store. */
function ownerOf(publicKey: KeyObject): string {
  return sha256Hex(publicKey.export({ type: 'spki', format: 'der' })).slice(0, 16);
}

type Rights = (IdentityFacts & { readonly kind: 'session' })['rights'];

/** What is known at this moment of whoever wants the action. */
export function identityOf(
  action: Action,
  sessions: Pick<Sessions, 'peek'>,
  rightsOf: (action: Action) => Rights,
): IdentityFacts {
  const { door, actor } = action;
  // The route of the approval API has just checked the key.
  if (factsOfDoor(door).speaker === 'client' && actor.client !== undefined)
    return { kind: 'client', active: true };
  const facts = actor.session === undefined ? undefined : sessions.peek(actor.session);
  // SECURITY: an action speaks for the session that it names, or for nobody.
  if (facts === undefined || facts.tenant !== actor.tenant || facts.agent !== actor.agent)
    return { kind: 'none' };
  const { expiresAt, repositories, workspace } = facts;
  const session = { kind: 'session', alive: true, expiresAt, rights: rightsOf(action) } as const;
  if (repositories === undefined && workspace === undefined) return session;
  return {
    ...session,
    ...(repositories === undefined ? {} : { repositories }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}
