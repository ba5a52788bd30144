import type { KnipConfig } from 'knip';
import { OWN_FILES } from './packages/gateway/src/shared/own-files.ts';

/** Programs and threads of a package: nobody imports them, they are started by their path. */
const started = (name: string): string[] =>
  Object.values(OWN_FILES).flatMap((source) =>
    source.startsWith(`${name}/`) && source.endsWith('.ts') ? [source.slice(name.length + 1)] : [],
  );

export default {
  workspaces: {
    '.': { entry: ['scripts/**/*.ts'], project: ['scripts/**/*.ts'] },
    'packages/*': { project: ['src/**/*.ts'] },
    'packages/cli': {
      entry: ['bin/*.js', 'test/**/*.ts', ...started('cli')],
      project: ['src/**/*.ts', 'test/**/*.ts'],
    },
    'packages/gateway': {
      entry: ['test/**/*.ts', ...started('gateway')],
      project: ['src/**/*.ts', 'test/**/*.ts'],
    },
  },
  ignoreExportsUsedInFile: true,
  exclude: ['types', 'nsExports', 'nsTypes'],
  // The last one is read by its path.
  ignoreDependencies: ['@biomejs/biome', '@types/smtp-server', 'tree-sitter-bash'],
  // Only the built package has it.
  ignoreUnresolved: ['../lib/main.js'],
  ignoreBinaries: ['bwrap', 'codex', 'go', 'mount', 'openssl', 'ssh-keygen', 'terraform', 'umount'],
} satisfies KnipConfig;
