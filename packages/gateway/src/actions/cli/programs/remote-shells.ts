import { hasOption, optionTable, optionValues, type ParsedArgv, parseArgv } from '../argv-parser.ts';
import { asUnknown, type CliClassifier, type CliContext, type CliIntent } from '../cli-intent.ts';
import { shownWord } from '../cli-object.ts';
import { withHosts } from '../host-text.ts';
import { hostsInWords } from '../named-hosts.ts';
import { isInsideCwd, withOutput } from '../output-file.ts';
import { intentOf, type RowKind } from '../table/row-kinds.ts';

const SSH_OPTIONS = optionTable({
  none: '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y',
  value: '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w',
});

/** Options of ssh's own settings that neither run a program nor open a way. Names are not case-sensitive. */
const HARMLESS_SETTING =
  /^(?:batchmode|connecttimeout|connectionattempts|loglevel|port|user|hostname|serveralive\w+|tcpkeepalive|compression|ciphers|macs|kexalgorithms|hostkeyalgorithms|pubkeyacceptedalgorithms|preferredauthentications|passwordauthentication|kbdinteractiveauthentication|pubkeyauthentication|identitiesonly|identityfile|addressfamily|requesttty|numberofpasswordprompts|exitonforwardfailure|controlmaster|controlpersist|visualhostkey|proxyjump)[ =]/i;
const OPENS = ['-A', '-D', '-L', '-R', '-W', '-w', '-X', '-Y'] as const;
/** Hosts where a login with a key only says hello. */
const FORGES =
  /^(?:ssh:\/\/)?git@(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|ssh\.dev\.azure\.com)(?::22)?\/?$/;

function settingReason(parsed: ParsedArgv): string | undefined {
  const bad = optionValues(parsed, '-o').find((setting) => !HARMLESS_SETTING.test(setting));
  if (bad !== undefined) return `\`-o ${bad}\` can run a program or open a way`;
  if (hasOption(parsed, '-F')) return '`-F` takes settings from another file, which can name programs';
  if (hasOption(parsed, '-I')) return '`-I` loads a library';
  return undefined;
}

/** ssh: what runs on the other machine is not ours to read. */
export const classifySsh: CliClassifier = (argv, context) => {
  const words = argv.slice(1);
  const parsed = parseArgv(words, SSH_OPTIONS, { stopAtPositional: true });
  if (parsed.doubts.length === 0 && parsed.rest.length === 0 && hasOption(parsed, '-V', '-Q'))
    return intentOf('look', 'version');
  // ssh takes options behind the host as well.
  const [host = '', ...after] = parsed.rest;
  const more = parseArgv(after, SSH_OPTIONS, { stopAtPositional: true });
  const all = {
    ...more,
    options: [...parsed.options, ...more.options],
    doubts: [...parsed.doubts, ...more.doubts],
  };
  const command = more.rest;
  const hello = FORGES.test(host) && command.length === 0 && hasOption(all, '-T');
  const ways = OPENS.filter((name) => hasOption(all, name));
  const intent: CliIntent = {
    ...intentOf(hello ? 'ask' : 'critical', ways.length === 0 ? 'ssh' : `ssh ${ways.join(' ')}`),
    object: [host, ...command].map(shownWord).join(' '),
  };
  const named = withHosts(intent, hostsInWords(argv));
  const reason =
    all.doubts[0] ??
    (host === '' ? '`ssh` without a host' : undefined) ??
    settingReason(all) ??
    (ways.length > 0 ? `\`${ways[0]}\` opens a way between the machines` : undefined) ??
    (hasOption(all, '-E', '-S') ? outputReason(all, context) : undefined);
  return reason === undefined ? named : asUnknown(named, reason);
};

function outputReason(parsed: ParsedArgv, context: CliContext): string | undefined {
  const away = optionValues(parsed, '-E', '-S').find((path) => !isInsideCwd(path, context));
  return away === undefined ? undefined : `\`${away}\` is outside the working folder`;
}

const SCP_OPTIONS = optionTable({
  none: '-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v',
  value: '-c -D -F -i -J -l -o -P -S -X',
});
/** `host:path` and `user@host:path`, as scp and rsync tell them from files: a colon before any slash. */
const FAR = /^(?:(?:scp|rsync|sftp):\/\/|[^/:]+:)/;

/** What copying does, by where it goes: to another machine, from one into a folder, or between folders. */
function copyIntent(operation: string, places: readonly string[], context: CliContext): CliIntent {
  const target = places.at(-1) ?? '';
  const sources = places.slice(0, -1);
  const object = places.map(shownWord).join(' ');
  const kind: RowKind = FAR.test(target) ? 'send' : sources.some((place) => FAR.test(place)) ? 'ask' : 'edit';
  const intent: CliIntent = { ...intentOf(kind, operation), object };
  if (kind === 'send') return intent;
  const written = withOutput(intent, target, context);
  return isInsideCwd(target, context) ? written : { ...written, ...intentOf('host', operation), object };
}

export const classifyScp: CliClassifier = (argv, context) => {
  const parsed = parseArgv(argv.slice(1), SCP_OPTIONS);
  const intent = withHosts(copyIntent('scp', parsed.positionals, context), hostsInWords(argv));
  const reason =
    parsed.doubts[0] ??
    (parsed.positionals.length < 2 ? '`scp` without a place to go' : undefined) ??
    settingReason(parsed) ??
    (hasOption(parsed, '-S', '-D') ? '`-S` and `-D` run another program' : undefined) ??
    (hasOption(parsed, '-A') ? '`-A` lends your keys to the other machine' : undefined);
  return reason === undefined ? intent : asUnknown(intent, reason);
};

