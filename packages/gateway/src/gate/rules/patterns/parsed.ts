import { SallyportError } from '@sallyport/protocol';
import { compileGlob, type Glob, type GlobMode } from '../../../shared/glob.ts';

/** Something to read, or what is wrong with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/** Wrong input as a value: lower case, no final period. */
export function problem(message: string, hint?: string): Parsed<never> {
  return { ok: false, message, ...(hint === undefined ? {} : { hint }) };
}

/** `compileGlob` with its refusal as a value. */
export function parseGlob(source: string, mode: GlobMode): Parsed<Glob> {
  try {
    return { ok: true, value: compileGlob(source, mode) };
  } catch (error) {
    if (error instanceof SallyportError) return problem(error.message, error.hint);
    throw error;
  }
}
