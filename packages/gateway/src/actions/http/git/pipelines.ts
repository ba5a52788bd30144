import type { PackedObject } from './pack-ancestry.ts';

/** Folders and files that say what the pipelines of a repository run, on the hosts that people use. */
const CI_FOLDER =
  /^(?:\.azure-pipelines|\.buildkite|\.circleci|\.forgejo|\.gitea|\.github|\.gitlab|\.semaphore|\.teamcity|\.woodpecker)\//i;
const CI_NAME =
  /(?:^|\/)(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.?appveyor|azure-pipelines[^/]*|bitbucket-pipelines|buildspec[^/]*|cloudbuild[^/]*|codefresh)\.(?:ya?ml|json)$|(?:^|\/)jenkinsfile[^/]*$/i;

/** Parts of a path that lead somewhere else than they say, or that a server may read so. */
const LEADS_AWAY = /(?:^|\/)\.{0,2}\/|\/\.{1,2}$|\\/;

/** Whether a file of a repository says what its pipelines run; also one whose name cannot be read, or leads elsewhere. */
export function isCiFile(path: string | undefined): boolean {
  const plain = path?.replace(/^(?:\.?\/)+/, '');
  if (plain === undefined || LEADS_AWAY.test(plain)) return true;
  return CI_FOLDER.test(plain) || CI_NAME.test(plain);
}

const FOLDER = 0o40000;
/** `on:` and `jobs:` on lines of their own: a workflow of GitHub, wherever it lies. */
const WORKFLOW = [/^(?:on|"on"|'on'|true)\s*:/m, /^["']?jobs["']?\s*:/m];
const LARGEST_WORKFLOW = 524_288;

/**
 * Whether the objects of a pack show that a file changes which says what pipelines run: one of the known names leads to
 * an object that comes with the pack, or a text is a workflow.
 *
 * SECURITY: what a push builds on is on the server, and git sends most trees as differences from those: that nothing is
 * seen here proves nothing.
 */
export function changesPipelines(objects: readonly PackedObject[]): boolean {
  const ids = new Set(objects.map(({ id }) => id));
  return objects.some(({ id, kind, data }) => {
    if (kind === 'blob') return isWorkflow(data);
    if (kind !== 'tree') return false;
    return treeEntries(data, id.length / 2).some(
      (entry) =>
        ids.has(entry.id) &&
        (entry.mode === FOLDER
          ? entry.name === 'workflows' || isCiFile(`${entry.name}/`)
          : isCiFile(entry.name)),
    );
  });
}

function isWorkflow(data: Uint8Array): boolean {
  if (data.length > LARGEST_WORKFLOW) return false;
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8');
  return WORKFLOW.every((pattern) => pattern.test(text));
}

export interface TreeEntry {
  readonly mode: number;
  readonly name: string;
  readonly id: string;
}

/** Entries of a tree, up to the first that is none. */
export function treeEntries(data: Uint8Array, idBytes: number): readonly TreeEntry[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const end = blank === -1 ? -1 : bytes.indexOf(0, blank);
    if (end === -1 || end + 1 + idBytes > bytes.length) break;
    const mode = Number.parseInt(bytes.toString('latin1', at, blank), 8);
    const id = bytes.toString('hex', end + 1, end + 1 + idBytes);
    entries.push({ mode, name: bytes.toString('utf8', blank + 1, end), id });
    at = end + 1 + idBytes;
  }
  return entries;
}
