import type { z } from 'zod';
import { didYouMean } from '../shared/suggest.ts';
import { changedKey, explainChangedKey } from './changed-keys.ts';
import type { ConfigPath, ConfigProblem } from './checks/config-check.ts';
import { keysAt } from './schema-walk.ts';
import type { ConfigSchema } from './sections/schema.ts';
import { nodeAt, type SourceNode } from './source/source-node.ts';

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

/** A problem of the schema, with what placing and showing it needs. */
export interface IssueProblem extends ConfigProblem {
  /** the key itself is wrong, not its value */
  readonly at?: 'key';
  /** the value may be a pasted secret: its line is not to be shown */
  readonly confidential?: true;
}

/** What one failure of the schema means for whoever wrote the file: one problem for each wrong value or key. */
export function explainIssue(
  schema: typeof ConfigSchema,
  root: SourceNode,
  issue: Issue,
  above: ConfigPath = [],
): readonly IssueProblem[] {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const node = nodeAt(root, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const changed = changedKey([...path, key]);
        if (changed !== undefined) {
          const { message, hint } = explainChangedKey(changed);
          return { ...problem([...path, key], message, hint), at: 'key' };
        }
        const known = keysAt(schema, path);
        const hint = didYouMean(key, known) ?? listed('known here', known);
        return { ...problem([...path, key], `unknown key \`${key}\``, hint), at: 'key' };
      });
    case 'invalid_type':
      return [explainType(path, node, issue)];
    case 'invalid_value': {
      const known = issue.values.map(String);
      if (node === undefined) return [missing(path)];
      const given = node.kind === 'scalar' ? node.written : '';
      const message = node.kind === 'scalar' ? `${shown(node)} is not known here` : 'expected one word';
      return [problem(path, message, didYouMean(given, known) ?? listed('one of', known))];
    }
    case 'invalid_union':
      return explainUnion(schema, root, path, issue);
    case 'invalid_key':
      return [
        { ...problem(path, `\`${path.at(-1)}\`: ${own(issue.issues[0]) ?? 'not a valid name'}`), at: 'key' },
      ];
    case 'custom': {
      const found = problem(path, own(issue) ?? 'not valid', hintOf(issue));
      return [issue.params?.confidential === true ? { ...found, confidential: true } : found];
    }
    // open: the list of the library, which grows
    default:
      return [problem(path, own(issue) ?? bounds(issue))];
  }
}

function explainType(
  path: ConfigPath,
  node: SourceNode | undefined,
  issue: z.core.$ZodIssueInvalidType,
): ConfigProblem {
  if (node === undefined) return missing(path);
  const expected = TYPES[issue.expected] ?? issue.expected;
  if (node.kind === 'scalar' && node.value === null) {
    return problem(path, `nothing is here, expected ${expected}`, 'give it a value, or remove the key');
  }
  if (issue.expected === 'string' && node.kind === 'scalar') {
    return problem(path, `expected text, found ${shown(node)}`, 'put it in quotes');
  }
  const found = node.kind === 'scalar' ? shown(node) : node.kind === 'list' ? 'a list' : 'a map';
  return problem(path, own(issue) ?? `expected ${expected}, found ${found}`);
}

/** Of the alternatives the one that fits best speaks; when none fits at all, all are named. */
function explainUnion(
  schema: typeof ConfigSchema,
  root: SourceNode,
  path: ConfigPath,
  issue: z.core.$ZodIssueInvalidUnion,
): readonly IssueProblem[] {
  if (issue.errors.length === 0) return explainDiscriminator(root, path, issue);
  const isScalar = nodeAt(root, path)?.kind === 'scalar';
  const fitting = issue.errors.filter(
    (branch) =>
      !branch.some(
        ({ code, path: inner }) =>
          inner.length === 0 && (code === 'invalid_type' || (code === 'invalid_value' && !isScalar)),
      ),
  );
  const best = fitting.toSorted((a, b) => a.length - b.length)[0];
  if (best !== undefined) return best.flatMap((inner) => explainIssue(schema, root, inner, path));
  const expected = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) =>
      inner.code === 'invalid_type' ? [TYPES[inner.expected] ?? inner.expected] : [],
    ),
  );
  return [problem(path, own(issue) ?? `expected ${[...new Set(expected)].join(' or ')}`)];
}

function explainDiscriminator(
  root: SourceNode,
  path: ConfigPath,
  issue: z.core.$ZodIssueInvalidUnion,
): readonly IssueProblem[] {
  const at = nodeAt(root, path);
  if (at === undefined) return [missing(path)];
  if (at.kind !== 'scalar') return [problem(path, 'expected one word')];
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
  const hint = didYouMean(at.written, options) ?? listed('one of', options);
  return [problem(path, `${shown(at)} is not known here`, hint)];
}

/** The schema's own words, when whoever wrote it gave any; zod's standard ones are replaced. */
function own(issue: Issue | undefined): string | undefined {
  if (issue === undefined) return undefined;
  return /^(?:Invalid|Unrecognized|Too (?:big|small))/.test(issue.message) ? undefined : issue.message;
}

function bounds(issue: Issue): string {
  if (issue.code === 'too_small') return `too small, at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `too large, at most ${issue.maximum}`;
  return 'not valid';
}

/** A check may say what to do in `params.hint`. */
function hintOf(issue: z.core.$ZodIssueCustom): string | undefined {
  const hint: unknown = issue.params?.hint;
  return typeof hint === 'string' ? hint : undefined;
}

// SECURITY: what was written is shown, never the value: a variable in it may hold a secret.
function shown(node: SourceNode): string {
  if (node.kind !== 'scalar') return node.kind;
  const text = node.written.length <= 40 ? node.written : `${node.written.slice(0, 39)}…`;
  return `\`${text}\``;
}

function missing(path: ConfigPath): ConfigProblem {
  return problem(path, `\`${path.at(-1)}\` is missing`);
}

function listed(lead: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `${lead}: ${names.map((name) => `\`${name}\``).join(', ')}`;
}

function problem(path: ConfigPath, message: string, hint?: string): ConfigProblem {
  return { severity: 'error', path, message, ...(hint === undefined ? {} : { hint }) };
}
