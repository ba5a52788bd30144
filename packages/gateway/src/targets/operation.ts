import type { Action } from '@sallyport/protocol';

/**
 * One thing that an action does, in the words of a table or of the request itself, never of a model: what a question
 * names, and what a standing answer covers.
 */
export interface Operation {
  /** `github:issues/create-comment`, `POST /v1/things/{}`, `npm publish`, `mcp:tracker/close` */
  readonly operation: string;
  /** what it is done to: a repository, a host, a file; empty where nothing says */
  readonly object: string;
  /** host and port of a request: the same words at another place are another operation */
  readonly at?: string;
  /** nobody has it on a list: it may do more than its words say */
  readonly unlisted?: true;
}

/** What an operation depends on beside the target. */
export type Call = Pick<Action, 'tool' | 'effect'>;

const PLAIN = /^[\w@%+=:,./~-]+$/;

/** Words that can be told apart again: quoted where one could be read as two. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : JSON.stringify(word))).join(' ');
}
