import { readFileSync } from 'node:fs';
import type { StartedRun } from '@sallyport/protocol';

/** Names, and beginnings of names, of what an agent may know of the terminal and the person's habits. */
const KEPT = new Set([
  'TERM',
  'COLORTERM',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'COLUMNS',
  'LINES',
  'LANG',
  'LANGUAGE',
  'TZ',
  'USER',
  'LOGNAME',
  'SHELL',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'LESS',
  'MANPAGER',
  'CI',
]);

/** Where files are inside a jail, or on this machine for an unconfined run. */
export interface RunPlaces {
  readonly home: string;
  readonly path: string;
  /** the authority of the proxy */
  readonly caFile: string;
  /** the system's roots and ours */
  readonly bundleFile: string;
}

/** Hosts whose SSH remotes are spoken to over HTTPS. */
const GIT_HOSTS = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'];

/**
 * The whole environment of a jailed agent.
 *
 * SECURITY: an allowlist: whatever else the caller's environment holds stays outside [JA-2, CR-1].
 */
export function jailedEnv(
  caller: NodeJS.ProcessEnv,
  started: StartedRun,
  places: RunPlaces,
  git: GitSettings,
): Record<string, string> {
  const kept = Object.entries(caller).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (KEPT.has(entry[0]) || entry[0].startsWith('LC_')),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: places.home,
    PATH: places.path,
    TMPDIR: '/tmp',
    ...addedEnv(started, places, `http://127.0.0.1:${started.ports.proxy}`, git),
  };
}

/** What an unconfined agent gets on top of everything it has. */
export function unconfinedEnv(
  caller: NodeJS.ProcessEnv,
  started: StartedRun,
  places: Pick<RunPlaces, 'caFile' | 'bundleFile'>,
): Record<string, string | undefined> {
  const { proxy } = started.ports;
  const proxyUrl = `http://session:${started.session_token}@127.0.0.1:${proxy}`;
  const git = { names: [], hosts: [], before: Number(caller.GIT_CONFIG_COUNT ?? 0) };
  return { ...caller, ...addedEnv(started, places, proxyUrl, git) };
}

export interface GitSettings {
  /** `user.name` and the like */
  readonly names: readonly (readonly [string, string])[];
  /** hosts of this workspace's remotes */
  readonly hosts: readonly string[];
  /** settings that the environment has already */
  readonly before?: number;
}

function addedEnv(
  started: StartedRun,
  { caFile, bundleFile }: Pick<RunPlaces, 'caFile' | 'bundleFile'>,
  proxyUrl: string,
  git: GitSettings,
): Record<string, string> {
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  // The agent's own servers are in its own network; everything else has no other way than the proxy.
  const loopback = 'localhost,127.0.0.1,::1';
  return {
    ...Object.fromEntries(proxies.map((name) => [name, proxyUrl])),
    ...{ NO_PROXY: loopback, no_proxy: loopback, NODE_USE_ENV_PROXY: '1' },
    NODE_EXTRA_CA_CERTS: caFile,
    ...Object.fromEntries(BUNDLE_VARIABLES.map((name) => [name, bundleFile])),
    ...gitEnv(git),
    ...started.env,
    ...(started.env.AWS_ACCESS_KEY_ID === undefined ? {} : { AWS_EC2_METADATA_DISABLED: 'true' }),
    SALLYPORT_SESSION_ID: started.session_id,
    SALLYPORT_API: `http://127.0.0.1:${started.ports.api}`,
  };
}

/** By which programs are told what to trust instead of the system's own list. */
const BUNDLE_VARIABLES = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'AWS_CA_BUNDLE',
  'PIP_CERT',
  'CARGO_HTTP_CAINFO',
  'npm_config_cafile',
  'DENO_CERT',
  'NIX_SSL_CERT_FILE',
  'BUNDLE_SSL_CA_CERT',
  'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH',
  'CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE',
];

/** Settings of git as variables: they need no file, and hold in every repository. */
function gitEnv({ names, hosts, before = 0 }: GitSettings): Record<string, string> {
  const settings = [
    ...names,
    // There is no way out for SSH: the same repositories are reached over HTTPS, where the proxy sees them.
    ...[...new Set([...GIT_HOSTS, ...hosts])].flatMap((host) => [
      [`url.https://${host}/.insteadOf`, `git@${host}:`] as const,
      [`url.https://${host}/.insteadOf`, `ssh://git@${host}/`] as const,
    ]),
  ];
  return {
    GIT_CONFIG_COUNT: String(before + settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${before + index}`, key],
        [`GIT_CONFIG_VALUE_${before + index}`, value],
      ]),
    ),
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Where systems keep their roots in one file. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The system's roots and the proxy's authority, for programs that take one file and nothing else. */
export async function caBundle(ownPem: string): Promise<string> {
  for (const path of SYSTEM_BUNDLES) {
    try {
      return `${readFileSync(path, 'utf8').trimEnd()}\n${ownPem}`;
    } catch {
      // not on this system
    }
  }
  const { rootCertificates } = await import('node:tls');
  return `${rootCertificates.join('\n')}\n${ownPem}`;
}
