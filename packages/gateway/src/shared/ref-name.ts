/** Every tag, as `git push --tags` names them: no ref, and known for what it is. */
export const ALL_TAGS = 'refs/tags/*';

/**
 * Why a full name is none that git takes for a ref (`git check-ref-format`), or is one that a server may read in another
 * way than it is written; undefined when it is a plain name.
 *
 * SECURITY: git refuses `refs/heads/agent/../main`; a server that is not git, or a program between, may follow it to
 * `main`. Whoever owns `agent/*` owns no such thing [NE-13].
 */
export function refProblem(ref: string): string | undefined {
  for (const [pattern, why] of PROBLEMS) if (pattern.test(ref)) return why;
  return undefined;
}

const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^(?!refs\/[^/]+\/)/, 'it is not a full name below `refs/`'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git names them
  [/[\x00-\x20\x7f]/, 'it holds a blank or a control character'],
  [/\.\./, 'it holds two dots'],
  [/[~^:?*[\\]/, 'it holds a sign that git keeps for itself'],
  [/@\{/, 'it holds `@{`'],
  [/\/\//, 'it holds two slashes'],
  [/\/$|\.$/, 'it ends in a slash or a dot'],
  [/\/\./, 'a part of it begins with a dot'],
  [/\.lock(?:\/|$)/i, 'a part of it ends in `.lock`'],
  [/^refs\/heads\/(?:-|HEAD$)|\/@$/, 'git takes it for something else than a branch'],
  // Gerrit reads orders behind a percent sign, and some servers decode it.
  [/%/, 'it holds a percent sign'],
  [/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\ufffd]/u, 'it holds characters that nobody sees'],
];

/**
 * A branch name as the most careless server keeps it: letter case, compatibility forms and characters that nobody sees
 * make no difference on some file systems. To be held against names that are protected, never against owned ones.
 */
export function foldedRef(name: string): string {
  if (/^[a-z0-9/._-]*$/.test(name)) return name;
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
}
