import { type Finding, read, secret, unknown, unlisted, write } from '../finding.ts';
import { foundAs, once, readNames } from '../operation-table.ts';
import { SLACK_OPERATIONS } from '../operations/slack.ts';
import type { RequestView } from '../request-view.ts';

export const slackOperations = once(() => readNames(SLACK_OPERATIONS));

const READ_VERB = /\.(?:list|info|history)$/;
// Answer with a token, or with an address that is as good as one.
const SECRETS =
  /^(?:oauth\.|openid\.|tooling\.tokens\.|rtm\.|apps\.connections\.|apps\.manifest\.|auth\.revoke$)/;

/** Slack: by API method, whatever the HTTP method; incoming webhooks write. */
export function classifySlack(view: RequestView): Finding | undefined {
  const { host, segments } = view;
  // The address of a webhook is the channel; its last part is the key to it, and is not told.
  if (host === 'hooks.slack.com')
    return write('webhook', 'comms:external', { object: [host, ...segments.slice(0, 3)].join('/') });
  if (segments[0] === 'oauth') return secret('oauth');
  if (segments[0] !== 'api') return view.isSafe ? read('web page') : unlisted(view, 'comms:external');
  const method = segments[1] ?? '';
  // Slack cuts the name at the slash; a path below a method is nothing that is published.
  if (segments.length !== 2 || !/^[a-z]+(?:\.[A-Za-z0-9]+)+$/i.test(method))
    return unlisted(view, 'comms:external');
  if (view.method !== 'GET' && view.method !== 'POST') return unlisted(view, 'comms:external');
  const row = slackOperations().get(method);
  const channels = channelsOf(view);
  const object = [host, ...(channels ?? [])].join(' ');
  if (row === undefined) {
    if (SECRETS.test(method)) return { ...secret(method), object };
    if (READ_VERB.test(method)) return read(method, 'custom:http', { object });
    return unknown(method, 'comms:external', { object });
  }
  // SECURITY: where a message goes is part of what was asked for [GA-11].
  if (channels === undefined && row.effect === 'write' && TO_A_CHANNEL.test(method))
    return unknown(`${method} to a channel that cannot be read`, row.type, { object });
  return foundAs(row, object);
}

const TO_A_CHANNEL = /^(?:chat|conversations|pins|reactions|bookmarks|files|canvases|assistant)\./;
const CHANNEL = ['channel', 'channel_id', 'channels', 'channel_ids'] as const;

/** The channels that a request names, in its query or its body; `undefined` when the body cannot be read. */
function channelsOf(view: RequestView): readonly string[] | undefined {
  const found = new Set(CHANNEL.flatMap((name) => view.query(name)));
  if (view.head.bodyPrefix !== undefined || !view.head.bodyComplete) {
    const form = view.mediaType() === 'application/x-www-form-urlencoded' ? view.wholeText() : undefined;
    const fields = form === undefined ? undefined : new URLSearchParams(form);
    const members = fields === undefined ? view.wholeJson() : undefined;
    if (fields === undefined && members === undefined) return undefined;
    for (const name of CHANNEL) {
      for (const value of fields?.getAll(name) ?? [members?.[name]].flat())
        if (typeof value === 'string') found.add(value);
    }
  }
  return [...found].flatMap((text) => text.split(',')).sort();
}
