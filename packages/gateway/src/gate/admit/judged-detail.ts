import {
  type Action,
  type EventDetail,
  factsOfDoor,
  type Json,
  type Judgement,
  type NewEvent,
  type Verdict,
} from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import { requestOf } from '../../targets/index.ts';
import type { Snapshot } from '../policy/snapshot.ts';
import type { AdmitOptions } from './gate-parts.ts';
import { judgedEvent } from './judged-event.ts';

/** What was judged, and by what. */
export interface Judged {
  readonly action: Action;
  readonly snapshot?: Snapshot;
  readonly judgement?: Judgement;
}

/**
 * The event of a decision with what was asked for, where the trail keeps that: the head of a request, the arguments of
 * a call. `sent` is what came with a request that goes nowhere; of one that is carried out, its end tells.
 */
export function judgedEventOf(
  { level }: Pick<AuditTrail, 'level'>,
  { action, snapshot, judgement }: Judged,
  verdict: Verdict,
  { sent }: Pick<AdmitOptions, 'sent'>,
): NewEvent {
  const event = judgedEvent(action, verdict, snapshot, judgement);
  if (level === undefined || level === 'metadata') return event;
  const body = level === 'full' && verdict.kind === 'deny' ? sent?.body() : undefined;
  const detail: EventDetail = {
    request: askedFor(action),
    ...(body === undefined ? {} : { request_body: body }),
    // A client's question is all that it asks for.
    ...(factsOfDoor(action.door).selfDeclared ? { request_body: action.preview } : {}),
  };
  return { ...event, detail };
}

function askedFor({ target, input, door }: Action): { [key: string]: Json } {
  if (factsOfDoor(door).selfDeclared) return { ...input };
  if (requestOf(target) === undefined || input.url === undefined) return { arguments: input };
  const { method = null, url = null, headers } = input;
  return { method, url, headers: byName(headers) };
}

/** By their names, so that a secret in one is known by its name. */
function byName(headers: Json | undefined): Json {
  const fields: Record<string, Json> = {};
  for (const header of Array.isArray(headers) ? headers : []) {
    if (!Array.isArray(header)) continue;
    const [name, value] = header as readonly Json[];
    const key = String(name).toLowerCase();
    const known = Object.hasOwn(fields, key) ? fields[key] : undefined;
    fields[key] = known === undefined ? (value ?? null) : [known, value ?? null].flat();
  }
  return fields;
}
