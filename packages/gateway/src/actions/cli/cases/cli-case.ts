import type { Effect, Reach, RefChange, Risk } from '@sallyport/protocol';

/** One command line and what must be read from it. The working folder is `/repo/app`, home `/home/ana`. */
export interface CliCase {
  /** a plain line is split on blanks; words with blanks need the list form */
  readonly argv: string | readonly string[];
  readonly effect: Effect;
  readonly reach: Reach;
  readonly type?: string;
  readonly risk?: Risk;
  /** whether the command must be unknown; false when absent */
  readonly unknown?: boolean;
  readonly operation?: string;
  readonly object?: string;
  /** hosts that the words name, ports left out */
  readonly hosts?: readonly string[];
  readonly repository?: string;
  readonly refs?: readonly RefChange[];
  readonly options?: readonly string[];
  readonly request?: { readonly method: string; readonly url: string };
  readonly writes?: readonly string[];
  readonly why: string;
}

/** The everyday lines must stay clean; the hostile ones must not look like them. */
export interface CliCases {
  readonly friendly: readonly CliCase[];
  readonly hostile: readonly CliCase[];
}

type Words = string | readonly string[];
type Row = readonly [argv: Words, why: string, more?: Partial<CliCase>];
type Verdict = Pick<CliCase, 'effect' | 'reach' | 'risk' | 'unknown'>;

/** Rows that share an answer; a row's third part adds to it or changes it. */
export function rows(verdict: Verdict, list: readonly Row[]): readonly CliCase[] {
  return list.map(([argv, why, more]) => ({ ...verdict, argv, why, ...more }));
}

export const LOCAL_READ: Verdict = { effect: 'read', reach: 'workspace', risk: 'low' };
export const REMOTE_READ: Verdict = { effect: 'read', reach: 'remote', risk: 'low' };
export const LOCAL_WRITE: Verdict = { effect: 'write', reach: 'workspace' };
export const REMOTE_WRITE: Verdict = { effect: 'write', reach: 'remote' };
/** a secret is handed out: known, and never harmless */
export const SECRET: Verdict = { effect: 'write', reach: 'remote', risk: 'critical' };
export const UNKNOWN: Verdict = { effect: 'write', reach: 'remote', risk: 'critical', unknown: true };

/** brings code of others here */
export const FETCH: Verdict & { type: string } = {
  effect: 'read',
  reach: 'remote',
  risk: 'medium',
  type: 'code:write',
};
/** builds or runs what the workspace holds */
export const WORK: Verdict & { type: string } = {
  effect: 'write',
  reach: 'workspace',
  risk: 'medium',
  type: 'code:write',
};
export const TEST: Verdict & { type: string } = {
  effect: 'write',
  reach: 'workspace',
  risk: 'medium',
  type: 'test:run',
};
/** changes this machine beyond the workspace */
export const HOST: Verdict = { effect: 'write', reach: 'host', risk: 'high' };
/** destroys what this machine keeps, or runs code from its words */
export const HOST_WORST: Verdict = { effect: 'write', reach: 'host', risk: 'critical' };
export const DEPLOY: Verdict & { type: string } = {
  effect: 'write',
  reach: 'remote',
  risk: 'critical',
  type: 'deploy:production',
};
