import { type Finding, read, secret, unknown, write } from '../finding.ts';
import type { RequestView } from '../request-view.ts';

// Methods of Slack's Web API that only answer. Slack takes GET and POST alike, so the method says nothing.
const READS = new Set(
  `api.test auth.test auth.teams.list bookmarks.list bots.info calls.info chat.getPermalink
  chat.scheduledMessages.list conversations.history conversations.info conversations.list conversations.members
  conversations.replies dnd.info dnd.teamInfo emoji.list files.info files.list files.remote.info files.remote.list
  migration.exchange pins.list reactions.get reactions.list reminders.info reminders.list search.all search.files
  search.messages stars.list team.accessLogs team.billableInfo team.billing.info team.info team.integrationLogs
  team.preferences.list team.profile.get usergroups.list usergroups.users.list users.conversations
  users.discoverableContacts.lookup users.getPresence users.identity users.info users.list users.lookupByEmail
  users.profile.get`.split(/\s+/),
);
const READ_VERB = /\.(?:list|info|history)$/;
// Answer with a token, or with an address that is as good as one.
const SECRETS =
  /^(?:oauth\.|openid\.|tooling\.tokens\.|rtm\.|apps\.connections\.|apps\.manifest\.|auth\.revoke$)/;

/** Slack: by API method, whatever the HTTP method; incoming webhooks write. */
export function classifySlack(view: RequestView): Finding | undefined {
  const { host, segments } = view;
  if (host === 'hooks.slack.com') return write('webhook', 'comms:external');
  if (segments[0] === 'oauth') return secret('oauth');
  if (segments[0] !== 'api')
    return view.isSafe ? read('web page') : unknown('Slack operation', 'comms:external');
  const method = segments[1] ?? '';
  // Slack cuts the name at the slash; a path below a method is nothing that is published.
  if (segments.length !== 2 || !/^[a-z]+(?:\.[A-Za-z0-9]+)+$/.test(method)) {
    return unknown('Slack method', 'comms:external');
  }
  if (SECRETS.test(method)) return secret(method);
  if (view.method !== 'GET' && view.method !== 'POST')
    return unknown(`${view.method} ${method}`, 'comms:external');
  if (READS.has(method) || READ_VERB.test(method)) return read(method);
  return write(method, 'comms:external', method.startsWith('admin.') ? { risk: 'critical' } : {});
}
