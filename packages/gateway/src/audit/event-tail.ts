import type { AuditLevel, JsonObject, NewEvent } from '@sallyport/protocol';
import { describeDetail } from './detail/describe-detail.ts';
import type { Redactor } from './redaction/redactor.ts';

/**
 * The redacted end of an event's line, from the value of `actor` on, with as much detail as the level lets in.
 * `more` is data that takes the place of the event's own.
 */
export function eventTail(event: NewEvent, level: AuditLevel, redactor: Redactor, more?: JsonObject): string {
  const detail = event.detail === undefined ? undefined : describeDetail(event.detail, level, redactor);
  const data = detail === undefined ? event.data : { ...event.data, detail };
  const { actor } = event;
  // A session acts often, and as one frozen object each time.
  const who = Object.isFrozen(actor) ? redactor.stringifyConstant(actor) : redactor.stringify(actor);
  // The columns come before.
  return `${who},"data":${redactor.stringifyMembers(data, more)}}`;
}

/**
 * A tail with more data at its end; undefined when it must be written anew: something else stands there under the same
 * name, or something must be taken out.
 */
export function extendTail(
  tail: string,
  data: JsonObject,
  more: JsonObject,
  redactor: Redactor,
): string | undefined {
  for (const key in more) if (Object.hasOwn(data, key) && data[key] !== more[key]) return undefined;
  const members = redactor.cleanMembers(more, data);
  if (members === undefined || tail.endsWith('{}}')) return undefined;
  return members === '' ? tail : `${tail.slice(0, -2)},${members}}}`;
}
