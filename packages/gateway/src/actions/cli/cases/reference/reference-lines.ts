/**
 * What people type, in the manner of command references: by program, by what the line must be taken for.
 *
 * `read`: looks at this machine. `work`: builds, tests, formats or runs what the workspace holds. `fetch`: reads elsewhere.
 * `send`: changes something elsewhere. `host`: changes this machine beyond the workspace. `asks`: has a row, and something
 * in the line that nobody can know; these count as not recognised.
 */
export type ReferenceClass = 'read' | 'work' | 'fetch' | 'send' | 'host' | 'asks';

/** Lines without the name of the program, one in a row. */
export type ReferenceLines = Readonly<Record<string, Readonly<Partial<Record<ReferenceClass, string>>>>>;
