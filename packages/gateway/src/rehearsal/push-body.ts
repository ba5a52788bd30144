import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

const NONE = '0'.repeat(40);
const COMMIT = 1;
const SMALL_SIZE = 16;

interface Commit {
  readonly id: string;
  readonly data: Buffer;
}

/**
 * The body that git sends to `git-receive-pack` for these refspecs: packet lines, then a pack file.
 *
 * `refs/heads/x` is a push on top of the branch, `+refs/heads/x` one over it, `:refs/heads/x` deletes it.
 * Undefined when the text is not a list of refspecs with full names: then it is a body as it stands.
 */
export function pushBody(text: string): Uint8Array | undefined {
  const specs = text.split(/\s+/).map((word) => /^([+:]?)(refs\/\S+)$/.exec(word));
  if (specs.some((spec) => spec === null)) return undefined;
  const base = commit('base');
  const onTop = commit('on top', base.id);
  const elsewhere = commit('elsewhere');
  const lines = specs.map((spec, index) => {
    const [, sign, ref] = spec ?? [];
    const to = sign === ':' ? NONE : sign === '+' ? elsewhere.id : onTop.id;
    return packet(`${base.id} ${to} ${ref}${index === 0 ? '\0report-status' : ''}`);
  });
  const objects = pack([onTop, elsewhere]);
  return new Uint8Array(Buffer.concat([Buffer.from(`${lines.join('')}0000`, 'latin1'), objects]));
}

function packet(text: string): string {
  return (text.length + 4).toString(16).padStart(4, '0') + text;
}

function commit(message: string, parent?: string): Commit {
  const by = 'agent <agent@example.com> 0 +0000';
  const lines = [
    `tree ${NONE}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${by}`,
    `committer ${by}`,
  ];
  const data = Buffer.from(`${lines.join('\n')}\n\n${message}\n`);
  return { id: hash('sha1', Buffer.concat([Buffer.from(`commit ${data.length}\0`), data])), data };
}

/** A pack file, version 2. Its checksum is left out: the gate reads ancestry, it does not store objects. */
function pack(commits: readonly Commit[]): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(commits.length, 8);
  const objects = commits.flatMap(({ data }) => [objectHead(data.length), deflateSync(data)]);
  return Buffer.concat([head, ...objects, Buffer.alloc(20)]);
}

/** Type and size: four bits of the size in the first byte, seven in each that follows. */
function objectHead(size: number): Buffer {
  let rest = Math.floor(size / SMALL_SIZE);
  const bytes = [(COMMIT << 4) | (size % SMALL_SIZE) | (rest > 0 ? 0x80 : 0)];
  while (rest > 0) {
    const next = Math.floor(rest / 128);
    bytes.push((rest % 128) | (next > 0 ? 0x80 : 0));
    rest = next;
  }
  return Buffer.from(bytes);
}
