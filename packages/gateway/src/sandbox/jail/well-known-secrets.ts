/**
 * Where programs keep secrets below a home. None of these is visible in a jail, even where the home is bound.
 *
 * A list like this is never complete: what protects people is that the home itself is not in the jail.
 */
export const SECRETS_OF_HOME: readonly string[] = [
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.config/op',
  '.config/sops',
  '.docker',
  '.gnupg',
  '.kube',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.netrc',
  '.npmrc',
  '.pgpass',
  '.my.cnf',
  '.pypirc',
  '.ssh',
  '.terraform.d',
  '.vault-token',
  '.git-credentials',
  '.config/git/credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.local/share/opencode/auth.json',
  '.pi/agent/auth.json',
  'Library/Keychains',
  'Library/Cookies',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
];

/** `.env` files hold secrets; their patterns for people do not. */
export function isEnvFile(name: string): boolean {
  if (name === '.envrc') return true;
  if (name !== '.env' && !name.startsWith('.env.')) return false;
  return !/\.(example|sample|template|dist|schema|defaults)$/.test(name);
}
