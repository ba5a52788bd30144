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
 * What of /etc exists in a jail: files are handed over as they are, since a mount for each would cost half a
 * millisecond; a file that is a link into /usr stays a link.
 *
 * SECURITY: a list of what is harmless, not of what is secret: root's jail could read /etc/shadow, and
 * `/etc/environment` or `/etc/gitconfig` may hold tokens. Name more with `readOnly`.
 */
export const ETC_FILES: readonly string[] = [
  'bash.bashrc',
  'bashrc',
  'debian_version',
  'inputrc',
  'ld.so.cache',
  'locale.conf',
  'localtime',
  'lsb-release',
  'nsswitch.conf',
  'os-release',
  'pki/tls/cert.pem',
  'pki/tls/openssl.cnf',
  'protocols',
  'redhat-release',
  'services',
  'shells',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'timezone',
];

/** Folders of /etc, bound read-only. */
export const ETC_FOLDERS: readonly string[] = [
  'alternatives',
  'crypto-policies',
  'java-17-openjdk',
  'java-21-openjdk',
  'java-25-openjdk',
  'pki/ca-trust',
  'pki/tls/certs',
  'ssl/certs',
  'static/ssl',
];

/** Reads as empty in every jail: names of keys that belong to the user, not to the jail. */
export const PROC_MASKED: readonly string[] = ['keys'];

/**
 * Files of /proc that speak of the host: they read as empty.
 *
 * SECURITY: only in root's jail, where the agent is the host's uid 0, to whom these files belong. The kernel
 * refuses them to everyone else, and kcore or kmsg to whoever has no capabilities.
 */
export const PROC_MASKED_FOR_ROOT: readonly string[] = ['kpagecount', 'kpageflags', 'slabinfo', 'timer_list'];
