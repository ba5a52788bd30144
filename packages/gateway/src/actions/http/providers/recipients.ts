import { createHash } from 'node:crypto';
import type { Operation } from '../operation-table.ts';
import { isMembers } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';

/** Fields of a form that say who gets a message. */
const FORM = /^(?:TopicArn|TargetArn|PhoneNumber|Destination\.\w+\.member\.\d+|Destinations\.member\.\d+)$/;
const ADDRESSES = ['ToAddresses', 'CcAddresses', 'BccAddresses'] as const;

/**
 * Who gets a message is part of what is done: the object, with the recipients where they can be read, else with all of
 * the body by its digest.
 *
 * SECURITY: a yes to a mail to one person is none to a mail to another [GA-11].
 */
export function withRecipients(view: RequestView, { name, type }: Operation, object: string): string {
  if (type !== 'comms:external' || !/^(?:ses|sns):/.test(name)) return object;
  const found = inForm(view) ?? inJson(view);
  if (found !== undefined && found.length > 0) return `${object} to ${[...new Set(found)].sort().join(' ')}`;
  const body = view.wholeBody() ?? view.head.bodyPrefix ?? new Uint8Array();
  const whole = view.wholeBody() === undefined ? 'a body that cannot be read, from ' : 'those in ';
  return `${object} to ${whole}${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
}

function inForm(view: RequestView): readonly string[] | undefined {
  const text = view.mediaType() === 'application/x-www-form-urlencoded' ? view.wholeText() : undefined;
  if (text === undefined) return undefined;
  return [...new URLSearchParams(text)].flatMap(([name, value]) => (FORM.test(name) ? [value] : []));
}

/** SES, version 2: a mail whose recipients are all in one place. */
function inJson(view: RequestView): readonly string[] | undefined {
  const members = view.wholeJson();
  const destination = members?.Destination;
  if (!isMembers(destination)) return undefined;
  // A raw message has headers of its own.
  if (isMembers(members?.Content) && members.Content.Raw !== undefined) return undefined;
  const given = ADDRESSES.flatMap((name) => destination[name] ?? []);
  return given.every((address) => typeof address === 'string') ? given : undefined;
}
