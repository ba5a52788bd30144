import { type Escape, SHOWS_SECRET, syscall } from './escape.ts';

/** Other processes, the terminal, and the kernel's own doors. */
export const PROCESS_ESCAPES: readonly Escape[] = [
  {
    id: 'JA-4',
    why: 'the gateway cannot be signalled',
    script: ({ gatewayPid }) => `kill -CONT ${gatewayPid} && echo ESCAPED`,
    outside: true,
  },
  {
    id: 'JA-4',
    why: 'no process of the host is visible',
    script: () =>
      `[ "$(ls /proc | grep -c '^[0-9]')" -lt 20 ] || echo ESCAPED; ls /proc | grep -E '^[0-9]{4,}' && echo ESCAPED`,
  },
  {
    id: 'JA-2',
    why: 'environment and arguments of the gateway are not in /proc',
    script: ({ gatewayPid }) =>
      `cat /proc/${gatewayPid}/environ /proc/${gatewayPid}/cmdline /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n' | ${SHOWS_SECRET}`,
    outside: true,
  },
  {
    id: 'JA-2',
    why: 'whoever started the jail leaves nothing of their environment in it',
    script: () =>
      `tr '\\0' '\\n' < /proc/1/environ | grep -vxE 'PWD=/|SHLVL=.*|_=.*' && echo ESCAPED; for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ | grep -E '^(VITEST|npm_|SALLYPORT_)' && echo ESCAPED; done`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: '/proc/1/root is the jail’s own root',
    script: ({ home }) =>
      `for p in /proc/[0-9]*; do cat "$p/root${home}/.ssh/id_ed25519"; ls $p/root/boot $p/root/sys; done 2>/dev/null | grep -q . && echo ESCAPED`,
    outside: true,
  },
  {
    id: 'JA-4',
    why: 'no process can be traced',
    script: ({ gatewayPid }) =>
      `${syscall([101, 117], `16, ${gatewayPid}, 0, 0`)}; ${syscall([101, 117], '0, 0, 0, 0')}`,
    outside: true,
  },
  {
    id: 'JA-4',
    why: 'memory of other processes cannot be read by call',
    script: () =>
      `perl -e 'my $b = "x" x 16; my $v = pack("P Q", $b, 16); $r = syscall(${process.arch === 'arm64' ? 270 : 310}, $$ + 0, $v, 1, $v, 1, 0); print $r >= 0 ? "ESCAPED\\n" : "refused: $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-4',
    why: 'namespaces of others cannot be joined',
    script: ({ gatewayPid }) =>
      `nsenter -t ${gatewayPid} -m true && echo ESCAPED; nsenter -t 1 -n true && echo ESCAPED; ${syscall([308, 268], '0, 0')}`,
  },
  {
    id: 'JA-4',
    why: 'nothing can be typed into the terminal: TIOCSTI',
    script: () =>
      `perl -e 'my $c = "x"; for my $request (0x5412, 0x541c, 0x5412 | (1 << 32)) { $r = syscall(${process.arch === 'arm64' ? 29 : 16}, 0, $request, $c); print $! == 1 ? "refused\\n" : "ESCAPED $!\\n"; }'`,
    outside: true,
  },
  {
    id: 'JA-2',
    why: 'keyrings are closed: keyctl',
    script: () => syscall([250, 219], '0, -4, 1'),
    outside: true,
  },
  {
    id: 'JA-2',
    why: 'keyrings are closed: add_key',
    script: () =>
      `perl -e 'my ($t, $n, $v) = ("user", "k", "v"); $r = syscall(${process.arch === 'arm64' ? 217 : 248}, $t, $n, $v, 1, -2); print $r >= 0 ? "ESCAPED\\n" : "refused: $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'no mount',
    script: () =>
      `mkdir -p m; mount -t tmpfs none m && echo ESCAPED; perl -e 'my $t = "tmpfs"; print syscall(430, $t, 0) >= 0 ? "ESCAPED\\n" : "refused: $!\\n"'`,
  },
  {
    id: 'JA-3',
    why: 'no user namespace with all rights in it',
    script: () =>
      `unshare -r true && echo ESCAPED; unshare -Urm true && echo ESCAPED; ${syscall([272, 97], '0x10000000')}`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'no user namespace by clone',
    script: () => syscall([56, 220], '0x10000011, 0, 0, 0, 0'),
  },
  {
    id: 'JA-3',
    why: 'no user namespace by clone3',
    script: () =>
      `perl -e 'my $a = pack("Q11", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0); $r = syscall(435, $a, 88); exit 0 if $r == 0; print $r > 0 ? "ESCAPED\\n" : "refused: $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'no chroot',
    script: () => `perl -e 'print chroot("/") ? "ESCAPED\\n" : "refused: $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'no files by handle',
    script: () =>
      `perl -e 'my $h = pack("LL a8", 8, 1, ""); syscall(${process.arch === 'arm64' ? 265 : 304}, -100, $h, 0); print $! == 1 ? "refused\\n" : "ESCAPED $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'no io_uring, whose calls no filter sees',
    script: () =>
      `perl -e 'my $p = "\\0" x 120; $r = syscall(425, 1, $p); print $r >= 0 ? "ESCAPED\\n" : "refused: $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'no programs in the kernel: bpf',
    script: () =>
      `perl -e 'my $a = pack("LLLL", 2, 4, 4, 1) . ("\\0" x 100); $r = syscall(${process.arch === 'arm64' ? 280 : 321}, 0, $a, 116); print $r >= 0 ? "ESCAPED\\n" : "refused: $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'no perf events',
    script: () =>
      `perl -e 'my $a = pack("LLQ", 1, 128, 0) . ("\\0" x 112); $r = syscall(${process.arch === 'arm64' ? 241 : 298}, $a, 0, -1, -1, 0); print $r >= 0 ? "ESCAPED\\n" : "refused: $!\\n"'`,
    outside: true,
  },
  {
    id: 'JA-3',
    why: 'calls that are newer than the filter do not exist',
    script: () =>
      `perl -e '$r = syscall(467, -1, "", 0, 0, 0); print $! == 38 ? "refused\\n" : "ESCAPED $!\\n"'`,
  },
  { id: 'JA-3', why: 'no other personality', script: () => syscall([135, 92], '0x0040000'), outside: true },
];
