import { friendly, type HttpCase, hostile } from './case.ts';

const GITHUB = 'POST https://api.github.com/graphql';
const LINEAR = 'POST https://api.linear.app/graphql';
const READ = 'read custom:http low';
const WRITE = 'write custom:http high';
const UNKNOWN = 'write custom:http critical';
const ANY = '- contents *:unknown';

const gql = (query: string, more: Readonly<Record<string, unknown>> = {}): { readonly body: string } => ({
  body: JSON.stringify({ query, ...more }),
});

const COMMIT =
  'mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { url } } }';

export const GRAPHQL_CASES: readonly HttpCase[] = [
  friendly('a query', LINEAR, READ, { ...gql('{ viewer { id } }'), operation: 'query viewer' }),
  friendly('a named query', LINEAR, READ, gql('query A { issues { nodes { id } } }', { operationName: 'A' })),
  friendly(
    'the query among several operations',
    LINEAR,
    READ,
    gql('query A { viewer { id } } mutation B { issueDelete { success } }', { operationName: 'A' }),
  ),
  friendly(
    'a query with variables',
    LINEAR,
    READ,
    gql('query($id: String!) { issue(id: $id) { id } }', { variables: { id: 'x' } }),
  ),
  friendly(
    'variables and name may be null',
    LINEAR,
    READ,
    gql('{ viewer { id } }', { variables: null, operationName: null }),
  ),
  friendly('a comment', LINEAR, WRITE, {
    ...gql('mutation { commentCreate(input: {}) { success } }'),
    operation: 'mutation commentCreate',
  }),
  friendly('a commit on a branch', GITHUB, 'write vcs:push high', {
    ...gql(COMMIT, {
      variables: { input: { branch: { repositoryNameWithOwner: 'Acme/App', branchName: 'ana/x' } } },
    }),
    operation: 'mutation createCommitOnBranch',
    repo: 'github.com/acme/app contents refs/heads/ana/x:update',
  }),
  friendly('a commit with its input in the document', GITHUB, 'write vcs:push high', {
    ...gql(
      'mutation { createCommitOnBranch(input: {branch: {repositoryNameWithOwner: "a/b", branchName: "x"}}) { clientMutationId } }',
    ),
    repo: 'github.com/a/b contents refs/heads/x:update',
  }),
  hostile('an override takes the name that an exception could match', LINEAR, UNKNOWN, {
    ...gql('mutation { commentCreate(input: {}) { success } }'),
    headers: [['X-HTTP-Method-Override', 'DELETE']],
    operation: 'unknown: a method override',
  }),
  hostile('a mutation named like a query', LINEAR, WRITE, {
    ...gql('mutation query { issueDelete(id: "1") { success } }'),
    operation: 'mutation issueDelete',
  }),
  hostile('an alias hides the field', LINEAR, WRITE, {
    ...gql('mutation { commentCreate: issueDelete(id: "1") { success } }'),
    operation: 'mutation issueDelete',
  }),
  hostile('a fragment hides the field', LINEAR, WRITE, {
    ...gql('mutation { ...F } fragment F on Mutation { issueDelete(id: "1") { success } }'),
    operation: 'mutation issueDelete',
  }),
  hostile('an inline fragment hides the field', LINEAR, WRITE, {
    ...gql('mutation { commentCreate { success } ... on Mutation { issueDelete(id: "1") { success } } }'),
    operation: 'mutation commentCreate,issueDelete',
  }),
  hostile('a fragment that spreads itself ends', LINEAR, WRITE, {
    ...gql('mutation { ...F } fragment F on Mutation { ...F issueDelete { success } }'),
    operation: 'mutation issueDelete',
  }),
  hostile(
    'the mutation among several operations',
    LINEAR,
    WRITE,
    gql('query A { viewer { id } } mutation B { issueDelete { success } }', { operationName: 'B' }),
  ),
  hostile(
    'several operations and no name',
    LINEAR,
    UNKNOWN,
    gql('query A { viewer { id } } mutation B { issueDelete { success } }'),
  ),
  hostile(
    'an empty name picks none of several',
    LINEAR,
    UNKNOWN,
    gql('query A { viewer { id } } mutation B { x }', { operationName: '' }),
  ),
  hostile(
    'a name that does not exist',
    LINEAR,
    UNKNOWN,
    gql('query A { viewer { id } }', { operationName: 'B' }),
  ),
  hostile(
    'two operations of one name',
    LINEAR,
    UNKNOWN,
    gql('query A { viewer { id } } mutation A { x }', { operationName: 'A' }),
  ),
  hostile(
    'a name that is no string',
    LINEAR,
    UNKNOWN,
    gql('query A { viewer { id } }', { operationName: ['A'] }),
  ),
  hostile('a subscription stays open', LINEAR, UNKNOWN, gql('subscription { issueUpdated { id } }')),
  hostile('JSON that is a form to whoever goes by the media type', LINEAR, UNKNOWN, {
    body: '{"query":"{ a }","x":"&query=mutation{b}&"}',
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  }),
  hostile('two media types', LINEAR, UNKNOWN, {
    ...gql('{ a }'),
    headers: [
      ['Content-Type', 'application/json'],
      ['content-type', 'multipart/form-data'],
    ],
  }),
  hostile('another charset may spell another document', LINEAR, UNKNOWN, {
    ...gql('{ a }'),
    headers: [['Content-Type', 'application/json; charset=utf-7']],
  }),
  hostile(
    'values that nest deep are read or not known, never a crash',
    LINEAR,
    UNKNOWN,
    gql(`mutation { a(x: ${'['.repeat(1_000)}${']'.repeat(1_000)}) }`),
  ),
  hostile('a syntax error', LINEAR, UNKNOWN, gql('query { viewer { id }')),
  hostile('an empty document', LINEAR, UNKNOWN, gql('')),
  hostile('only a schema', LINEAR, UNKNOWN, gql('type Query { a: Int }')),
  hostile('a batch', LINEAR, UNKNOWN, { body: '[{"query":"{ viewer { id } }"},{"query":"mutation { x }"}]' }),
  hostile('a persisted query', LINEAR, UNKNOWN, {
    body: '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
  }),
  hostile('two documents in one body', LINEAR, UNKNOWN, {
    body: '{"query":"{ viewer { id } }","query":"mutation { x }"}',
  }),
  hostile('the second spelled with an escape', LINEAR, UNKNOWN, {
    body: '{"query":"{ a }","\\u0071uery":"mutation { x }"}',
  }),
  hostile(
    'another document in the query string',
    `${LINEAR}?query=mutation%7Bx%7D`,
    UNKNOWN,
    gql('{ viewer { id } }'),
  ),
  hostile('a body that goes on', LINEAR, UNKNOWN, { ...gql('{ viewer { id } }'), cut: true }),
  hostile('a compressed body', LINEAR, UNKNOWN, {
    ...gql('{ viewer { id } }'),
    headers: [['content-encoding', 'br']],
  }),
  hostile('no JSON', LINEAR, UNKNOWN, { body: 'query=%7Bviewer%7D' }),
  hostile('bytes that are no text', LINEAR, UNKNOWN, { body: new Uint8Array([0x7b, 0xff, 0x7d]) }),
  hostile('a GET with a document', 'GET https://api.linear.app/graphql?query=%7Ba%7D', UNKNOWN),
  hostile('nesting that is there to exhaust', LINEAR, UNKNOWN, gql('{a'.repeat(9000) + '}'.repeat(9000))),
  hostile(
    'another path of the API',
    'POST https://api.linear.app/graphql/x',
    UNKNOWN,
    gql('{ viewer { id } }'),
  ),
  hostile('a token exchange', 'POST https://api.linear.app/oauth/token', UNKNOWN),
  hostile('a commit by an opaque branch id', GITHUB, 'write vcs:push high', {
    ...gql(COMMIT, {
      variables: { input: { branch: { id: 'x', branchName: 'ana/x', repositoryNameWithOwner: 'a/b' } } },
    }),
    repo: 'github.com/a/b contents *:unknown',
  }),
  hostile('a commit without its variables', GITHUB, 'write vcs:push high', { ...gql(COMMIT), repo: ANY }),
  hostile('two commits in one call', GITHUB, 'write vcs:push high', {
    ...gql(
      'mutation { createCommitOnBranch(input: {branch: {branchName: "x"}}) { a } b: createCommitOnBranch(input: {branch: {branchName: "main"}}) { a } }',
    ),
    repo: ANY,
  }),
  hostile('a forced ref by its id', GITHUB, 'write vcs:push high', {
    ...gql('mutation { updateRef(input: {refId: "x", oid: "y", force: true}) { clientMutationId } }'),
    repo: ANY,
  }),
  hostile('deleting a ref by its id', GITHUB, 'write vcs:push high', {
    ...gql('mutation { deleteRef(input: {refId: "x"}) { clientMutationId } }'),
    repo: '- contents *:delete',
  }),
  hostile('a merge into main', GITHUB, 'write vcs:push high', {
    ...gql('mutation { mergeBranch(input: {base: "main", head: "x"}) { clientMutationId } }'),
    repo: '- contents refs/heads/main:update',
  }),
  friendly('fields are told in one order, whatever the document has', LINEAR, WRITE, {
    ...gql(
      'mutation { issueUpdate(id: "1") { a } commentCreate(input: {}) { a } again: commentCreate { a } }',
    ),
    operation: 'mutation commentCreate,issueUpdate',
    object: 'linear.app',
  }),
  friendly('a comment on an issue of GitHub', GITHUB, WRITE, {
    ...gql('mutation($id: ID!) { addComment(input: {subjectId: $id, body: "a"}) { clientMutationId } }', {
      variables: { id: 'I_kwDO1' },
    }),
    operation: 'mutation addComment',
    object: 'github.com I_kwDO1',
  }),
  hostile('a field that nobody publishes', LINEAR, UNKNOWN, {
    ...gql('mutation { workspaceExplode { success } }'),
    operation: 'unknown: mutation workspaceExplode',
  }),
  hostile('one unknown field among known ones', LINEAR, UNKNOWN, {
    ...gql('mutation { commentCreate { success } commentcreate { success } }'),
    operation: 'unknown: mutation commentCreate,commentcreate',
  }),
  hostile('members of a workspace', LINEAR, UNKNOWN, {
    ...gql('mutation { a: userPromoteAdmin(id: "1") { success } }'),
    operation: 'mutation userPromoteAdmin',
  }),
  hostile('the riskiest of several fields counts', LINEAR, UNKNOWN, {
    ...gql(
      'mutation { commentCreate { success } ...F } fragment F on Mutation { webhookCreate { success } }',
    ),
    operation: 'mutation commentCreate,webhookCreate',
  }),
  hostile('a repository becomes public', GITHUB, UNKNOWN, {
    ...gql('mutation { updateRepository(input: {repositoryId: "R_1"}) { clientMutationId } }'),
    operation: 'mutation updateRepository',
    object: 'github.com R_1',
  }),
  hostile('protection of branches', GITHUB, UNKNOWN, {
    ...gql(
      'mutation { addComment: deleteBranchProtectionRule(input: {branchProtectionRuleId: "B"}) { clientMutationId } }',
    ),
    operation: 'mutation deleteBranchProtectionRule',
  }),
  ...['.github/workflows/ci.yml', './.GitHub/dependabot.yml', '.gitlab-ci.yml', '.circleci/config.yml'].map(
    (path) =>
      hostile(`a commit that changes ${path}`, GITHUB, 'write vcs:push critical', {
        ...gql(COMMIT, {
          variables: {
            input: {
              branch: { repositoryNameWithOwner: 'a/b', branchName: 'ana/x' },
              fileChanges: { additions: [{ path: 'a.txt' }], deletions: { path } },
            },
          },
        }),
        object: 'github.com/a/b',
        repo: 'github.com/a/b contents refs/heads/ana/x:update pipeline',
      }),
  ),
  hostile('what cannot be read may be a push', GITHUB, UNKNOWN, { body: '{', repo: ANY }),
];
