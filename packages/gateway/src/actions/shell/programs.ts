import { awkReason, fileOperands, outputOption, sedReason, tarReason } from './program-options.ts';
import type { Word } from './words/word.ts';

/**
 * What a program that only works on this machine does.
 *
 * `expansions` says which words may be unknown to the reader while the command stays known. The argument: `*` in a
 * rule spans blanks and slashes, so a rule that admits `cat docs/a` admits `cat docs/a /etc/passwd`; an unknown word
 * of a program whose options can neither run a program nor write a file (`any`) gives away nothing more. Programs
 * that change files must not be handed options that nobody saw (`prefix`: the word begins with known text that
 * is no option, and is not split). For everything else an unknown word makes the command unknown (`none`).
 */
export interface LocalProgram {
  readonly does: 'read' | 'write' | 'delete' | 'machine' | 'destroy';
  /** what it does with these arguments, where that is something else */
  readonly doesWith?: (args: readonly Word[]) => LocalProgram['does'] | undefined;
  readonly expansions: 'any' | 'prefix' | 'none';
  /** why these arguments make it more than a local program */
  readonly refuse?: (args: readonly Word[]) => string | undefined;
  /** files that it writes, beside redirections */
  readonly writes?: (args: readonly Word[]) => readonly Word[];
}

const reader: LocalProgram = { does: 'read', expansions: 'any' };
const literalReader: LocalProgram = { does: 'read', expansions: 'none' };
const writer: LocalProgram = { does: 'write', expansions: 'prefix' };
const literalWriter: LocalProgram = { does: 'write', expansions: 'none' };

const READERS =
  `ls cat head tail wc cut tr echo pwd true false : stat file du df basename dirname realpath readlink
  seq sleep nl tac rev comm join paste fold expand unexpand cmp diff md5sum sha1sum sha224sum sha256sum sha384sum
  sha512sum b2sum cksum sum od hexdump strings grep egrep fgrep zgrep zcat bzcat xzcat id whoami groups uname nproc
  free uptime arch getconf locale pgrep printenv expr factor tsort look base64 base32 jq column tty
  exit return break continue shift dirs times which whereis ps cd pushd popd [[ [ test printf`.split(/\s+/);
const LITERAL_READERS =
  'type hash jobs wait umask ulimit let read export declare local readonly typeset unset exec env nice time command xargs'.split(
    ' ',
  );
const WRITERS = 'mkdir touch cp mv ln chmod chown chgrp truncate mktemp'.split(' ');
const DELETERS = 'rm rmdir unlink shred'.split(' ');
const LITERAL_WRITERS = 'gzip gunzip bzip2 bunzip2 xz unxz zstd unzip mkfifo csplit'.split(' ');

/** They change this machine, whatever they are given: processes, users, settings, what starts by itself. */
const OF_MACHINE = `renice useradd adduser usermod userdel deluser groupadd groupdel groupmod passwd chpasswd
  chsh visudo vipw sysctl modprobe insmod rmmod umount swapon ufw iptables ip6tables nft firewall-cmd setenforce setcap
  launchctl defaults nvram hostnamectl timedatectl localectl update-alternatives update-rc.d chattr setfacl ldconfig
  loginctl`.split(/\s+/);
/** They destroy what a disk holds, or end what the session did not begin. */
const OF_DISKS =
  `pkill killall killall5 skill xkill fuser mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mke2fs mkswap wipefs blkdiscard fdisk sfdisk
  cfdisk gdisk sgdisk parted hdparm nvme badblocks cryptsetup lvremove vgremove pvremove lvreduce zfs zpool mdadm dmsetup diskutil
  tune2fs resize2fs swapoff fstrim shutdown reboot halt poweroff init telinit kexec debugfs`.split(/\s+/);

function refuseOptions(pattern: RegExp, reason: string): (args: readonly Word[]) => string | undefined {
  return (args) => (args.some((arg) => pattern.test(arg.text)) ? reason : undefined);
}

/** A job of this very shell, or the process that it started last. */
const OWN_PROCESS = /^(?:%.*|"?\$!"?|"?\$\(jobs -[a-z]*p[a-z]*\)"?|\$\{!\})$/;

/** Ending what the session began itself is no more than a write of its own. */
function killed(args: readonly Word[]): LocalProgram['does'] | undefined {
  const [first] = args;
  if (first === undefined || /^-(?:l|L|0|-list|-table)$/.test(first.text)) return 'read';
  const processes = args.filter(({ prefix }) => !prefix.startsWith('-'));
  return processes.length > 0 && processes.every(({ text }) => OWN_PROCESS.test(text)) ? 'write' : undefined;
}

const SPECIAL: Readonly<Record<string, LocalProgram>> = {
  kill: { does: 'destroy', expansions: 'any', doesWith: killed },
  sort: {
    ...literalReader,
    refuse: refuseOptions(/^--(?:co|files0)/, 'sort runs another program'),
    writes: outputOption('o', 'output'),
  },
  // Their second operand is an output file.
  uniq: { ...literalReader, writes: (args) => fileOperands(args).slice(1) },
  xxd: { ...literalReader, writes: (args) => fileOperands(args).slice(1) },
  tree: { ...literalReader, writes: outputOption('o', 'output') },
  rg: {
    ...literalReader,
    refuse: refuseOptions(/^--(?:pre|hostname-bin|search-zip)|^-[a-zA-Z]*z/, 'rg runs another program'),
  },
  sed: { does: 'read', expansions: 'none', refuse: sedReason },
  awk: { does: 'read', expansions: 'none', refuse: awkReason },
  gawk: { does: 'read', expansions: 'none', refuse: awkReason },
  mawk: { does: 'read', expansions: 'none', refuse: awkReason },
  tar: { ...literalWriter, refuse: tarReason },
  // `unwrap-find.ts` has judged every word.
  find: reader,
  tee: { does: 'write', expansions: 'none', writes: fileOperands },
  dd: {
    ...literalWriter,
    writes: (args) =>
      args.filter((arg) => arg.text.startsWith('of=')).map((arg) => ({ ...arg, text: arg.text.slice(3) })),
  },
  date: { ...literalReader, refuse: refuseOptions(/^(?:-s|--set)/, 'date sets the clock') },
  hostname: {
    ...literalReader,
    refuse: (args) => (args.some((arg) => !arg.text.startsWith('-')) ? 'hostname sets the name' : undefined),
  },
};

const TABLE: ReadonlyMap<string, LocalProgram> = new Map([
  ...READERS.map((name) => [name, reader] as const),
  ...LITERAL_READERS.map((name) => [name, literalReader] as const),
  ...WRITERS.map((name) => [name, writer] as const),
  ...LITERAL_WRITERS.map((name) => [name, literalWriter] as const),
  ...DELETERS.map((name) => [name, { ...writer, does: 'delete' } as const] as const),
  ...OF_MACHINE.map((name) => [name, { does: 'machine', expansions: 'any' } as const] as const),
  ...OF_DISKS.map((name) => [name, { does: 'destroy', expansions: 'any' } as const] as const),
  ...Object.entries(SPECIAL),
]);

/** The entry of a program that only works on this machine; `undefined` for everything else. */
export function localProgram(name: string): LocalProgram | undefined {
  return TABLE.get(name);
}
