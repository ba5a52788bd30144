import { SallyportError } from '@sallyport/protocol';

/** One page of a list, newest first. `next_cursor` is null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** Which page: the cursor of the page before, and how many items (1 to 200, 50 when absent). */
export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const ID = /^[a-z]{2,8}_[0-9a-z]{1,64}$/;

/** The rows to ask for: one more than the page holds, to know whether another page follows. */
export interface PagePlan {
  readonly limit: number;
  /** ids must be smaller than this; undefined on the first page */
  readonly before: string | undefined;
}

/** Reads a page request. Throws `BadRequest` for a limit out of range or a cursor that we did not make. */
export function planPage(request: PageRequest = {}): PagePlan {
  const limit = request.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new SallyportError('BadRequest', { message: `a page holds 1 to ${MAX_LIMIT} items` });
  }
  return { limit, before: request.cursor === undefined ? undefined : decodeCursor(request.cursor) };
}

/** Cuts the surplus row off and makes the cursor from the last row that stays. */
export function toPage<R extends { readonly id: string }, T>(
  plan: PagePlan,
  rows: readonly R[],
  read: (row: R) => T,
): Page<T> {
  const kept = rows.slice(0, plan.limit);
  const last = kept.at(-1);
  const more = rows.length > plan.limit && last !== undefined;
  return { items: kept.map(read), next_cursor: more ? encodeCursor(last.id) : null };
}

// INVARIANT: a cursor only says where to go on. Whose rows are seen is decided by the query's own tenant.
function encodeCursor(id: string): string {
  return Buffer.from(id, 'utf8').toString('base64url');
}

function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!ID.test(id) || encodeCursor(id) !== cursor) {
    throw new SallyportError('BadRequest', {
      message: 'the cursor is not one that this gateway gave',
      hint: 'start again without a cursor',
    });
  }
  return id;
}
