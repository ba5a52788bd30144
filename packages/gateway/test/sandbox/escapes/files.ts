import { type Escape, SHOWS_SECRET } from './escape.ts';

const SECRET_FILES = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.config/gh/hosts.yml',
  '.config/gcloud/credentials.db',
  '.netrc',
  '.kube/config',
  '.local/share/keyrings/login.keyring',
];

/** Reading what is the host's, and writing outside the workspace. */
export const FILE_ESCAPES: readonly Escape[] = [
  ...SECRET_FILES.map(
    (file): Escape => ({
      id: 'JA-2',
      why: `~/${file} is not there`,
      script: ({ home }) => `cat "${home}/${file}" | ${SHOWS_SECRET}`,
      outside: true,
    }),
  ),
  {
    id: 'JA-2',
    why: 'the operator token is not there',
    script: ({ gatewayHome }) => `cat "${gatewayHome}/operator.token" | ${SHOWS_SECRET}`,
    outside: true,
  },
  {
    id: 'JA-2',
    why: 'nothing below the home is readable by any path',
    script: ({
      home,
    }) => `grep -rs 'top[-]secret' "${home}" "${home}/.." / --exclude-dir=proc --exclude-dir=usr \
      --exclude-dir=opt >/dev/null && echo ESCAPED`,
  },
  {
    id: 'JA-2',
    why: 'a .env file of the workspace reads as empty',
    script: () => `cat .env packages/app/.env.local | ${SHOWS_SECRET}`,
    outside: true,
  },
  {
    id: 'JA-9',
    why: 'nothing like a .env file of the workspace can be read, wherever it is and in whatever case',
    script: () =>
      `cat prod.env .flaskenv .dev.vars deploy/PROD.ENV node_modules/moved/here/.env .git/moved/.env | ${SHOWS_SECRET}`,
    outside: true,
  },
  {
    id: 'JA-9',
    why: 'keys and logins in the workspace read as empty',
    script: () => `cat .kube/config tls/server.pem sa.json .npmrc | ${SHOWS_SECRET}`,
    outside: true,
  },
  {
    id: 'JA-2',
    why: 'a mask cannot be moved, removed or copied away',
    script: () =>
      `{ mv packages moved; cat moved/app/.env.local; mv moved packages; rm -f .env; mv .env x; ln .env y; cat x y .env; } | ${SHOWS_SECRET}`,
    outside: true,
  },
  {
    id: 'JA-2',
    why: 'a link in the workspace leads to nothing',
    script: () => `cat link-to-secret | ${SHOWS_SECRET}`,
    outside: true,
  },
  {
    id: 'JA-2',
    why: 'password hashes are not there',
    script: () =>
      `test -s /etc/shadow && echo ESCAPED; test -e /etc/ssh && echo ESCAPED; test -e /etc/sudoers && echo ESCAPED`,
  },
  {
    id: 'JA-2',
    why: 'the disk cannot be read as a device',
    script: () =>
      `test -b /dev/vda && echo ESCAPED; mknod d b 254 0 && head -c 1 d && echo ESCAPED; ls /dev/mem /dev/kmsg 2>/dev/null && echo ESCAPED`,
  },
  {
    id: 'JA-2',
    why: 'the memory of the kernel and its keys read as empty',
    script: () =>
      `cat /proc/kcore /proc/keys /proc/timer_list /proc/slabinfo /proc/kpageflags 2>/dev/null | head -c 1 | grep -q . && echo ESCAPED; grep -qv '^0* ' /proc/kallsyms && echo ESCAPED`,
  },
  {
    id: 'JA-3',
    why: 'a folder beside the workspace cannot be written',
    script: ({ beside }) =>
      `echo x > "${beside}/escaped"; mkdir -p "${beside}" && echo x > "${beside}/escaped"; true`,
  },
  {
    id: 'JA-3',
    why: 'system folders are read-only',
    script: () =>
      `for f in /usr/escaped /etc/escaped /bin/escaped /opt/escaped /escaped /dev/escaped; do touch $f && echo ESCAPED; done`,
  },
  {
    id: 'JA-3',
    why: 'a read-only mount cannot be made writable',
    script: () => `mount -o remount,rw / && echo ESCAPED; mount -o remount,rw,bind /usr && echo ESCAPED`,
  },
  {
    id: 'JA-3',
    why: 'a link that leads out of the workspace writes nothing outside',
    script: ({ beside }) =>
      `ln -s "${beside}" way-out; echo x > way-out/escaped; echo x > link-to-beside/escaped; true`,
  },
  {
    id: 'JA-3',
    why: 'a hard link to a file of the system cannot be made',
    script: () => `ln /usr/bin/env hard && echo ESCAPED; ln /etc/hosts hard2 && echo ESCAPED`,
  },
  {
    id: 'JA-3',
    why: 'settings of the kernel cannot be written, though root’s jail owns these files',
    script: () =>
      `for f in kernel/core_pattern kernel/hostname vm/drop_caches fs/file-max; do (echo "$(cat /proc/sys/$f)" > /proc/sys/$f) && echo ESCAPED; done; (echo h > /proc/sysrq-trigger) && [ ! -c /proc/sysrq-trigger ] && echo ESCAPED; true`,
  },
  {
    id: 'JA-3',
    why: 'there is no /sys to write',
    script: () => `test -e /sys/kernel && echo ESCAPED; test -e /sys/fs/cgroup && echo ESCAPED`,
  },
  {
    id: 'JA-3',
    why: 'no set-uid file can be left in the workspace for others to run',
    script: () =>
      `cp /usr/bin/env suid && chmod 4755 suid; chmod 2755 suid; install -m 6755 /usr/bin/env suid2; perl -e 'umask 0; sysopen(F, "suid3", 0101, 04755); mkdir "d", 0777'; [ -u suid ] && echo ESCAPED; [ -u suid2 ] && echo ESCAPED; [ -u suid3 ] && echo ESCAPED; [ -g suid ] && echo ESCAPED`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'set-uid programs of the system give nothing',
    script: () =>
      `su -c 'echo ESCAPED' nobody </dev/null; grep -E 'CapEff:\\s+0*[1-9a-f]' /proc/self/status && echo ESCAPED; grep -q 'NoNewPrivs:.1' /proc/self/status || echo ESCAPED`,
  },
];
