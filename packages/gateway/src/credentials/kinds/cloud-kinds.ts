/** Kinds that mint or sign with what a cloud hands out, by name; `kinds.ts` spreads them beside the plain ones. */
export const cloudKinds = {} as const;
