/** Beside the config, for editors that complete and check YAML by a schema. */
export const SCHEMA_FILE = 'sallyport.schema.json';
export const SCHEMA_LINE = `# yaml-language-server: $schema=${SCHEMA_FILE}`;

const NAME_CHARACTER = /[^A-Za-z0-9._-]/g;

/**
 * The text of a first `sallyport.yaml`: tenant `default`, whose owner is the operating-system user.
 *
 * It loads without warnings on its own.
 */
export function firstConfigText({ osUser }: { readonly osUser: string }): string {
  const user = userName(osUser);
  return `${SCHEMA_LINE}
# Sallyport: who may do what through this gateway.
# A change is in force within a second; a broken one is refused and the old one stays.
# Check it: sallyport config check   Change it: sallyport setup   All settings: docs/config.md
# Secrets are never written here: name where they are read from (env:NAME, file:path).

tenants:
  default:
    # On whose behalf a session acts that names nobody, and which agent it is.
    default_user: ${JSON.stringify(user)}
    default_agent: dev
    users:
      ${JSON.stringify(user)}:
        roles: [owner]
        # Who this person is on each channel that may carry a decision.
        identities:${osUser === '' ? ' {}' : `\n          terminal: ${quoted(osUser)}`}
    # What changes something outside the agent's jail asks a person first, all but the exceptions.
    # In mode \`strict\` the exceptions do not count.
    mode: cautious
    branches:
      owned: ["{user}/*", "agent/*"] # agents push here freely
      protected: [main, master, "release/*"] # every push asks, each time
    exceptions:
      # In the repositories that the workspace names as its git remotes, and in no others:
      - github: contents # pushes and commits to owned branches
      - github: collaboration # pull requests from owned branches, plain comments and labels
      - gitlab: contents
      - gitlab: collaboration
      - bitbucket: contents
      # - { github: actions, repositories: [acme/app] } # workflow runs on owned branches there

# Where agents may go. @known is lists/known.yaml and the package registries that this machine uses.
# A host that no rule names asks a person, also for reading.
network:
  default: ask
  rules:
    - { host: "@known", action: allow }

# Deny beats allow; whoever has no role may do nothing.
roles:
  owner:
    allow: ["agent:*", "tool:*", "approve:*"]
  viewer:
    # may look: read and search files, and ask for pages
    allow: ["agent:dev", "tool:Read", "tool:Glob", "tool:Grep", "tool:LS", "tool:fs.read",
      "tool:fs.list", "tool:WebFetch", "tool:WebSearch", "tool:web.*", "tool:http"]
    deny: ["tool:Bash", "tool:Write", "tool:Edit"]

agents:
  dev:
    description: the coding agent on this machine
    # allow, ask or deny, then a tool; the first match counts. For example "deny:Bash(terraform *)".
    permissions: ["allow:*"]

# Try it:  sallyport explain --unconfined -- 'Bash(git push origin main)'
# How to write and test a policy: docs/policy.md        Ready ones: policies/
`;
}

/** A YAML text in quotes. JSON is YAML; a variable's sign in it is escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('${', () => '$${');
}

/** An operating-system user may be called what no name here may be, like `ana@corp`. */
export function userName(osUser: string): string {
  const name = osUser
    .replaceAll(NAME_CHARACTER, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  return name === '' || name === 'constructor' || name === 'prototype' ? 'owner' : name;
}
