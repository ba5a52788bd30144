import type { CommandFact, NamedPath, PathFact } from '@sallyport/protocol';
import type { HostLists } from '../../shared/listed-host.ts';
import type { RequestFact } from '../../targets/index.ts';
import { TOOL_NAMES } from '../../tools/index.ts';
import { compileRule, type RuleSource } from './compile-rule.ts';
import type { PathBases } from './patterns/path-pattern.ts';
import { PrefixIndex } from './patterns/prefix-index.ts';
import { toolGroup } from './patterns/tool-table.ts';
import type { CompiledRule } from './selectors/compiled-rule.ts';
import { typeSelector } from './selectors/type-selector.ts';
import { ToolBucket } from './tool-bucket.ts';

const NO_BUCKETS: readonly ToolBucket[] = [];

/**
 * One ordered list of rules, indexed by tool and then by the literal start of the pattern.
 *
 * Every `first…` gives the first rule of the list that is about the thing asked, or undefined.
 */
export class RuleList {
  readonly rules: readonly CompiledRule[];
  /** first `*` */
  readonly any: CompiledRule | undefined;
  readonly #exact = new Map<string, ToolBucket>();
  readonly #families = new PrefixIndex<ToolBucket>();
  readonly #familyBuckets = new Map<string, ToolBucket>();
  /** exact name and families together, for every name that is known at load */
  readonly #resolved = new Map<string, readonly ToolBucket[]>();
  readonly #types: ReturnType<typeof typeSelector.index>;
  #hasTypes = false;
  readonly #lists: HostLists;
  /** those for `Read` and `Write` that deny or ask about paths */
  readonly #strictPaths: Readonly<Record<'Read' | 'Write', readonly ToolBucket[]>>;
  /** Whether a rule for `Read` or `Write` denies or asks about paths. */
  readonly hasStrictPaths: boolean;

  constructor(sources: readonly RuleSource[], bases: PathBases, lists: HostLists) {
    this.#lists = lists;
    this.#types = typeSelector.index(lists);
    this.rules = sources.map((source, order) => compileRule(source, order, bases));
    for (const rule of this.rules) this.#insert(rule);
    this.any = this.rules.find((rule) => rule.selector.kind === 'tool' && rule.selector.tool.name === '');
    for (const name of [...this.#exact.keys(), ...TOOL_NAMES]) {
      if (!this.#resolved.has(name)) this.#resolved.set(name, this.#resolve(name));
    }
    const strict = ({ hasStrictPaths }: ToolBucket): boolean => hasStrictPaths;
    const [Read, Write] = [this.#resolve('Read').filter(strict), this.#resolve('Write').filter(strict)];
    this.#strictPaths = { Read, Write };
    this.hasStrictPaths = Read.length + Write.length > 0;
  }

  #insert(rule: CompiledRule): void {
    const { selector } = rule;
    if (selector.kind === 'type') {
      this.#types.insert(rule);
      this.#hasTypes = true;
    } else if (selector.tool.name === '') return;
    else if (selector.tool.wildcard) this.#family(selector.tool.name).insert(rule);
    else for (const name of toolGroup(selector.tool.name)) this.#bucket(name).insert(rule);
  }

  #family(prefix: string): ToolBucket {
    let bucket = this.#familyBuckets.get(prefix);
    if (bucket === undefined) {
      bucket = new ToolBucket(this.#lists, this.#familyBuckets.size);
      this.#familyBuckets.set(prefix, bucket);
      this.#families.insert(prefix, bucket);
    }
    return bucket;
  }

  #bucket(tool: string): ToolBucket {
    let bucket = this.#exact.get(tool);
    if (bucket === undefined) {
      bucket = new ToolBucket(this.#lists, this.#exact.size);
      this.#exact.set(tool, bucket);
    }
    return bucket;
  }

  #resolve(tool: string): readonly ToolBucket[] {
    const exact = this.#exact.get(tool);
    const families = this.#families.all(tool);
    return exact === undefined ? families : [exact, ...families];
  }

  #buckets(tool: string): readonly ToolBucket[] {
    const known = this.#resolved.get(tool);
    if (known !== undefined) return known;
    return this.#familyBuckets.size === 0 ? NO_BUCKETS : this.#families.all(tool);
  }

