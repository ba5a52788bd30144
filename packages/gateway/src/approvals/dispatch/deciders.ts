import type { Actor } from '@sallyport/protocol';
import { identityKey } from '../../config/index.ts';
import { rbacOf, type TenantOf } from '../../identity/index.ts';
import type { Approval, QuestionDraft } from '../approval/approval.ts';
import type { Channel, Recipient } from '../channels/channel.ts';

export interface DecidersParts {
  readonly tenantOf: TenantOf;
  /** `users.*.identities` of a tenant: user → channel → identity */
  readonly identitiesOf: (tenant: string) => Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Hosts (or `*.` patterns) on which the actor's session holds a credential; `unknown` when that cannot be said,
   * and then no channel with hosts of its own is trusted for it.
   */
  readonly reachOf: (actor: Actor) => readonly string[] | 'unknown' | Promise<readonly string[] | 'unknown'>;
}

/** What it takes to know who may decide. */
type Decidable = Pick<Approval, 'tenant' | 'type' | 'createdAt' | 'escalation'>;

/** Who may decide what: listed people whose role allows it, on channels that the asker cannot write to. */
export class Deciders {
  readonly #parts: DecidersParts;

  constructor(parts: DecidersParts) {
    this.#parts = parts;
  }

  /** The one user of the tenant with this identity on the channel. */
  userOf(tenant: string, channel: string, identity: string): string | undefined {
    const wanted = identityKey(channel, identity);
    const found = Object.entries(this.#parts.identitiesOf(tenant)).filter(([, identities]) => {
      const own = Object.hasOwn(identities, channel) ? identities[channel] : undefined;
      return own !== undefined && identityKey(channel, own) === wanted;
    });
    // SECURITY: an identity that two users claim proves nobody.
    return found.length === 1 ? found[0]?.[0] : undefined;
  }

  /** Why this user may not decide this; undefined when they may. */
  refusal(approval: Decidable, user: string, now: number): string | undefined {
    const policy = this.#parts.tenantOf(approval.tenant);
    // SECURITY: no role, no decision; rights are those of this moment, not of the moment of asking [AP-2].
    if (policy === undefined || !rbacOf(policy).rightsOf({ user, chain: [] }).mayApprove(approval.type))
      return `\`${user}\` may not approve \`${approval.type}\``;
    if (approval.escalation !== undefined) {
      const roles = rolesAskedBy(approval, now);
      const own = Object.hasOwn(policy.users, user) ? (policy.users[user]?.roles ?? []) : [];
      if (!own.some((role) => roles.has(role))) return `the role of \`${user}\` is not asked yet`;
    }
    return undefined;
  }

  /** Whether they may decide a question that is about to be asked. */
  mayDecide(draft: QuestionDraft, user: string, now: number): boolean {
    return this.refusal({ tenant: draft.tenant, type: draft.type, createdAt: now }, user, now) === undefined;
  }

  /** Everyone who may decide it now. */
  namesFor(approval: Decidable, now: number): readonly string[] {
    const users = this.#parts.tenantOf(approval.tenant)?.users ?? {};
    return Object.keys(users).filter((user) => this.refusal(approval, user, now) === undefined);
  }

  /** Whom to ask on this channel: those who may decide and are known there. */
  recipients(approval: Decidable, channel: string, now: number): readonly Recipient[] {
    const identities = this.#parts.identitiesOf(approval.tenant);
    return this.namesFor(approval, now).flatMap((user) => {
      const own = Object.hasOwn(identities, user) ? identities[user] : undefined;
      const identity = own !== undefined && Object.hasOwn(own, channel) ? own[channel] : undefined;
      return identity === undefined ? [] : [{ user, identity }];
    });
  }

  /**
   * Whether the asker could write to the channel itself: it holds a credential on one of its hosts.
   *
   * SECURITY: an agent with a mailbox must not answer by mail [AP-3].
   */
  async isVoid(channel: Pick<Channel, 'hosts'>, actor: Actor): Promise<boolean> {
    if (channel.hosts.length === 0) return false;
    const reach = await this.#parts.reachOf(actor);
    if (reach === 'unknown') return true;
    return channel.hosts.some((host) => reach.some((pattern) => meet(pattern, host)));
  }
}

/** Roles whose turn has come. */
function rolesAskedBy(approval: Decidable, now: number): ReadonlySet<string> {
  const steps = approval.escalation ?? [];
  return new Set(steps.filter(({ afterMs }) => now >= approval.createdAt + afterMs).map(({ role }) => role));
}

/** Whether two hosts or `*.` patterns have a host in common; a port in either is left out of it. */
function meet(a: string, b: string): boolean {
  const [left, right] = [bare(a), bare(b)];
  return left === right || under(left, right) || under(right, left) || left === '*' || right === '*';
}

function under(pattern: string, host: string): boolean {
  if (!pattern.startsWith('*.')) return false;
  return host.endsWith(pattern.slice(1)) || host === pattern.slice(2);
}

function bare(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}
