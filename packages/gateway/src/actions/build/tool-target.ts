import type { JsonObject, PathFact, Target, TargetProblem } from '@sallyport/protocol';
import { canonicalizePath, type PathContext } from '../paths/index.ts';
import type { ActionContext } from './action-context.ts';

/** Thrown while building and caught by the builder: the action gets this problem, and the gate refuses it. */
export class TargetRefusal extends Error {
  readonly problem: TargetProblem;

  constructor(problem: TargetProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** An argument that must be there, as text. */
export function textArgument(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new TargetRefusal({
    code: 'MissingArgument',
    message:
      value === undefined ? `the argument \`${name}\` is missing` : `the argument \`${name}\` must be text`,
  });
}

/** The argument of several names that was given. SECURITY: two of them, and the tool might take the other one. */
export function oneArgument(input: JsonObject, names: readonly string[]): string {
  const given = names.filter((name) => input[name] !== undefined);
  if (given.length > 1) {
    throw new TargetRefusal({
      code: 'Malformed',
      message: `only one of \`${given.join('`, `')}\` may be given`,
    });
  }
  return textArgument(input, given[0] ?? names[0] ?? '');
}

export function pathTarget(
  files: readonly Omit<PathFact, 'real'>[],
  context: ActionContext,
  tool: string,
): Target {
  const paths = files.map(
    (file): PathFact => ({
      ...file,
      real: resolve(file.given, context, tool),
    }),
  );
  return { ...lent(context), cwd: context.cwd, kind: 'path', paths };
}

/** A glob is judged by the folder that it starts from: `../../etc/*` starts outside. */
export function globTarget(pattern: string, folder: string, context: ActionContext, tool: string): Target {
  const fixed = pattern.split('/');
  const firstWild = fixed.findIndex((part) => /[*?[\]{}!()]/.test(part));
  // SECURITY: a `..` behind a wildcard leads to a place that only the file system knows.
  if (firstWild >= 0 && fixed.slice(firstWild).some((part) => part.includes('..'))) {
    throw new TargetRefusal({
      code: 'PathTraversalAttempt',
      message: 'the pattern goes up behind a wildcard',
    });
  }
  const base = (firstWild < 0 ? fixed : fixed.slice(0, firstWild)).join('/');
  const given = pattern.startsWith('/') ? base || '/' : base === '' ? folder : `${folder}/${base}`;
  return pathTarget([{ given, access: 'read' }], context, tool);
}

export function patchTarget(patch: string, context: ActionContext, tool: string): Target {
  const files = patchFiles(patch);
  if (files === undefined) {
    throw new TargetRefusal({
      code: 'Malformed',
      message: 'the patch cannot be read, so its files are not known',
    });
  }
  return pathTarget(files, context, tool);
}

export function addressTarget(
  input: JsonObject,
  account: string,
  fields: readonly string[],
  context: ActionContext,
): Target {
  const addresses = fields.flatMap((field) => addressesIn(input[field], field));
  if (fields.length > 0 && addresses.length === 0) {
    throw new TargetRefusal({ code: 'MissingArgument', message: 'there is nobody to send it to' });
  }
  const from = input[account];
  if (from !== undefined && typeof from !== 'string') {
    throw new TargetRefusal({ code: 'Malformed', message: `the argument \`${account}\` must be text` });
  }
  return { kind: 'address', addresses, ...(from === undefined ? {} : { account: from }), ...lent(context) };
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/;

/** Plain addresses, in lower case. */
export function addressesIn(value: unknown, field: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry) => {
    // One bare address each: `a@x, b@y` or `"a@x" <b@y>` would be judged by one and sent to the other.
    if (typeof entry !== 'string' || !ADDRESS.test(entry)) {
      throw new TargetRefusal({
        code: 'Malformed',
        message: `\`${field}\` must hold plain addresses, one each`,
      });
    }
    return entry.toLowerCase();
  });
}

function resolve(given: string, context: ActionContext, tool: string): string {
  const where: PathContext = {
    cwd: context.cwd,
    refuseDots: tool.startsWith('fs.'),
    foldCase: context.foldCase,
    links: context.links,
  };
  const result = canonicalizePath(given, where);
  if (result.kind === 'problem') throw new TargetRefusal(result.problem);
  return result.real;
}

/** The part of every target that names the credential. */
export function lent(context: ActionContext): { readonly credential?: string } {
  return context.credential === undefined ? {} : { credential: context.credential };
}

/** Files that a Codex patch touches, as written; undefined when the text is no such patch. */
function patchFiles(
  patch: string,
): readonly { readonly given: string; readonly access: PathFact['access'] }[] | undefined {
  const lines = patch.trim().split('\n');
  if (lines[0]?.trim() !== '*** Begin Patch' || lines.at(-1)?.trim() !== '*** End Patch') return undefined;
  const files: { given: string; access: PathFact['access'] }[] = [];
  for (const line of lines) {
    // A marker with leading blanks is content to us and might be a marker to the client: both are looked at.
    const match = /^\s*\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/.exec(line);
    if (match?.[2] !== undefined)
      files.push({ given: match[2], access: match[1] === 'Delete File' ? 'delete' : 'write' });
  }
  return files.length === 0 ? undefined : files;
}
