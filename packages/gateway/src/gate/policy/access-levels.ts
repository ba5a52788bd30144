import { LEVEL_CATEGORIES, type ToolCategory } from '../../tools/index.ts';
import type { AccessLevel } from './compiled-policy.ts';

export type LevelName = 'sandboxed' | 'restricted' | 'standard' | 'elevated' | 'custom';

/** The first of the built-in levels that reaches each category; those after it reach it too. */
const FIRST_LEVEL: Readonly<Record<Exclude<ToolCategory, 'internal'>, (typeof RISING)[number]>> = {
  file_system: 'sandboxed',
  code_execution: 'sandboxed',
  version_control: 'sandboxed',
  memory: 'sandboxed',
  web: 'restricted',
  database: 'restricted',
  deployment: 'restricted',
  analytics: 'restricted',
  design: 'restricted',
  browser: 'restricted',
  terminal: 'standard',
  communication: 'standard',
  external_data: 'standard',
  desktop: 'standard',
  mcp: 'standard',
};
const RISING = ['sandboxed', 'restricted', 'standard'] as const;

function reachedBy(level: (typeof RISING)[number]): ReadonlySet<ToolCategory> {
  const reached = RISING.slice(0, RISING.indexOf(level) + 1);
  return new Set(LEVEL_CATEGORIES.filter((category) => reached.includes(FIRST_LEVEL[category])));
}

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
    categories: reachedBy('sandboxed'),
    codeExecution: 'containerized',
  },
  restricted: {
    ...NARROWEST,
    name: 'restricted',
    description: 'limited external access with approval',
    categories: reachedBy('restricted'),
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
    categories: reachedBy('standard'),
    fileSystem: 'project_directory',
    codeExecution: 'containerized',
    network: 'open',
    git: 'full',
    terminal: 'restricted_commands',
  },
  elevated: {
    name: 'elevated',
    description: 'full access for trusted agents',
    categories: reachedBy('standard'),
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
