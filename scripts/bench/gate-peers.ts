import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { BenchQuestion, BenchRule } from './gate-rules.ts';

/** An engine with its rules loaded: answers whether the question is allowed. */
export type Decide = (question: BenchQuestion) => boolean;

interface Cedar {
  preparsePolicySet(id: string, policies: { staticPolicies: string }): { type: string };
  statefulIsAuthorized(call: object): { type: string; response?: { decision: 'allow' | 'deny' } };
}
interface Casbin {
  newModelFromString(text: string): unknown;
  StringAdapter: new (text: string) => unknown;
  newEnforcer(model: unknown, adapter: unknown): Promise<{ enforceSync(...values: string[]): boolean }>;
}

const cache = join(process.env.SALLYPORT_CACHE ?? join(homedir(), '.cache', 'sallyport'), 'bench');

function peer(name: string): unknown {
  try {
    return createRequire(join(cache, 'package.json'))(name);
  } catch (error) {
    throw new Error(`the peer \`${name}\` is not installed: run \`npm run bench:setup\``, { cause: error });
  }
}

/** Cedar with the policies parsed beforehand: its fastest way in. */
export function openCedar(rules: readonly BenchRule[]): Decide {
  // The peers come without types that this repo could check.
  const cedar = peer('@cedar-policy/cedar-wasm/nodejs') as Cedar;
  const id = `bench-${rules.length}`;
  const staticPolicies = rules
    .map(({ action, tool, pattern }) => {
      const effect = action === 'allow' ? 'permit' : 'forbid';
      const like = JSON.stringify(pattern);
      return `${effect}(principal, action == Action::"${tool}", resource) when { context.text like ${like} };`;
    })
    .join('\n');
  const parsed = cedar.preparsePolicySet(id, { staticPolicies });
  if (parsed.type !== 'success') throw new Error(`cedar: ${JSON.stringify(parsed)}`);
  return ({ tool, text }) => {
    const answer = cedar.statefulIsAuthorized({
      principal: { type: 'Agent', id: 'dev' },
      action: { type: 'Action', id: tool },
      resource: { type: 'Target', id: 'x' },
      context: { text },
      preparsedPolicySetId: id,
      entities: [],
    });
    return answer.response?.decision === 'allow';
  };
}

const CASBIN_MODEL = `
[request_definition]
r = tool, text
[policy_definition]
p = tool, pattern, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.tool == p.tool && keyMatch(r.text, p.pattern)
`;

export async function openCasbin(rules: readonly BenchRule[]): Promise<Decide> {
  const casbin = peer('casbin') as Casbin;
  const policy = rules.map(({ action, tool, pattern }) => `p, ${tool}, ${pattern}, ${action}`).join('\n');
  const enforcer = await casbin.newEnforcer(
    casbin.newModelFromString(CASBIN_MODEL),
    new casbin.StringAdapter(policy),
  );
  return ({ tool, text }) => enforcer.enforceSync(tool, text);
}
