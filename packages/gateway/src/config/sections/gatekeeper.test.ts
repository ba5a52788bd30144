import { describe, expect, test } from 'vitest';
import { createPolicyChecks } from '../../gate/index.ts';
import { load, reported } from '../load-config.fixture.ts';

const KEY = 'api_key: env:KEY';
const ANTHROPIC = `{ model: "anthropic:claude-haiku-4-5", ${KEY} }`;
const agent = (validation: string): string =>
  `agents: { dev: { execution: { tool_validation: ${validation} } } }\n`;

describe('a gatekeeper in a config', () => {
  test('is none unless it is named; then it approves nothing by itself', () => {
    expect(load('tenants: { t: {} }\n').config.gatekeeper).toBeUndefined();
    expect(load(`gatekeeper: ${ANTHROPIC}\n`).config.gatekeeper).toEqual({
      model: 'anthropic:claude-haiku-4-5',
      api_key: 'env:KEY',
      auto_approve: 'none',
      timeout_seconds: 20,
      budget_tokens: 1_024,
    });
  });

  test('a tenant may have its own, and a local one needs no key', () => {
    const { config } = load(`
gatekeeper: ${ANTHROPIC}
tenants:
  t: { gatekeeper: { model: "openai-compatible:qwen3:8b", base_url: "http://127.0.0.1:11434/v1", auto_approve: low } }
`);
    expect(config.tenants.t?.gatekeeper).toMatchObject({ auto_approve: 'low' });
  });

  test.each([
    {
      why: 'no provider',
      text: `gatekeeper: { model: claude-haiku-4-5, ${KEY} }\n`,
      says: 'expected `anthropic:NAME`',
    },
    {
      why: 'a provider that is not there',
      text: `gatekeeper: { model: "openai:x", ${KEY} }\n`,
      says: 'expected `anthropic:NAME`',
    },
    {
      why: 'Anthropic without a key',
      text: 'gatekeeper: { model: "anthropic:x" }\n',
      says: 'needs an `api_key`',
    },
    {
      why: 'a local model without an address',
      text: 'gatekeeper: { model: "openai-compatible:x" }\n',
      says: 'needs a `base_url`',
    },
    {
      why: 'an address in the clear beyond this machine',
      text: 'gatekeeper: { model: "openai-compatible:x", base_url: "http://models.example/v1" }\n',
      says: 'only `https://`',
    },
    {
      why: 'an address with a password',
      text: 'gatekeeper: { model: "openai-compatible:x", base_url: "https://u:p@models.example/v1" }\n',
      says: 'without user or password',
    },
    {
      why: 'a threshold that lets everything pass',
      text: `gatekeeper: { model: "anthropic:x", ${KEY}, auto_approve: critical }\n`,
      says: '`critical` is not known here',
    },
    {
      why: 'no time at all',
      text: `gatekeeper: { model: "anthropic:x", ${KEY}, timeout_seconds: 0 }\n`,
      says: 'too small, at least 1',
    },
    {
      why: 'an agent as reviewer, which nothing runs yet',
      text: 'gatekeeper: { agent: main }\n',
      says: 'agent',
    },
    {
      why: 'skip_judge, which comes with MCP servers',
      text: `gatekeeper: { model: "anthropic:x", ${KEY}, skip_judge: true }\n`,
      says: 'skip_judge',
    },
    { why: 'no criteria', text: `gatekeeper: ${ANTHROPIC}\n${agent('{ Bash: {} }')}`, says: 'criteria' },
    {
      why: 'criteria and no model to check them',
      text: agent('{ Bash: { criteria: x } }'),
      says: 'no model checks `Bash`',
    },
    {
      why: 'a tenant whose agents no model checks',
      text: 'tenants: { t: { agents: { dev: { execution: { tool_validation: { Bash: { criteria: x } } } } } } }\n',
      says: 'no model checks `Bash`',
    },
    {
      why: 'a model of a provider whose key nobody has',
      text: `gatekeeper: ${ANTHROPIC}\n${agent('{ Bash: { criteria: x, model: "openai-compatible:y" } }')}`,
      says: 'is not a model of the provider of `gatekeeper`',
    },
  ])('refuses $why', ({ text, says }) => {
    expect(reported(text).join('\n')).toContain(says);
  });

  test('a key that was written into the config is not repeated', () => {
    const text = 'gatekeeper: { model: "anthropic:x", api_key: sk-ant-secret-value-1 }\n';
    expect(reported(text).join('\n')).not.toContain('secret-value-1');
  });

  test('[GA-10] criteria for a tool that is not there are an error with a suggestion', () => {
    const checks = [createPolicyChecks({ lists: [] })];
    const text = `gatekeeper: ${ANTHROPIC}\n${agent('{ Bsh: { criteria: x } }')}`;
    expect(reported(text, { checks }).join('\n')).toContain('there is no tool `Bsh` | did you mean `Bash`?');
    const known = agent(
      '{ Bash: { criteria: x }, "fs.*": { criteria: x }, "mcp:github/*": { criteria: x } }',
    );
    expect(load(`gatekeeper: ${ANTHROPIC}\n${known}`, { checks }).warnings).toEqual([]);
  });
});
