import type { NamedPath, PathFact } from '@sallyport/protocol';
import { compileGlob, escapeGlob, type Glob } from '../../../shared/glob.ts';
import { problem } from '../patterns/parsed.ts';
import {
  belowFolder,
  compilePathPattern,
  type PathPattern,
  parsePathPattern,
} from '../patterns/path-pattern.ts';
import { PrefixIndex } from '../patterns/prefix-index.ts';
import { globShadows } from './command-selector.ts';
import { type CompiledRule, matchesText, prefixOf } from './compiled-rule.ts';
import type { PathRules, SelectorDefinition } from './definition.ts';
import { describeTool } from './tool-selector.ts';

class PathIndex implements PathRules {
  #absolute: PrefixIndex<CompiledRule> | undefined;
  #belowCwd: PrefixIndex<CompiledRule> | undefined;
  readonly #strict: CompiledRule[] = [];
  readonly #all: CompiledRule[] = [];

  insert(rule: CompiledRule): void {
    this.#all.push(rule);
    if (rule.action !== 'allow') this.#strict.push(rule);
    const prefix = prefixOf(rule);
    if (isBelowCwd(rule)) {
      this.#belowCwd ??= new PrefixIndex();
      this.#belowCwd.insert(prefix, rule);
    } else {
      this.#absolute ??= new PrefixIndex();
      this.#absolute.insert(prefix, rule);
    }
  }

  get hasStrict(): boolean {
    return this.#strict.length > 0;
  }

  first(path: PathFact, cwd: string, limit: number): CompiledRule | undefined {
    let best = this.#absolute?.first(path.real, limit, matchesText, undefined);
    if (this.#belowCwd !== undefined) {
      const below = belowFolder(path.real, cwd);
      if (below !== undefined)
        best = this.#belowCwd.first(below, best?.order ?? limit, matchesText, undefined) ?? best;
    }
    const deletes = path.access === 'delete';
    if ((!deletes && path.below !== true) || this.#strict.length === 0) return best;
    // SECURITY: deleting a folder deletes what a deny below it protects, and a search through it reads that.
    for (const rule of this.#strict) {
      if (rule.order >= (best?.order ?? limit)) break;
      if (protectsBelow(rule, path.real, cwd, deletes)) return rule;
    }
    return best;
  }

  firstForPattern(
    { real = '/', rest = '', below }: NamedPath,
    cwd: string,
    limit: number,
  ): CompiledRule | undefined {
    const deep = below === true ? '/**' : '';
    const named = compileGlob(`${real === '/' ? '' : escapeGlob(real)}/${rest}${deep}`, 'path');
    for (const rule of this.#all) {
      if (rule.order >= limit) break;
      const glob = absoluteGlob(rule, cwd, below === true || rule.action === 'allow');
      if (rule.action === 'allow' ? glob.covers(named) : glob.meetsShellPattern(named)) return rule;
    }
    return undefined;
  }
}

function isBelowCwd({ selector }: CompiledRule): boolean {
  return selector.kind === 'path' && selector.path.base === 'cwd';
}

/**
 * Whether a rule is about something below a folder. Reading a folder counts only for a place that the rule names:
 * a search through a project is not forbidden because a file such as `./**\/.env` may lie somewhere in it.
 */
function protectsBelow(rule: CompiledRule, folder: string, cwd: string, deletes: boolean): boolean {
  const start = rule.glob?.prefix ?? '';
  const protectedPath = isBelowCwd(rule) ? `${cwd === '/' ? '' : cwd}/${start}` : start;
  const above = folder === '/' ? '/' : `${folder}/`;
  return protectedPath.startsWith(above) && (deletes || protectedPath.length > above.length);
}

/** The pattern of a path rule from the root. Without `itself`, `/a/**` is about what is in the folder: `cat *` opens none. */
function absoluteGlob(rule: CompiledRule, cwd: string, itself: boolean): Glob {
  const { glob } = rule;
  const source = glob?.source ?? '**';
  const start = isBelowCwd(rule) ? `${cwd === '/' ? '' : escapeGlob(cwd)}/` : '';
  const end = !itself && source.endsWith('/**') ? '/*' : '';
  return start === '' && end === '' && glob !== undefined
    ? glob
    : compileGlob(`${start}${source}${end}`, 'path');
}

const BASES: Readonly<Record<PathPattern['base'], string>> = {
  root: '/',
  home: '~/',
  cwd: './',
  absolute: '//',
};

/** `Write(./src/**)`: each path that a call touches. */
export const pathSelector: SelectorDefinition<'path', 'path'> = {
  example: 'Write(./src/**)',
  about: 'path',
  argument: 'path',
  parse(text, { tool }) {
    const path = parsePathPattern(text);
    if (path.ok && path.value.base === 'cwd' && tool.name.startsWith('mcp:'))
      return problem('an MCP server has no folder of the agent', 'begin the path with `/`, `~/` or `//`');
    return path.ok ? { ok: true, value: { kind: 'path', tool, path: path.value } } : path;
  },
  compile: ({ path }, bases) => ({ glob: compilePathPattern(path, bases) }),
  index: () => new PathIndex(),
  matches: matchesText,
  concerns: () => 'no',
  describe: ({ tool, path }) =>
    `paths like \`${BASES[path.base]}${path.rest}\` that ${describeTool(tool)} touches`,
  shadows: (wide, narrow) =>
    (wide.selector.path.base === 'cwd') === (narrow.selector.path.base === 'cwd') &&
    globShadows(wide, narrow),
};
