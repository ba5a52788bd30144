import { ACCESS, type Action, type Json, type JsonObject } from '@sallyport/protocol';
import type { Approval } from '../../approvals/index.ts';
import type { GrantCover } from './grant.ts';

/** One line of a whole task that a yes leaves a grant for. */
export interface AccessGrant {
  /** what `2` would have covered for the same action */
  readonly covers: GrantCover & { readonly kind: 'operation' };
  /** how often it may be used; absent: as often as the session wants */
  readonly most?: number;
}

/** What a question about a whole task offers; no grant covers the asking itself. */
interface AccessOffer {
  readonly kind: 'access';
  readonly grants: readonly AccessGrant[];
}

/**
 * Whether an action asks for a whole task (`request_access`).
 *
 * SECURITY: by type and tool: a client's own tool of that name has another type, and what an API client declares has
 * another tool. So what its input says was worked out here.
 */
export function isAccess({ type, tool }: Pick<Action, 'type' | 'tool'>): boolean {
  return type === ACCESS.type && tool === ACCESS.tool;
}

/** The input of such an action: what the agent said, and what a yes would leave. */
export function accessInput(said: JsonObject, grants: readonly AccessGrant[]): JsonObject {
  // A cover is plain JSON data; interfaces have no index signature.
  return { ...said, grants: grants as unknown as Json };
}

/** What its question offers. */
export function accessOffer({ input }: Action): JsonObject {
  return { kind: 'access', grants: input.grants ?? [] };
}

/** The grants that a yes to this question leaves; undefined: it is about something else. */
export function accessOf({ offer, tool, type }: Approval): readonly AccessGrant[] | undefined {
  if (offer?.kind !== 'access' || !isAccess({ tool, type })) return undefined;
  // The gate made it when it asked, and it has been in our database since.
  return (offer as unknown as AccessOffer).grants;
}
