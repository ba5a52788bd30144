import type { Bytes } from '../tree/held-folder.ts';

/** Folders that programs make from other files, known by their name alone: left out unless git follows something in them. */
const BY_NAME: ReadonlySet<Bytes> = new Set([
  ...['node_modules', 'bower_components', '.pnpm-store', '.yarn-cache', '.turbo', '.parcel-cache'],
  ...['.next', '.nuxt', '.svelte-kit', '.angular', '.expo'],
  ...['.venv', '__pycache__', '.tox', '.nox', '.mypy_cache', '.pytest_cache', '.ruff_cache', '.eggs'],
  ...['.gradle', '.dart_tool', '.stack-work', 'elm-stuff', '.terraform', '.direnv'],
]);

/** The same, under names that people give to folders of their own too: left out only where git ignores them. */
const IF_IGNORED: ReadonlySet<Bytes> = new Set([
  ...[
    'target',
    'dist',
    'build',
    'out',
    'obj',
    '_build',
    'deps',
    'vendor',
    'venv',
    'env',
    'Pods',
    'DerivedData',
  ],
  ...[
    'coverage',
    '.cache',
    '.nyc_output',
    'htmlcov',
    'tmp',
    'bazel-bin',
    'bazel-out',
    'zig-cache',
    'zig-out',
  ],
  ...['.build', 'cmake-build-debug', 'cmake-build-release', 'storybook-static', '.output'],
]);

export type RebuiltFolder = 'by-name' | 'if-ignored' | 'none';

export function rebuiltFolder(name: Bytes): RebuiltFolder {
  if (BY_NAME.has(name)) return 'by-name';
  return IF_IGNORED.has(name) ? 'if-ignored' : 'none';
}
