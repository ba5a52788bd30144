/** A key that an older version knew. `*` stands for any name, or any place in a list. */
export interface ChangedKey {
  readonly path: readonly string[];
  /** its name now, beside where it was; undefined: it is gone */
  readonly to?: string;
  /** why it is gone, or what is different */
  readonly because: string;
}

/**
 * Keys that were renamed or taken out since a version that people may have a config of. One line for each, never removed: an old
 * config gets an error that says what became of its key, and `sallyport config migrate` rewrites it.
 */
export const CHANGED_KEYS: readonly ChangedKey[] = [
  {
    path: ['audit', 'checkpoint', 'every_events'],
    because: 'the trail is signed after 1,000 events in any case',
  },
  {
    path: ['audit', 'sinks', '*', 'max_files'],
    because: 'files of the trail are never removed by themselves',
  },
];

/** What became of a key; undefined when no version knew it. */
export function changedKey(
  path: readonly (string | number)[],
  known: readonly ChangedKey[] = CHANGED_KEYS,
): ChangedKey | undefined {
  return known.find(
    (changed) =>
      changed.path.length === path.length &&
      changed.path.every((step, index) => step === '*' || step === path[index]),
  );
}

/** For whoever has an old config: what is wrong, and what mends it. */
export function explainChangedKey({ path, to, because }: ChangedKey): { message: string; hint: string } {
  const name = path.at(-1);
  return to === undefined
    ? { message: `\`${name}\` is gone: ${because}`, hint: '`sallyport config migrate` takes it out' }
    : {
        message: `\`${name}\` is called \`${to}\` now: ${because}`,
        hint: '`sallyport config migrate` renames it',
      };
}
