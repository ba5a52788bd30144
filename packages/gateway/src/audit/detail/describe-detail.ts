import type { AuditLevel, EventBody, EventDetail, Json, JsonObject } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { KEPT_CHARS } from './body-tee.ts';
import { cutText, describeBody } from './describe-body.ts';
import { withoutNamedValues } from './named-values.ts';

/** What goes beyond the facts that `judge` saw, as much of it as the level lets in; undefined when that is nothing. */
export function describeDetail(
  detail: EventDetail,
  level: AuditLevel,
  redactor: Redactor,
): JsonObject | undefined {
  if (level === 'metadata') return undefined;
  const { request, status, request_body: sent, response_body: answered } = detail;
  const known: Record<string, Json> = {};
  if (request !== undefined) known.request = bounded(request, redactor);
  if (status !== undefined) known.status = status;
  switch (level) {
    case 'request':
      return known;
    case 'full':
      if (sent !== undefined) known.request_body = bodyOf(sent, redactor);
      if (answered !== undefined) known.response_body = bodyOf(answered, redactor);
      return known;
    default:
      return assertNever(level);
  }
}

function bodyOf(body: EventBody | Json, redactor: Redactor): Json {
  return isBytes(body) ? describeBody(body, redactor) : bounded(body, redactor);
}

/** A value as it is, or the beginning of its JSON where that is long. */
function bounded(value: Json, redactor: Redactor): Json {
  const clean = redactor.redactJson(withoutNamed(value, 0));
  const text = JSON.stringify(clean);
  if (text.length <= KEPT_CHARS) return clean;
  return { ...cutText(text, false), bytes: Buffer.byteLength(JSON.stringify(value)) };
}

const MAX_DEPTH = 64;

/** Strings may hold JSON, forms, headers of their own. */
function withoutNamed(value: Json, depth: number): Json {
  if (typeof value === 'string') return withoutNamedValues(value);
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutNamed(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutNamed(item, depth + 1)]));
}

function isBytes(body: EventBody | Json): body is EventBody {
  return typeof body === 'object' && body !== null && 'start' in body && body.start instanceof Uint8Array;
}
