import { ScriptedModel, startTestGateway } from '@sallyport/testkit';
import { rated, verdict } from '../../review/review-fixture.ts';
import { all, at, below, type Case, type Draft, type Group, type OpenWorld } from './cases.ts';

/** A call that is reviewed or checked: what the models were asked, and what came of it. */
type See = 'reviewed' | 'slow' | 'checked';
type Cases = Record<string, Case<See>>;

interface ModelsWorld extends OpenWorld {
  readonly models: readonly ScriptedModel[];
  readonly token: string;
}

const SERVICE = { one: '', two: '' };
const asker =
  (path: string, more: object = {}): Case<See>['change'] =>
  (draft) =>
    at(path, {
      model: 'openai-compatible:one',
      base_url: `${SERVICE.one}/v1`,
      api_key: 'env:ONE',
      auto_approve: 'high',
      ...more,
    })(draft);

const gatekeeper = (path: string): Cases => ({
  '.model': { given: asker(path), change: at(`${path}.model`, 'openai-compatible:two'), see: 'reviewed' },
  '.base_url': {
    given: asker(path),
    change: (draft) => at(`${path}.base_url`, `${SERVICE.two}/v1`)(draft),
    see: 'reviewed',
  },
  '.api_key': { given: asker(path), change: at(`${path}.api_key`, 'env:TWO'), see: 'reviewed' },
  '.auto_approve': { given: asker(path), change: at(`${path}.auto_approve`, 'none'), see: 'reviewed' },
  '.timeout_seconds': { given: asker(path), change: at(`${path}.timeout_seconds`, 1), see: 'slow' },
  '.budget_tokens': { given: asker(path), change: at(`${path}.budget_tokens`, 512), see: 'reviewed' },
});

const validation = (path: string): Cases => {
  const given = all(
    asker('gatekeeper'),
    at(`${path}.permissions`, ['allow:*']),
    at(`${path}.execution.tool_validation`, {
      Bash: { criteria: 'harmless', model: 'openai-compatible:one' },
    }),
  );
  const change = (key: string, value: unknown) => at(`${path}.execution.tool_validation.Bash.${key}`, value);
  return {
    '.execution.tool_validation.*.criteria': {
      given,
      change: change('criteria', 'beautiful'),
      see: 'checked',
    },
    '.execution.tool_validation.*.model': {
      given,
      change: change('model', 'openai-compatible:two'),
      see: 'checked',
    },
  };
};

export const modelsGroup: Group<See, ModelsWorld> = {
  name: 'models, as they are asked',
  cases: {
    ...below('gatekeeper', gatekeeper, 'gatekeeper'),
    ...below('tenants.*.gatekeeper', gatekeeper, 'tenants.default.gatekeeper'),
    ...below('agents.*', validation, 'agents.dev'),
    ...below('tenants.*.agents.*', validation, 'tenants.default.agents.dev'),
  },
  async open() {
    const models = await Promise.all(
      ['one', 'two'].map(() => ScriptedModel.start({ apiKey: 'key-number-one', reply: () => rated('low') })),
    );
    [SERVICE.one, SERVICE.two] = models.map(({ url }) => url) as [string, string];
    const base: Draft = {
      tenants: {
        default: { default_user: 'ana', default_agent: 'dev', users: { ana: { roles: ['owner'] } } },
      },
      roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
      agents: { dev: { permissions: ['ask:*'] } },
    };
    const gateway = await startTestGateway({
      config: JSON.stringify(base),
      env: { ONE: 'key-number-one', TWO: 'key-number-two' },
    });
    const opened = await gateway.operator('/v1/sessions', {
      json: { tenant: 'default', agent: 'dev', user: 'ana', confinement: 'jailed' },
    });
    return {
      ...{ gateway, base, models, token: opened.json<{ session_token: string }>().session_token },
      async [Symbol.asyncDispose]() {
        await gateway.close();
        for (const model of models) await model[Symbol.asyncDispose]();
      },
    };
  },
  async look({ gateway, models, token }, see) {
    for (const model of models) {
      model.requests.length = 0;
      model.refusals.length = 0;
      model.reply = async ({ text }) => {
        if (see === 'slow') await new Promise((resolve) => setTimeout(resolve, 1_500));
        return text.includes('"criteria"') ? verdict('pass') : rated('low');
      };
    }
    const event = {
      ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/tmp', tool_name: 'Bash' },
      tool_input: { command: `touch ${Math.random()}` },
    };
    const json = { event, home: '/home/ana', wait_seconds: 3 };
    const answer = await gateway.agent('/v1/hooks/claude-code', { token, json });
    const { approval_id: id, decision } = answer.json<{ approval_id?: string; decision: string }>();
    if (id !== undefined) await gateway.operator(`/v1/approvals/${id}/decision`, { json: { code: '3' } });
    return [
      decision,
      models.map(({ requests, refusals }) => [
        refusals.length,
        requests.map(({ body, text }) => [
          text.includes('harmless'),
          text.includes('beautiful'),
          (body as { model: string }).model,
          (body as { max_tokens?: number }).max_tokens,
        ]),
      ]),
    ];
  },
};
