import type { AccessLevel } from './compiled-policy.ts';
import type { ToolCategory } from './rules/tool-table.ts';

export type LevelName = 'sandboxed' | 'restricted' | 'standard' | 'elevated' | 'custom';

const SANDBOXED: readonly ToolCategory[] = ['file_system', 'code_execution', 'version_control', 'memory'];
const RESTRICTED: readonly ToolCategory[] = [
  ...SANDBOXED,
  'web',
  'database',
  'deployment',
  'analytics',
  'design',
  'browser',
];
const STANDARD: readonly ToolCategory[] = [
  ...RESTRICTED,
  'terminal',
  'communication',
  'external_data',
  'desktop',
  'mcp',
];

/** What a level leaves open, a stricter reading closes: an absent dimension is its narrowest value. */
const NARROWEST = {
  fileSystem: 'workspace_only',
  codeExecution: 'none',
  network: 'none',
  git: 'local_only',
  terminal: 'none',
  deployment: false,
  approval: new Set<'deployment' | 'database_write'>(),
} as const;

/** The built-in levels. `custom` has nothing until the config says so. */
export const ACCESS_LEVELS: Readonly<Record<LevelName, Omit<AccessLevel, 'rule'>>> = {
  sandboxed: {
    ...NARROWEST,
    name: 'sandboxed',
    description: 'no external access, isolated workspace',
    categories: new Set(SANDBOXED),
    codeExecution: 'containerized',
  },
  restricted: {
    ...NARROWEST,
    name: 'restricted',
    description: 'limited external access with approval',
    categories: new Set(RESTRICTED),
    fileSystem: 'project_directory',
    codeExecution: 'containerized',
    network: 'allowlist_only',
    git: 'read_and_branch',
    approval: new Set(['deployment', 'database_write']),
  },
  standard: {
    ...NARROWEST,
    name: 'standard',
    description: 'normal development access',
    categories: new Set(STANDARD),
    fileSystem: 'project_directory',
    codeExecution: 'containerized',
    network: 'open',
    git: 'full',
    terminal: 'restricted_commands',
  },
  elevated: {
    name: 'elevated',
    description: 'full access for trusted agents',
    categories: new Set(STANDARD),
    fileSystem: 'full',
    codeExecution: 'containerized',
    network: 'open',
    git: 'full',
    terminal: 'full',
    deployment: true,
    approval: new Set(),
  },
  custom: { ...NARROWEST, name: 'custom', description: '', categories: new Set() },
};

/**
 * The programs of `terminal: restricted_commands`: reading, searching, building, testing, version control.
 * No shell, no interpreter by itself, nothing that opens connections on its own, nothing that changes the system.
 */
export const RESTRICTED_COMMANDS: ReadonlySet<string> = new Set(
  [
    'basename cat cmp comm cut date diff dirname du echo false file find fold grep head join ls md5sum mkdir nl paste',
    'printf pwd readlink realpath rev rg sha256sum sort stat tail test touch tr tree true uniq wc which [ cd jq',
    'cp mv git cargo rustc rustfmt go gofmt gradle mvn make cmake ninja npm pnpm yarn tsc eslint biome prettier vitest',
    'jest pytest ruff mypy black tox',
  ]
    .join(' ')
    .split(' '),
);
