import type { CommandFact } from '@sallyport/protocol';
import type { PathReading } from './paths/command-paths.ts';
import type { CwdScope, ShellContext } from './words/cwd-scope.ts';
import type { SyntaxNode } from './words/syntax-tree.ts';
import type { Word } from './words/word.ts';

/** One redirection that may write or open something. */
export interface Redirect {
  readonly operator: string;
  readonly target: Word;
}

/** A variable that is set for one command. */
export interface Setting {
  readonly name: string;
  readonly word: Word;
}

/** One simple command as it stands in the line, before any wrapper is taken off. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** names of variables that are set for this command only */
  readonly variables: readonly string[];
  readonly redirects: readonly Redirect[];
  /** those of them that are given a value */
  readonly values: readonly Setting[];
  readonly start: number;
}

/** The state of reading one line, shared by the readers of statements and of commands. */
export interface Reading {
  readonly source: string;
  readonly context: ShellContext;
  /** functions defined so far, at the outermost level, whose bodies were judged */
  readonly functions: Set<string>;
  /** names that hold nothing but numbers */
  readonly numbers: ReadonlySet<string>;
  readonly facts: CommandFact[];
  readonly paths: PathReading;
  /** where each simple command of this very text begins, and where each of its words does */
  readonly starts: number[];
  readonly wordStarts: number[];
  /** how many texts inside texts this one is */
  readonly depth: number;
  /** says why the line as a whole cannot be known; the first reason is kept */
  readonly doubt: (reason: string) => void;
  /** reads shell code that a command carries (`sh -c`, `eval`) */
  readonly readScript: (text: string, scope: CwdScope, depth: number) => string | undefined;
}

export type ReadNode = (node: SyntaxNode, reading: Reading, scope: CwdScope) => void;
