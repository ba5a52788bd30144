import { GIT_PROVIDERS, type GitProvider, type TenantConfig } from '../../config/index.ts';
import { compileGlob } from '../../shared/glob.ts';
import type { RuleSource } from '../rules/compile-rule.ts';
import { parseSelector } from '../rules/selector.ts';
import type { ModeException, ModePolicy, RepositoryException } from './compiled-policy.ts';
import type { PolicySource } from './policy-source.ts';

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

function compileException(source: PolicySource, exception: Given, index: number): ModeException {
  const path = source.tenantPath('exceptions', index);
  const repository = repositoryException(exception);
  if (repository !== undefined) {
    const { provider, area, repositories } = repository;
    const quote = source.quote(path, `${provider}: ${area}`);
    if (repositories === undefined) return { kind: 'repository', provider, area, quote };
    const names = repositories.map((name) => fullName(name, provider));
    return { kind: 'repository', provider, area, repositories: new Set(names), quote };
  }
  if (!('provider' in exception)) throw source.invalid(path, 'not an exception');
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

type Given = Exclude<TenantConfig['exceptions'][number], string>;

function repositoryException(given: Given):
  | (Pick<RepositoryException, 'provider' | 'area'> & {
      readonly repositories?: readonly string[] | undefined;
    })
  | undefined {
  if ('github' in given) return { provider: 'github', area: given.github, repositories: given.repositories };
  if ('gitlab' in given) return { provider: 'gitlab', area: given.gitlab, repositories: given.repositories };
  if ('bitbucket' in given)
    return { provider: 'bitbucket', area: given.bitbucket, repositories: given.repositories };
  if ('git' in given) return { provider: 'git', area: given.git, repositories: given.repositories };
  return undefined;
}

/** `acme/app` is on the provider's own host; letter case and `.git` do not matter there. */
function fullName(name: string, provider: GitProvider): string {
  const plain = name.toLowerCase().replace(/\.git$/, '');
  const own = GIT_PROVIDERS[provider];
  const parts = plain.split('/');
  // Groups of GitLab have groups in them: there a host is told by its dot.
  const hasHost =
    provider === 'gitlab' ? parts[0]?.includes('.') === true && parts.length > 2 : parts.length === 3;
  return hasHost || own === undefined ? plain : `${own}/${plain}`;
}
