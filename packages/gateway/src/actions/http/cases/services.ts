import { friendly, type HttpCase, hostile } from './case.ts';

const READ = 'read custom:http low';
const SECRET = 'write custom:http critical';
const SEND = 'write comms:external high';
const UNSENT = 'write comms:external critical';
const SLACK = 'https://slack.com/api';
const DATADOG = 'https://api.datadoghq.com/api';
const NPM = 'https://npm.corp.example';

export const SERVICE_CASES: readonly HttpCase[] = [
  // Slack
  friendly('channels', `GET ${SLACK}/conversations.list`, READ),
  friendly('history by POST', `POST ${SLACK}/conversations.history`, READ, { body: 'channel=C1' }),
  friendly('a list that is newer than the table', `GET ${SLACK}/admin.apps.approved.list`, READ),
  hostile('a message by POST', `POST ${SLACK}/chat.postMessage`, SEND, { body: 'text=a' }),
  hostile('a message by GET', `GET ${SLACK}/chat.postMessage?channel=C1&text=a`, SEND),
  hostile('a webhook', 'POST https://hooks.slack.com/services/T/B/x', SEND),
  hostile('a webhook that is asked', 'GET https://hooks.slack.com/triggers/T/1/x', SEND),
  hostile('the API at a workspace', 'GET https://acme.slack.com/api/chat.delete?ts=1', SEND),
  hostile('a token', `GET ${SLACK}/oauth.v2.access?code=x`, SECRET),
  hostile('an address with a ticket', `POST ${SLACK}/apps.connections.open`, SECRET),
  hostile('a name that only ends alike', `GET ${SLACK}/chat.postlist`, UNSENT),
  friendly('a message to a channel', `POST ${SLACK}/chat.postMessage`, SEND, {
    body: '{"channel":"C1","text":"a"}',
    operation: 'chat.postMessage',
    object: 'slack.com C1',
  }),
  hostile('two channels', `POST ${SLACK}/chat.postMessage?channel=C2`, SEND, {
    body: 'channel=C1&text=a',
    object: 'slack.com C1 C2',
  }),
  hostile('a channel that cannot be read', `POST ${SLACK}/chat.postMessage`, UNSENT, {
    body: '{"channel":"C1"',
    cut: true,
    operation: 'unknown: chat.postMessage to a channel that cannot be read',
  }),
  hostile('a channel in a form of parts', `POST ${SLACK}/files.upload`, UNSENT, {
    body: '--x',
    headers: [['Content-Type', 'multipart/form-data; boundary=x']],
  }),
  hostile('a name in another case', `POST ${SLACK}/Chat.postMessage`, UNSENT),
  hostile('people are thrown out', `POST ${SLACK}/conversations.kick`, UNSENT, {
    body: 'channel=C1&user=U1',
  }),
  hostile(
    'a method behind a read',
    `GET ${SLACK}/users.list/chat.postMessage`,
    'write comms:external critical',
  ),
  hostile('an escape in the name', `GET ${SLACK}/chat%2epostMessage`, SEND),
  hostile('a read as DELETE', `DELETE ${SLACK}/users.list`, 'write comms:external critical'),
  hostile('administration', `POST ${SLACK}/admin.users.remove`, 'write comms:external critical'),
  // Datadog
  friendly('monitors', `GET ${DATADOG}/v1/monitor`, READ),
  friendly('a search for logs', `POST ${DATADOG}/v2/logs/events/search`, READ, { body: '{}' }),
  hostile('a monitor', `POST ${DATADOG}/v1/monitor`, 'write custom:http high', { body: '{}' }),
  hostile('keys', `GET ${DATADOG}/v1/api_key`, SECRET),
  hostile('keys, newer', `GET ${DATADOG}/v2/api_keys/x`, SECRET),
  hostile('an area that is not published', `GET ${DATADOG}/v9/everything`, SECRET),
  hostile('a search as PUT', `PUT ${DATADOG}/v2/logs/events/search`, SECRET),
  // Package registries
  friendly('a package', `GET ${NPM}/@scope%2fname`, READ),
  friendly('an audit', `POST ${NPM}/-/npm/v1/security/advisories/bulk`, READ, { body: '{}' }),
  friendly('a search', `GET ${NPM}/-/v1/search?text=a`, READ),
  friendly('a Python package', 'GET https://pypi.corp.example/simple/a/', READ),
  friendly('a crate', 'GET https://crates.corp.example/api/v1/crates/a/1.0.0/download', READ),
  friendly('a module', 'GET https://goproxy.corp.example/example.com/m/@v/list', READ),
  hostile('publishing to npm', `PUT ${NPM}/name`, SECRET),
  hostile('an audit below another path', `POST ${NPM}/x/-/npm/v1/security/audits`, SECRET),
  hostile('tokens of npm', `GET ${NPM}/-/npm/v1/tokens`, SECRET),
  hostile('a log-in', `PUT ${NPM}/-/user/org.couchdb.user:a`, SECRET),
  hostile('a Python upload', 'POST https://pypi.corp.example/legacy/', SECRET),
  hostile('a crate is published', 'PUT https://crates.corp.example/api/v1/crates/new', SECRET),
  hostile('a Maven upload', 'PUT https://maven.corp.example/a/b/1/b-1.jar', SECRET),
  hostile('a module proxy takes no writes', 'PATCH https://goproxy.corp.example/x', SECRET),
];
