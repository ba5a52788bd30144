import type { TenantConfig } from '../config/index.ts';
import { compileGlob } from '../shared/glob.ts';
import type { ModeException, ModePolicy } from './compiled-policy.ts';
import type { PolicySource } from './policy-source.ts';
import type { RuleSource } from './rules/compile-rule.ts';
import { parseSelector } from './rules/selector.ts';

const PROTECTED: readonly string[] = ['main', 'master', 'release/*'];

/** Compiles mode, branches and exceptions. A tenant without a section of its own is cautious, without exceptions. */
export function compileMode(source: PolicySource): ModePolicy {
  const { own } = source;
  const exceptions: ModeException[] = [];
  const selectors: RuleSource[] = [];
  own?.exceptions.forEach((exception, index) => {
    if (typeof exception === 'string') selectors.push(compileSelector(source, exception, index));
    else exceptions.push(compileException(source, exception, index));
  });
  return {
    mode: own?.mode ?? 'cautious',
    owned: own?.branches.owned ?? [],
    // `Main` is `main` on some servers: held against folded names.
    protected: (own?.branches.protected ?? PROTECTED).map((pattern) =>
      compileGlob(pattern.toLowerCase(), 'command'),
    ),
    exceptions,
    selectors: source.compileRules(selectors),
  };
}

function compileSelector(source: PolicySource, text: string, index: number): RuleSource {
  const path = source.tenantPath('exceptions', index);
  const parsed = parseSelector(text, source.types);
  if (!parsed.ok) throw source.invalid(path, `${parsed.message}: \`${text}\``, parsed.hint);
  const { at } = source.quote(path, text);
  return { text, rule: { action: 'allow', selector: parsed.value }, ...(at === undefined ? {} : { at }) };
}

function compileException(
  source: PolicySource,
  exception: Exclude<TenantConfig['exceptions'][number], string>,
  index: number,
): ModeException {
  const path = source.tenantPath('exceptions', index);
  if ('github' in exception) {
    const quote = source.quote(path, `github: ${exception.github}`);
    return { kind: 'github', area: exception.github, quote };
  }
  const { provider, methods, paths, when } = exception;
  return {
    kind: 'provider',
    provider,
    quote: source.quote(path, `provider: ${provider}`),
    ...(methods === undefined ? {} : { methods: new Set(methods) }),
    ...(paths === undefined ? {} : { paths: paths.map((pattern) => compileGlob(pattern, 'path')) }),
    ...(when === undefined ? {} : { operation: when }),
  };
}
