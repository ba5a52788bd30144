import { ACTION_TYPES, BUILT_IN_CUSTOM_TYPES, type Effect } from '@sallyport/protocol';
import { riskOf } from '../../packages/gateway/src/actions/risk.ts';
import { ACCESS_LEVELS, RESTRICTED_COMMANDS } from '../../packages/gateway/src/gate/policy/access-levels.ts';
import {
  type AutonomyPreset,
  compileAutonomy,
} from '../../packages/gateway/src/gate/policy/autonomy-presets.ts';
import { TypeRegistry } from '../../packages/gateway/src/gate/rules/patterns/action-types.ts';
import { table } from './markdown-table.ts';

const TYPES = [...ACTION_TYPES, ...BUILT_IN_CUSTOM_TYPES];
const PRESETS: readonly AutonomyPreset[] = ['full', 'semi', 'supervised', 'locked'];
const EFFECTS: readonly Effect[] = ['read', 'write'];

/** The end of docs/config.md: what stands in tables of the code, printed from them. */
export function renderPolicyTables(): string {
  return [
    '',
    '# Tables behind the policy',
    '',
    ...riskTable(),
    ...levelTables(),
    ...restrictedCommands(),
    ...autonomyTable(),
  ].join('\n');
}

function riskTable(): readonly string[] {
  const categories = Map.groupBy(TYPES, (type) => type.slice(0, type.indexOf(':')));
  const rows = [...categories].flatMap(([category, types]) =>
    types.map((type) => [`\`${category}\``, `\`${type}\``, riskOf(type, 'write')]),
  );
  return [
    '## Action types and their risk',
    '',
    'A category stands for all its types, in rules (`ask:@deploy`), in `autonomy` and in roles. A known read is of',
    'low risk; a write has the risk below, and a classifier may raise it (`aws secretsmanager get-secret-value` is',
    'critical). What is in no table, a type of your own included, is critical.',
    '',
    ...table(['category', 'type', 'risk of a write'], rows),
  ];
}

function levelTables(): readonly string[] {
  const levels = Object.values(ACCESS_LEVELS);
  const categories = [...new Set(levels.flatMap((level) => [...level.categories]))];
  const head = levels.map(({ name }) => `\`${name}\``);
  const approval = (wanted: ReadonlySet<string>) => (wanted.size === 0 ? 'none' : [...wanted].join(', '));
  const dimensions: readonly (readonly [string, (level: (typeof levels)[number]) => string])[] = [
    ['`file_system`', (level) => level.fileSystem],
    ['`code_execution`', (level) => level.codeExecution],
    ['`network`', (level) => level.network],
    ['`git`', (level) => level.git],
    ['`terminal`', (level) => level.terminal],
    ['`deployment`', (level) => String(level.deployment)],
    ['`requires_approval`', (level) => approval(level.approval)],
  ];
  return [
    '## Access levels',
    '',
    "Which categories of tools each level reaches. A tool that the agent's `tools` names is reached whatever its",
    'category; the dimensions below hold for every tool.',
    '',
    ...table(
      ['category', ...head],
      categories.map((category) => [
        `\`${category}\``,
        ...levels.map((level) => (level.categories.has(category) ? 'yes' : '')),
      ]),
    ),
    'What each level leaves open. `custom` has nothing until you say so.',
    '',
    ...table(
      ['dimension', ...head],
      dimensions.map(([name, show]) => [name, ...levels.map(show)]),
    ),
  ];
}

function restrictedCommands(): readonly string[] {
  const names = [...RESTRICTED_COMMANDS].toSorted().map((name) => `\`${name}\``);
  return [
    '## Programs of `terminal: restricted_commands`',
    '',
    'Reading, searching, building, testing, version control. No shell, no interpreter by itself.',
    '',
    `${names.join(' ')}`,
    '',
  ];
}

function autonomyTable(): readonly string[] {
  const types = new TypeRegistry([]);
  const presets = PRESETS.map((preset) =>
    compileAutonomy({ preset, overrides: {} }, types, { rule: preset }),
  );
  const answers = (type: (typeof TYPES)[number], effect: Effect) =>
    presets.map((preset) => preset.answer(type, effect, riskOf(type, effect)));
  // Types that a preset answers alike share a row.
  const rows = EFFECTS.flatMap((effect) => {
    const alike = Map.groupBy(TYPES, (type) => answers(type, effect).join(' '));
    return [...alike].map(([text, of]) => [effect, listed(of), ...text.split(' ')]);
  });
  return [
    '## Autonomy presets',
    '',
    '`auto` acts as a last `allow` rule; `review` asks a reviewer, `human` a person; `deny` refuses. A classifier may',
    'raise the risk of an action, and `full`, `semi` and `supervised` answer `human` to what is critical then.',
    '',
    ...table(['effect', 'types', ...PRESETS.map((preset) => `\`${preset}\``)], rows),
  ];
}

function listed(types: readonly string[]): string {
  return types.length === TYPES.length ? 'all' : types.map((type) => `\`${type}\``).join(' ');
}
