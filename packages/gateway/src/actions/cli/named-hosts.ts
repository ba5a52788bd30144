import type { HostFact } from '@sallyport/protocol';
import { HOST_READERS } from './host-readers.ts';
import { hostsInAssignment } from './host-settings.ts';
import { eachOnce, hostsInText, isTelling, serviceHosts } from './host-text.ts';

/**
 * Every host that the words of a command name, whatever the program does with them: what is known of the program says
 * which of its words are hosts, and an address with a scheme is one wherever it stands.
 */
export function hostsInWords(argv: readonly string[]): readonly HostFact[] {
  const found: HostFact[] = [];
  const name = baseName(argv[0] ?? '');
  const reader = HOST_READERS.get(name);
  if (reader !== undefined) found.push(...reader(argv));
  const says = SAYS.get(name);
  if (says === undefined) addHostsBehind(argv, found);
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const hosts = hostsInText(word);
    if (hosts.length > 0) found.push(...hosts);
    // A text with blanks may be a command: `su -c 'curl …'`.
    if (at > 0 && word.includes(' ') && (says === undefined || says.test(word)))
      addHostsInPieces(word, found);
  }
  return eachOnce(found);
}

const NOTHING = /(?!)/;
/** Programs whose words are messages, or commands that run elsewhere; and which of them run here all the same. */
const SAYS: ReadonlyMap<string, RegExp> = new Map([
  ...['git', 'gh', 'glab', 'kubectl', 'oc'].map((name) => [name, NOTHING] as const),
  ...['ssh', 'autossh', 'mosh', 'sftp'].map((name) => [name, /proxycommand/i] as const),
]);

/** A program that nobody knows may start one that dials (`proxychains curl x`), or dial by itself. */
function addHostsBehind(argv: readonly string[], found: HostFact[]): void {
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const reader = HOST_READERS.get(baseName(word));
    // Only what is an address by its form: `apt install curl wget` names no hosts.
    if (reader !== undefined) found.push(...reader(argv.slice(at)).filter(isTelling));
    found.push(...serviceHosts(word));
  }
}

const BORDERS = /[\s;|&()<>"'`]+/;
const PIECES = 512;
const WORDS = 32;

/** SECURITY: a text that cannot be read, taken apart by its blanks: an address in it counts where a program dials it. */
export function hostsInPieces(text: string): readonly HostFact[] {
  const found: HostFact[] = [];
  addHostsInPieces(text, found);
  return eachOnce(found);
}

function addHostsInPieces(text: string, found: HostFact[]): void {
  const pieces = text.split(BORDERS, PIECES);
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] ?? '';
    const name = piece.slice(piece.indexOf('=') + 1);
    const reader = HOST_READERS.get(baseName(piece)) ?? HOST_READERS.get(baseName(name));
    if (reader !== undefined) found.push(...reader(pieces.slice(at, at + WORDS)).filter(isTelling));
    if (piece.includes('=')) found.push(...hostsInAssignment(piece).filter(isTelling));
  }
}

function baseName(program: string): string {
  const slash = program.lastIndexOf('/');
  return slash === -1 ? program : program.slice(slash + 1);
}
