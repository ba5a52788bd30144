import { SallyportError } from '@sallyport/protocol';

/** Variables of the host that a command gets: what programs need to work, nothing that people put secrets in. */
const FROM_HOST = ['HOME', 'LANG', 'LANGUAGE', 'LOGNAME', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

/** Make a program load code, options or a configuration that the caller chooses. */
const INJECTS = new RegExp(
  `^(?:${[
    'LD_.*',
    'DYLD_.*',
    'GCONV_PATH',
    'GLIBC_TUNABLES',
    'LOCPATH',
    'MALLOC_.*',
    'HOSTALIASES',
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_EXTRA_CA_CERTS',
    'NODE_REPL_.*',
    'npm_config_.*',
    'PYTHON.*',
    'PERL5?(?:LIB|OPT|DB).*',
    'RUBY(?:OPT|LIB)',
    'GEM_(?:HOME|PATH)',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'JDK_JAVA_OPTIONS',
    'CLASSPATH',
    'BASH_ENV',
    'BASH_FUNC_.*',
    'BASHOPTS',
    'SHELLOPTS',
    'ENV',
    'ZDOTDIR',
    'PROMPT_COMMAND',
    'PS4',
    'IFS',
    'CDPATH',
    'GIT_.*',
    'EDITOR',
    'VISUAL',
    'PAGER',
    'LESSOPEN',
    'OPENSSL_(?:CONF|ENGINES|MODULES)',
    'SSL_CERT_(?:FILE|DIR)',
    'SSLKEYLOGFILE',
    'PATH',
  ].join('|')})$`,
  'i',
);

const SAFE_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Refuses a variable that would decide what code runs: `SandboxRefused`. */
export function checkVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (INJECTS.test(name) || name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw new SallyportError('SandboxRefused', {
        message: `the variable \`${name}\` may not be set for a command`,
        hint: 'it could make the program run other code; pass what you need as an argument',
      });
    }
  }
}

/** What of the host's environment a command starts with. */
export function baseEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  path: string,
): Record<string, string> {
  const env: Record<string, string> = { PATH: path };
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && (FROM_HOST.includes(name) || name.startsWith('LC_'))) env[name] = value;
  }
  return env;
}

/** The folders of the host's PATH that belong to the system or to one of `extra`, in their order. */
export function restrictedPath(hostPath: string, extra: readonly string[]): string {
  const allowed = hostPath.split(':').filter((folder) => {
    const clean = folder.replace(/\/+$/, '');
    if (!clean.startsWith('/') || clean.split('/').includes('..')) return false;
    return SAFE_FOLDERS.includes(clean) || extra.some((prefix) => isBelow(prefix.replace(/\/+$/, ''), clean));
  });
  return (allowed.length === 0 ? ['/usr/bin', '/bin'] : allowed).join(':');
}

function isBelow(prefix: string, folder: string): boolean {
  return prefix.startsWith('/') && (folder === prefix || folder.startsWith(`${prefix}/`));
}