const RSYNC_OPTIONS = optionTable({
  none: `-v|--verbose -q|--quiet --no-motd -c|--checksum -a|--archive -r|--recursive -R|--relative -b|--backup -u|--update --inplace
    --append --append-verify -d|--dirs --mkpath -l|--links -L|--copy-links --copy-unsafe-links --safe-links --munge-links
    -k|--copy-dirlinks -K|--keep-dirlinks -H|--hard-links -p|--perms -E|--executability -A|--acls -X|--xattrs -o|--owner
    -g|--group --devices --specials -D -t|--times -U|--atimes -N|--crtimes -O|--omit-dir-times -J|--omit-link-times --super
    --fake-super -S|--sparse --preallocate -n|--dry-run -W|--whole-file -x|--one-file-system --existing
    --ignore-non-existing --ignore-existing --remove-source-files --del --delete --delete-before --delete-during
    --delete-delay --delete-after --delete-excluded --ignore-missing-args --delete-missing-args --ignore-errors --force
    --partial --delay-updates -m|--prune-empty-dirs --numeric-ids -I|--ignore-times --size-only -y|--fuzzy -z|--compress
    -C|--cvs-exclude -F -0|--from0 -s|--secluded-args|--protect-args --stats -8 -h|--human-readable --progress -P
    -i|--itemize-changes --list-only --fsync -4|--ipv4 -6|--ipv6 -V|--version --help --blocking-io --daemon --no-detach
    --old-args --trust-sender`,
  value: `--info --debug --stderr --backup-dir --suffix --chmod --checksum-choice -B|--block-size -e|--rsh --rsync-path
    --max-delete --max-size --min-size --max-alloc --partial-dir --usermap --groupmap --chown --timeout --contimeout
    -@|--modify-window -T|--temp-dir --compare-dest --copy-dest --link-dest --compress-choice --compress-level
    --skip-compress -f|--filter --exclude --exclude-from --include --include-from --files-from --copy-as --address --port
    --sockopts --outbuf -M|--remote-option --out-format --log-file --log-file-format --password-file --early-input
    --bwlimit --stop-after --stop-at --write-batch --only-write-batch --read-batch --protocol --iconv --checksum-seed
    --config --dparam`,
});
const RSYNC_TRAPS: Readonly<Record<string, string>> = {
  '--rsync-path': 'names the program on the other side',
  '--remote-option': 'hands options to the other side',
  '--daemon': 'serves files',
  '--config': 'serves files',
  '--dparam': 'serves files',
  '--password-file': 'uses other credentials',
  '--early-input': 'sends a file to a program',
  '--copy-as': 'acts as another user',
  '--write-batch': 'writes a script',
  '--only-write-batch': 'writes a script',
  '--read-batch': 'takes its orders from a file',
  '--files-from': 'takes the list of files from elsewhere',
  '--devices': 'writes devices',
};
const RSYNC_PLACES = [
  '--backup-dir',
  '--partial-dir',
  '--temp-dir',
  '--log-file',
  '--compare-dest',
  '--copy-dest',
  '--link-dest',
] as const;
/** ssh with a port or a key: what most people write behind `-e`. */
const PLAIN_SHELL = /^ssh(?: -(?:[46CqTv]+|p ?\d+|i [\w./~-]+|l [\w.-]+))*$/;

export const classifyRsync: CliClassifier = (argv, context) => {
  const parsed = parseArgv(argv.slice(1), RSYNC_OPTIONS, { abbreviations: true, negation: true });
  if (
    parsed.doubts.length === 0 &&
    parsed.positionals.length === 0 &&
    hasOption(parsed, '--version', '--help')
  )
    return intentOf('look', 'version');
  const only = parsed.positionals.length === 1 || hasOption(parsed, '--list-only');
  const deletes = parsed.options.some(({ name }) => /^--del|^--remove-source-files/.test(name));
  const operation = deletes ? 'rsync --delete' : 'rsync';
  const copied = only
    ? { ...intentOf('ask', 'rsync --list-only'), object: parsed.positionals.join(' ') }
    : copyIntent(operation, parsed.positionals, context);
  const dry = hasOption(parsed, '--dry-run') && !hasOption(parsed, '--no-dry-run');
  const intent: CliIntent = withHosts(
    dry ? { ...intentOf('ask', `${operation} --dry-run`), object: copied.object ?? '' } : copied,
    hostsInWords(argv),
  );
  const trap = parsed.options.find(({ name }) => RSYNC_TRAPS[name] !== undefined);
  const shell = optionValues(parsed, '--rsh').find((value) => !PLAIN_SHELL.test(value));
  const away = optionValues(parsed, ...RSYNC_PLACES).find((path) => !isInsideCwd(path, context));
  const reason =
    parsed.doubts[0] ??
    (parsed.positionals.length === 0 ? '`rsync` without a place' : undefined) ??
    (trap === undefined ? undefined : `\`${trap.name}\` ${RSYNC_TRAPS[trap.name]}`) ??
    (shell === undefined ? undefined : `\`-e ${shell}\` runs a program`) ??
    (away === undefined ? undefined : `\`${away}\` is outside the working folder`);
  return reason === undefined ? intent : asUnknown(intent, reason);
};
