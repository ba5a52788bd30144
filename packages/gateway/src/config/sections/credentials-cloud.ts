/**
 * Kinds that mint or sign with what a cloud hands out. Each is a strict object with the literal `kind`; the
 * union in `credentials.ts` spreads this list.
 */
export const cloudCredentialSchemas = [] as const;
