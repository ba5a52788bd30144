import type { Escape } from './escape.ts';

/** Limits that these jails get, small enough to be hit at once. */
export const BOMB_LIMITS = {
  processes: 64,
  memoryBytes: 256 * 1024 ** 2,
  homeBytes: 4 * 1024 ** 2,
  tmpBytes: 4 * 1024 ** 2,
  fileBytes: 8 * 1024 ** 2,
  openFiles: 128,
};

/** Six files, each below the limit of a file, together above that of the folder. */
const fills = (folder: string): string =>
  `for i in 1 2 3 4 5 6; do head -c 3000000 /dev/zero > ${folder}/big$i; done; [ "$(cat ${folder}/big* | wc -c)" -gt 9000000 ] && echo ESCAPED`;

/** Each says `ESCAPED` when it got more than its limit. */
export const BOMBS: readonly Escape[] = [
  {
    id: 'JA-5',
    needs: 'counting',
    why: 'processes are counted',
    script: () =>
      `perl -e 'my $n = 0; for (1..300) { my $p = fork; last unless defined $p; if (!$p) { sleep 20; exit } $n++ } print "made $n\\n"; print "ESCAPED\\n" if $n >= 64; kill 9, -$$ if 0'`,
  },
  {
    id: 'JA-5',
    needs: 'counting',
    why: 'a fork bomb stays in its jail',
    script: () => `timeout 2 bash -c 'b() { b | b & }; b; sleep 1' 2>/dev/null; true`,
  },
  {
    id: 'JA-5',
    why: 'memory of one process is bounded',
    script: () => `perl -e 'my $x = "x" x (600 * 1024 * 1024); print "ESC", "APED\\n" if length $x'`,
    outside: true,
  },
  {
    id: 'JA-5',
    needs: 'group',
    why: 'memory of all together is bounded',
    script: () =>
      `n=$(for i in 1 2 3 4 5 6; do perl -e 'my $x = "x" x (80 * 1024 * 1024); sleep 1; print "alive\\n"' & done 2>/dev/null; wait); [ "$(echo "$n" | grep -c alive)" -lt 4 ] || echo ESCAPED`,
  },
  { id: 'JA-5', why: '/tmp is bounded', script: () => fills('/tmp') },
  { id: 'JA-5', why: 'the home is bounded', script: () => fills('~') },
  { id: 'JA-5', why: '/dev/shm is bounded', script: () => fills('/dev/shm') },
  {
    id: 'JA-5',
    why: '/var/tmp and /run are bounded',
    script: () => `${fills('/var/tmp')}; ${fills('/run')}`,
  },
  {
    id: 'JA-5',
    why: 'a file of the workspace is bounded',
    script: () => `[ "$(head -c 20000000 /dev/zero > big; wc -c < big)" -gt 9000000 ] && echo ESCAPED`,
    outside: true,
  },
  {
    id: 'JA-5',
    why: 'open files are bounded',
    script: () =>
      `perl -e 'my @f; for (1..300) { open(my $f, "<", "/dev/null") or last; push @f, $f } print scalar(@f), "\\n"; print "ESCAPED\\n" if @f > 130'`,
    outside: true,
  },
  {
    id: 'JA-5',
    why: 'no core dumps',
    script: () =>
      `ulimit -c unlimited; [ "$(ulimit -c)" = 0 ] || echo ESCAPED; sh -c 'kill -SEGV $$'; ls core* 2>/dev/null && echo ESCAPED`,
    outside: true,
  },
  {
    id: 'JA-5',
    why: 'limits cannot be raised again',
    script: () => `for l in 'f unlimited' 'n 100000' 'c 1'; do ulimit -$l && echo ESCAPED; done; true`,
    outside: true,
  },
];
