/**
 * What a file's content must show before it is masked:
 * `key` a private key, `bare-key` that or nothing but one long word, `env` a value that is no placeholder, `json` the
 * login of a cloud or registry, `kube` a kube config, `registry` a password for a package registry, `any` one of all
 * these, `no-ref` anything but a git ref.
 */
export type Look = 'key' | 'bare-key' | 'env' | 'json' | 'kube' | 'registry' | 'any' | 'no-ref';

/** `masked` by its name alone; a `Look` by what it holds; undefined: not looked at. */
export type Suspicion = 'masked' | Look | undefined;

/** What the folders above a file say about it. */
export type Place = 'plain' | 'built' | 'git' | 'envs' | 'ssh' | 'secrets';

const BY_NAME = new Map<string, Suspicion>([
  ...masked('.netrc _netrc .pypirc .pgpass pgpass.conf .my.cnf .mylogin.cnf .git-credentials .vault-token'),
  ...masked('.s3cfg .boto rclone.conf .rclone.conf .htpasswd .dockercfg .credentials.json master.key'),
  ...masked('credentials.tfrc.json application_default_credentials.json credentials.db access_tokens.db'),
  ...masked('accesstokens.json msal_token_cache.json msal_token_cache.bin kubeconfig'),
  ...masked('.bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history'),
  ...looked(
    'registry',
    '.npmrc .yarnrc .yarnrc.yml .pip.conf pip.conf pip.ini nuget.config auth.json .curlrc',
  ),
  ...looked('registry', 'settings.xml .terraformrc terraform.rc .condarc .wgetrc gradle.properties'),
  // Thousands of these in every project, and none of them is a login.
  ...looked(undefined, 'package.json package-lock.json tsconfig.json composer.json bower.json manifest.json'),
  ...looked(undefined, 'license licence readme makefile dockerfile changelog notice authors codeowners'),
]);

/** By the folder that it stands in. */
const BY_FOLDER = new Map<string, Suspicion>([
  ...masked('.aws/credentials .aws/config .kube/config .cargo/credentials .cargo/credentials.toml'),
  ...masked('.gem/credentials git/credentials gh/hosts.yml glab-cli/config.yml .codex/auth.json'),
  ...masked('agent/auth.json opencode/auth.json'),
  ...looked('registry', '.bundle/config'),
]);

const BY_ENDING = new Map<string, Suspicion>([
  ...masked('env flaskenv p12 pfx kdbx ppk keytab jks keystore bks kubeconfig'),
  ...looked('bare-key', 'key'),
  ...looked('key', 'pem p8 pk8 priv asc crt cert cer der ovpn conf'),
  ...looked('json', 'json'),
  ...looked('kube', 'yaml yml'),
  ...looked('any', 'tfvars tfstate'),
]);

