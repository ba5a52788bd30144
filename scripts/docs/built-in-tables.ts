import { EVENT_MEANINGS } from '@sallyport/protocol';
import { PROVIDERS } from '../../packages/gateway/src/actions/http/index.ts';
import { CHANNEL_NAMES, CHANNELS } from '../../packages/gateway/src/approvals/index.ts';
import { SINKS } from '../../packages/gateway/src/audit/index.ts';
import { SCHEMES, SOURCE_WAYS } from '../../packages/gateway/src/credentials/index.ts';
import { TypeRegistry } from '../../packages/gateway/src/gate/rules/patterns/action-types.ts';
import { parseSelector } from '../../packages/gateway/src/gate/rules/selector.ts';
import { definitionOf, SELECTORS } from '../../packages/gateway/src/gate/rules/selectors/selectors.ts';
import { BACKENDS } from '../../packages/gateway/src/sandbox/index.ts';
import { TOOLS, type ToolDefinition } from '../../packages/gateway/src/tools/index.ts';
import { table } from './markdown-table.ts';

/** The end of docs/config.md: what can be named there, printed from the definitions of each. */
export function renderBuiltIns(): string {
  return [
    '',
    '# What is built in',
    '',
    ...channels(),
    ...sources(),
    ...sinks(),
    ...providers(),
    ...backends(),
    ...tools(),
    ...selectors(),
    ...events(),
  ].join('\n');
}

function channels(): readonly string[] {
  return [
    '## Channels',
    '',
    'In the order in which they are tried. How each is set up: [approvals.md](approvals.md).',
    '',
    ...table(
      ['channel', 'needs', 'what proves an answer'],
      CHANNEL_NAMES.map((name) => [`\`${name}\``, CHANNELS[name].docs.needs, CHANNELS[name].docs.proof]),
    ),
  ];
}

function sources(): readonly string[] {
  return [
    '## Secret sources',
    '',
    'Schemes that every tenant has. More are named under `sources`, with one of the ways below.',
    '',
    ...table(
      ['reference', 'what is read'],
      Object.entries(SCHEMES).map(([scheme, { docs }]) => [`\`${scheme}:…\``, docs]),
    ),
    ...table(
      ['way', 'what is read'],
      Object.entries(SOURCE_WAYS).map(([way, { docs }]) => [`\`${way}\``, docs]),
    ),
  ];
}

function sinks(): readonly string[] {
  return [
    '## Sinks of the trail',
    '',
    ...table(
      ['kind', 'an event is', 'after a restart'],
      Object.entries(SINKS).map(([kind, { docs }]) => [`\`${kind}\``, docs.form, docs.restart]),
    ),
  ];
}

function providers(): readonly string[] {
  const hosts = (own: readonly string[]): string => own.map((host) => `\`${host}\``).join(' ');
  return [
    '## Providers',
    '',
    'Whose operations are told apart. Other hosts are given to one of them under `providers`.',
    '',
    ...table(
      ['provider', 'what is told apart', 'its own hosts'],
      Object.entries(PROVIDERS).map(([name, one]) => [`\`${name}\``, one.docs, hosts(one.hosts)]),
    ),
  ];
}

function backends(): readonly string[] {
  return [
    '## Sandbox backends',
    '',
    'What runs commands of tools and agents of `sallyport run`: [sandbox.md](sandbox.md).',
    '',
    ...table(
      ['backend', 'what keeps programs apart', 'needs'],
      Object.entries(BACKENDS).map(([name, { docs }]) => [`\`${name}\``, docs.isolation, docs.needs]),
    ),
  ];
}

function tools(): readonly string[] {
  const rows = Object.entries<ToolDefinition>(TOOLS).map(([name, { category, pattern, call, by, docs }]) => {
    const does = call === undefined ? '' : `\`${call.type}\`, ${call.effect}`;
    return [`\`${name}\``, `\`${category}\``, pattern === 'none' ? '' : pattern, does, BY[by], docs];
  });
  return [
    '## Tools',
    '',
    'Names that rules, levels and lists may use; a tool of an MCP server is `mcp:server/tool`. What a call does is what',
    'is known before anything is read of it: a command or a request is told apart by what it says.',
    '',
    ...table(['tool', 'category', 'pattern', 'what a call does', 'carried out by', 'about'], rows),
  ];
}

const BY: Readonly<Record<ToolDefinition['by'], string>> = {
  client: 'the client',
  fsal: 'the gateway, on volumes',
  external: 'an MCP server',
  dispatch: "the agent's sandbox",
  door: 'the door',
  line: '',
};

function selectors(): readonly string[] {
  const rows = Object.values(SELECTORS).map(({ example }) => {
    const parsed = parseSelector(example, new TypeRegistry([]));
    if (!parsed.ok) throw new Error(`the example \`${example}\` cannot be read: ${parsed.message}`);
    return [`\`${example}\``, definitionOf(parsed.value).describe(parsed.value)];
  });
  return [
    '## Selectors',
    '',
    'What stands behind `allow:`, `ask:` or `deny:` in a rule: [policy.md](policy.md).',
    '',
    ...table(['selector', 'what it is about'], rows),
  ];
}

function events(): readonly string[] {
  return [
    '## Events',
    '',
    'Types of events in the trail: [audit.md](audit.md).',
    '',
    ...table(
      ['event', 'what happened'],
      Object.entries(EVENT_MEANINGS).map(([type, meaning]) => [`\`${type}\``, meaning]),
    ),
  ];
}
