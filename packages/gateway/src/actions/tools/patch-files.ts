import type { PathFact } from '@sallyport/protocol';

/** Files that a Codex patch touches, as written; undefined when the text is no such patch. */
export function patchFiles(
  patch: string,
): readonly { readonly given: string; readonly access: PathFact['access'] }[] | undefined {
  const lines = patch.trim().split('\n');
  if (lines[0]?.trim() !== '*** Begin Patch' || lines.at(-1)?.trim() !== '*** End Patch') return undefined;
  const files: { given: string; access: PathFact['access'] }[] = [];
  for (const line of lines) {
    // A marker with leading blanks is content to us and might be a marker to the client: both are looked at.
    const match = /^\s*\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/.exec(line);
    if (match?.[2] !== undefined)
      files.push({ given: match[2], access: match[1] === 'Delete File' ? 'delete' : 'write' });
  }
  return files.length === 0 ? undefined : files;
}
