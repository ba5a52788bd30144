/** Bound read-only where they exist; a link (`/bin` to `usr/bin`) stays a link. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/run/current-system/sw',
];

/**
 * What of /etc exists in a jail.
 *
 * SECURITY: a list of what is harmless, not of what is secret: root's jail could read /etc/shadow, and
 * `/etc/environment` or `/etc/gitconfig` may hold tokens. Name more with `readOnly`.
 */
export const ETC_ENTRIES: readonly string[] = [
  'X11',
  'alternatives',
  'bash.bashrc',
  'bashrc',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'emacs',
  'fonts',
  'gai.conf',
  'host.conf',
  'inputrc',
  'java-17-openjdk',
  'java-21-openjdk',
  'java-25-openjdk',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'locale.alias',
  'locale.conf',
  'lsb-release',
  'magic',
  'magic.mime',
  'mime.types',
  'nanorc',
  'nsswitch.conf',
  'openssl',
  'os-release',
  'perl',
  'pki/ca-trust',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'protocols',
  'python3',
  'redhat-release',
  'services',
  'shells',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
  'static/ssl',
  'terminfo',
  'texmf',
  'timezone',
  'vim',
  'wgetrc',
];

/**
 * Files of /proc that speak of the host, not of the jail: they read as empty.
 *
 * SECURITY: in root's jail the agent is the host's uid 0, to whom these files belong.
 */
export const PROC_MASKED: readonly string[] = [
  'kallsyms',
  'kcore',
  'key-users',
  'keys',
  'kmsg',
  'kpagecgroup',
  'kpagecount',
  'kpageflags',
  'latency_stats',
  'modules',
  'sched_debug',
  'slabinfo',
  'sysrq-trigger',
  'timer_list',
  'timer_stats',
  'vmallocinfo',
];

/** Folders of /proc that can be written by their owner: bound over themselves, read-only. */
export const PROC_READ_ONLY: readonly string[] = [
  'sys',
  'irq',
  'bus',
  'fs',
  'acpi',
  'scsi',
  'asound',
  'driver',
];
