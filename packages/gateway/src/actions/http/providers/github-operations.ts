// Areas of GitHub's REST API, kept by hand after its published reference (version 2022-11-28). A path below none
// of them is not in the list.

const TOP = `
  advisories app applications apps assignments classrooms codes_of_conduct emojis enterprises events feeds gists
  gitignore installation issues licenses marketplace_listing meta networks notifications octocat rate_limit search
  teams users versions zen
`;

const REPO = `
  actions activity agents assignees attestations autolinks automated-security-fixes branches check-runs check-suites
  code-quality code-scanning code-security-configuration codeowners codespaces collaborators comments commits
  community compare contents contributors dependabot dependency-graph deployments dispatches environments events
  forks generate git hooks immutable-releases import installation interaction-limits invitations issues keys labels languages
  license merge-upstream merges milestones notifications pages private-vulnerability-reporting projects properties
  pulls readme releases rules rulesets secret-scanning security-advisories stargazers stats statuses subscribers
  subscription tags tarball teams topics traffic transfer vulnerability-alerts zipball
`;

const ORG = `
  actions artifacts attestations audit-log blocks campaigns code-scanning code-security codespaces copilot
  credential-authorizations dependabot docker events failed_invitations hooks immutable-releases insights installation
  installations interaction-limits invitations issue-fields issue-types issues members memberships migrations
  network-configurations organization-fine-grained-permissions organization-roles outside_collaborators packages
  private-registries projects projectsV2 properties public_members repos rulesets security-advisories security-managers
  settings team team-sync teams
`;

const USER = `
  blocks codespaces docker email emails events followers following gpg_keys hovercard installations
  interaction-limits issues keys marketplace_purchases memberships migrations orgs packages projects public_emails
  received_events repos repository_invitations social_accounts ssh_signing_keys starred subscriptions teams
`;

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Path templates of everything that GitHub publishes, by area. */
export const GITHUB_AREAS: readonly string[] = [
  '/',
  '/markdown/**',
  ...words(TOP).map((area) => `/${area}/**`),
  '/organizations',
  '/orgs/{org}',
  ...words(ORG).map((area) => `/orgs/{org}/${area}/**`),
  '/user',
  '/user/{id}',
  ...words(USER).map((area) => `/user/${area}/**`),
  '/repositories',
  '/repos/{owner}/{repo}',
  ...words(REPO).map((area) => `/repos/{owner}/{repo}/${area}/**`),
];

/** POSTs that change nothing. */
export const GITHUB_POST_READS: readonly string[] = [
  '/markdown',
  '/markdown/raw',
  '/repos/{owner}/{repo}/releases/generate-notes',
  '/orgs/{org}/attestations/bulk-list',
  '/users/{username}/attestations/bulk-list',
];

/** Whatever the method: these answer with a secret, or make one. */
export const GITHUB_SECRETS: readonly string[] = [
  '/app/installations/{id}/access_tokens',
  '/app/hook/**',
  '/app-manifests/{code}/conversions',
  '/applications/{client}/**',
  '/repos/{owner}/{repo}/secret-scanning/**',
  '/orgs/{org}/secret-scanning/**',
  '/enterprises/{enterprise}/secret-scanning/**',
  '/repos/{owner}/{repo}/actions/runners/registration-token',
  '/repos/{owner}/{repo}/actions/runners/remove-token',
  '/repos/{owner}/{repo}/actions/runners/generate-jitconfig',
  '/orgs/{org}/actions/runners/registration-token',
  '/orgs/{org}/actions/runners/remove-token',
  '/orgs/{org}/actions/runners/generate-jitconfig',
  '/enterprises/{enterprise}/actions/runners/registration-token',
  '/enterprises/{enterprise}/actions/runners/remove-token',
  '/enterprises/{enterprise}/actions/runners/generate-jitconfig',
  '/credentials/revoke',
  '/installation/token',
  '/orgs/{org}/personal-access-tokens/**',
  '/orgs/{org}/personal-access-token-requests/**',
];

/** Writes that change who may do what, or that nothing brings back. */
export const GITHUB_ADMIN: readonly string[] = [
  '/repos/{owner}/{repo}',
  '/repos/{owner}/{repo}/transfer',
  '/repos/{owner}/{repo}/collaborators/**',
  '/repos/{owner}/{repo}/invitations/**',
  '/repos/{owner}/{repo}/keys/**',
  '/repos/{owner}/{repo}/hooks/**',
  '/repos/{owner}/{repo}/rulesets/**',
  '/repos/{owner}/{repo}/environments/**',
  '/repos/{owner}/{repo}/branches/**',
  '/repos/{owner}/{repo}/actions/secrets/**',
  '/repos/{owner}/{repo}/actions/permissions/**',
  '/repos/{owner}/{repo}/dependabot/secrets/**',
  '/repos/{owner}/{repo}/codespaces/secrets/**',
  '/repos/{owner}/{repo}/automated-security-fixes',
  '/repos/{owner}/{repo}/vulnerability-alerts',
  '/repos/{owner}/{repo}/pages/**',
  '/orgs/**',
  '/enterprises/**',
  '/teams/**',
  '/user/**',
  '/app/**',
];