  /** The lower of `*` and the rules of that type. */
  #firstGeneral(type: string): CompiledRule | undefined {
    const { any } = this;
    if (!this.#hasTypes) return any;
    return this.#types.first(type, '', any === undefined ? Number.POSITIVE_INFINITY : any.order) ?? any;
  }

  /** A call without a target of its own. Only rules without a pattern are about it. */
  firstForCall(tool: string, type: string): CompiledRule | undefined {
    let best = this.#firstGeneral(type);
    for (const bucket of this.#buckets(tool)) best = lower(best, bucket.bare);
    return best;
  }

  /** The first deny or ask with a pattern for this tool, which a call without that fact might fall under. */
  firstStrictPattern(tool: string): CompiledRule | undefined {
    let best: CompiledRule | undefined;
    for (const bucket of this.#buckets(tool)) best = lower(best, bucket.strictPattern);
    return best;
  }

  firstForPath(tool: string, type: string, path: PathFact, cwd: string): CompiledRule | undefined {
    let best = this.#firstGeneral(type);
    for (const bucket of this.#buckets(tool)) best = lower(best, bucket.firstForPath(path, cwd));
    return best;
  }

  firstForRequest(tool: string, type: string, target: RequestFact): CompiledRule | undefined {
    let best = this.#firstGeneral(type);
    for (const bucket of this.#buckets(tool)) best = lower(best, bucket.firstForRequest(target));
    // SECURITY: `http(…)` forbids the request whichever tool makes it; it permits only what the proxy sees.
    if (tool !== 'http')
      for (const bucket of this.#buckets('http')) best = lower(best, bucket.firstStrictForRequest(target));
    return best;
  }

  firstForAddress(tool: string, type: string, address: string): CompiledRule | undefined {
    let best = this.#firstGeneral(type);
    for (const bucket of this.#buckets(tool)) best = lower(best, bucket.firstForAddress(address));
    return best;
  }

  /** A command that is fully known, called through `tool` (`Bash`, `cmd.run`, or the program itself). */
  firstForCommand(tool: string, fact: CommandFact, cwd: string): CompiledRule | undefined {
    let best = this.#firstGeneral(fact.type);
    // SECURITY: a rule about deleting files is about `rm -r` too.
    if (fact.alsoType !== undefined) best = lower(best, this.#firstGeneral(fact.alsoType));
    for (const bucket of this.#buckets(tool)) best = lower(best, bucket.firstForCommand(fact, cwd));
    for (const bucket of this.#resolved.get(fact.program) ?? NO_BUCKETS)
      best = lower(best, bucket.firstForArguments(fact, cwd));
    return best;
  }

  /**
   * The first rule of this list with a path pattern for `tool` (`Read`, `Write`) that denies or asks about a path
   * which a command names. Rules about everything were asked about the command itself.
   */
  firstObjection(tool: 'Read' | 'Write', path: NamedPath, cwd: string): CompiledRule | undefined {
    let best: CompiledRule | undefined;
    for (const bucket of this.#strictPaths[tool]) {
      best = lower(
        best,
        path.rest === undefined || path.open === true
          ? firstForNamed(bucket, tool, path, cwd)
          : bucket.firstForPattern(path, cwd),
      );
    }
    return best === undefined || best.action === 'allow' || best.selector.kind !== 'path' ? undefined : best;
  }
}

function firstForNamed(
  bucket: ToolBucket,
  tool: 'Read' | 'Write',
  { given, real = '/', use, below, open }: NamedPath,
  cwd: string,
): CompiledRule | undefined {
  // What is only known to start here may end anywhere below: a rule counts when it is about all of that.
  if (open === true) return bucket.firstForPath({ given, real, access: 'read' }, cwd);
  // A program of which nobody knows what it does may search a folder; that it deletes one is not to be expected.
  const access = tool === 'Read' ? 'read' : below === true && use === 'write' ? 'delete' : 'write';
  const deep = tool === 'Read' && below === true ? { below } : {};
  return bucket.firstForPath({ given, real, access, ...deep }, cwd);
}

function lower(a: CompiledRule | undefined, b: CompiledRule | undefined): CompiledRule | undefined {
  if (a === undefined) return b;
  return b !== undefined && b.order < a.order ? b : a;
}
