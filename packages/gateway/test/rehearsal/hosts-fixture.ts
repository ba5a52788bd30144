import { type CreateBuilder, loadActionBuilders } from '../../src/actions/index.ts';
import { load, OPTIONS } from '../../src/gate/gate.fixture.ts';
import { PolicySet, shortJudgement } from '../../src/gate/index.ts';
import { Rehearsal, type RehearsalQuestion } from '../../src/rehearsal/rehearse.ts';

const createBuilder: CreateBuilder = await loadActionBuilders();

const config = (network: object, exceptions: readonly string[] = []) => ({
  tenants: {
    default: {
      default_user: 'ana',
      default_agent: 'dev',
      users: { ana: { roles: ['owner'] } },
      exceptions,
    },
  },
  roles: { owner: { allow: ['agent:*', 'tool:*'] } },
  network,
  agents: { dev: { permissions: ['allow:*'] } },
});

/** A policy that denies one host, and knows two others. */
export const RULES = {
  default: 'ask',
  rules: [
    { host: 'evil.example', action: 'deny' },
    { host: 'docs.example', action: 'allow' },
    { host: 'wiki.example', action: 'allow' },
  ],
};

function rehearsalOf(network: object, exceptions?: string[]): Rehearsal {
  return new Rehearsal({
    policies: new PolicySet(load(config(network, exceptions)), OPTIONS),
    createBuilder,
    telemetry: [],
    registries: [],
    cwd: '/workspace',
    home: '/home/ana',
  });
}

/** What the gate says of a shell line without a jail, or of another question. */
export function says(
  line: string,
  over: Partial<RehearsalQuestion> = {},
  network: object = RULES,
  exceptions?: string[],
): string {
  const question = { form: 'tool', text: `Bash(${line})`, confinement: 'unconfined', ...over } as const;
  return shortJudgement(rehearsalOf(network, exceptions).ask(question).judgement);
}

export const explain = (question: RehearsalQuestion) => rehearsalOf(RULES).ask(question).explanation;
