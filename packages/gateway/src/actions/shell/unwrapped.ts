import type { Word } from './words/word.ts';

/** What is left of a command once its wrapper is taken off. */
export type Unwrapped =
  /** no wrapper: the command is what it says */
  | { readonly kind: 'plain' }
  /** the wrapper only starts another command */
  | {
      readonly kind: 'command';
      readonly words: readonly Word[];
      /** the wrapper's own words */
      readonly own: readonly Word[];
      readonly variables?: readonly string[];
      /** the folder that the wrapper enters first */
      readonly folder?: Word;
    }
  /** the command stays, and starts others */
  | {
      readonly kind: 'also';
      readonly commands: readonly (readonly Word[])[];
      readonly writes: readonly Word[];
      readonly moves: boolean;
    }
  /** the text is shell code; `same`: run by this very shell */
  | { readonly kind: 'script'; readonly text: string; readonly same: boolean }
  | { readonly kind: 'unknown'; readonly reason: string };
