import { SallyportError } from '@sallyport/protocol';

/** Something that the config in force asks for and that cannot be had now. */
export interface LiveProblem {
  /** path of the setting: `channels.telegram` */
  readonly key: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * A part of the gateway that must be made anew when the config is another one. What only looks things up in the config
 * when it needs them is none.
 */
export interface LivePart {
  /** Makes it what the config says now; whatever did not change goes on. Called one at a time, and again for each change. */
  apply(): Promise<void>;
  /** what is not as the config says, as of now */
  problems(): readonly LiveProblem[];
}

/** SECURITY: the words of a foreign error may quote what it read: only ours are shown. */
export function problemOf(key: string, error: unknown): LiveProblem {
  if (!(error instanceof SallyportError)) return { key, message: 'it cannot be set up; the log says why' };
  return { key, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}