/** A copy is as secret as what it is a copy of: `.env~`, `prod.env.bak`, `.server.key.swp`, `#.env#`. */
const COPY =
  /(?:~|#| ?\(\d{1,3}\)|[ ._-](?:bak|old|orig|save|sav|swp|swo|backup|copy|tmp|disabled|off|\d{1,14}))+$|^\.?#/g;
/** For people to fill in. A real value in one is found by its content. */
const PATTERN =
  /[._-](?:examples?|samples?|template|tmpl|tpl|dist|schema|defaults?)$|^\.?(?:examples?|sample|template)[._-]/;
const IS_ENV = /^\.(?:env|flaskenv|dev\.vars)/;
/** `prod.env.local`, `env.production`, but no `config.env.ts`. */
const SPEAKS_OF_ENV = /(?:^|\.)env(?:\.[\w-]+){0,3}$/;
const SSH_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?$/;
/** Android's own, which every project has; and stores of certificates. */
const NO_SECRET_STORE = /^debug\.keystore$|(?:trust|cacerts).*\.(?:jks|keystore|bks|p12|pfx)$/;
/** Of programs, texts and pictures, which a workspace has most of. */
const HARMLESS = new Set(
  (
    'js mjs cjs jsx ts mts cts tsx map py pyc pyi rb go rs php sh html css scss less md mdx txt vue svelte java kt ' +
    'class c h cc cpp hpp o a so cs swift lua ejs erb svg png jpg jpeg gif ico woff woff2 ttf pdf wasm node lock snap'
  ).split(' '),
);
/** Names that speak of secrets, of files that hold data. */
const HINT =
  /secret|credential|passw|token|api[-_.]?key|access[-_.]?key|private[-_.]?key|service[-_.]?account|(?:^|[-_.])(?:keys?|auth)(?:$|\.)|^id_/;
const DATA = new Set(['', 'txt', 'json', 'yaml', 'yml', 'toml', 'ini', 'cfg', 'properties', 'xml', 'csv']);
/** Files of git's own store: nothing else is called so. */
const GIT_OBJECT = /^[0-9a-f]{38}$|^[0-9a-f]{62}$/;
const HARMLESS_OF_SSH = /^(?:config|known_hosts.*|authorized_keys|allowed_signers|.*\.pub)$/;

/**
 * What the name of a file says about it, in whatever case it is written.
 *
 * By name, because a file that is called `.env` is one; by content (`Look`) where most files of that name are harmless.
 */
export function suspectName(name: string, folder: string, place: Place): Suspicion {
  const lower = name.toLowerCase();
  const suspicion = suspect(lower, folder.toLowerCase(), place);
  // A branch may be called `prod.env`, and git keeps it in a file of that name; none begins with a dot.
  if (place !== 'git' || lower.startsWith('.')) return suspicion;
  return suspicion === 'masked' || suspicion === 'bare-key' ? 'no-ref' : suspicion;
}

/** What the name of a folder says about the files below it. */
export function placeBelow(place: Place, parent: string, name: string): Place {
  const lower = name.toLowerCase();
  const last = `${parent.slice(parent.lastIndexOf('/') + 1).toLowerCase()}/${lower}`;
  if (place === 'secrets' || SECRET_FOLDERS.has(lower) || SECRET_FOLDERS.has(last)) return 'secrets';
  if (lower === '.ssh' || place === 'ssh') return 'ssh';
  if (lower === '.envs' || place === 'envs') return 'envs';
  // Also of a bare repository, which is not called `.git`.
  if (place === 'git' || ['.git', 'refs', 'logs'].includes(lower)) return 'git';
  return BUILT_FOLDERS.has(lower) ? 'built' : place;
}

/** Made by package managers and builds. Their caches hold whatever source files hold, under names without an ending. */
const BUILT_FOLDERS = new Set(
  'node_modules .venv venv __pycache__ target .cache dist build .next .turbo .gradle vendor'.split(' '),
);

const SECRET_FOLDERS = new Set([
  ...['.gnupg', '.password-store', '.aws/sso', '.aws/cli', '.config/gcloud', '.config/op', '.config/sops'],
  'share/keyrings',
]);

function suspect(lower: string, folder: string, place: Place): Suspicion {
  if (place === 'secrets') return 'masked';
  if (place === 'ssh') return HARMLESS_OF_SSH.test(lower) ? undefined : 'masked';
  const isHarmless = HARMLESS.has(lower.slice(lower.lastIndexOf('.') + 1));
  if (isHarmless && !lower.startsWith('.') && !HINT.test(lower)) return undefined;
  if (place === 'git' && GIT_OBJECT.test(lower)) return undefined;
  const name = lower.replace(COPY, '');
  const inFolder = BY_FOLDER.get(`${folder}/${name}`);
  if (inFolder !== undefined) return inFolder;
  if (BY_NAME.has(name)) return BY_NAME.get(name);
  const isPattern = PATTERN.test(name);
  if (IS_ENV.test(name)) return isPattern ? 'env' : 'masked';
  if (SSH_KEY.test(name)) return 'masked';
  const dot = name.lastIndexOf('.');
  const ending = dot <= 0 ? '' : name.slice(dot + 1);
  if ((DATA.has(ending) && HINT.test(name)) || name.endsWith('.tfvars.json')) return 'any';
  if (ending === 'env' && isPattern) return 'env';
  const byEnding = BY_ENDING.get(ending);
  if (byEnding === 'masked' && NO_SECRET_STORE.test(name)) return undefined;
  if (byEnding !== undefined) return byEnding;
  if (HARMLESS.has(ending)) return undefined;
  if (place === 'envs' || SPEAKS_OF_ENV.test(isPattern ? name.replace(PATTERN, '') : name)) return 'env';
  // Keys are often called `deploy_key`, or like a machine.
  return ending === '' && place !== 'built' ? 'key' : undefined;
}

function masked(names: string): readonly (readonly [string, Suspicion])[] {
  return looked('masked', names);
}

function looked(suspicion: Suspicion, names: string): readonly (readonly [string, Suspicion])[] {
  return names.split(' ').map((name) => [name, suspicion] as const);
}
