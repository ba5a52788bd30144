import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './scripts/test/skipped-reporter.ts';

// Many tests start Sallyport in a process of its own: with its compiled code at hand each takes half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default defineConfig({
  test: {
    // Generous: a slow machine is no failure, and a test that hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of them wait for processes and sockets: more of them at once than there are cores.
    maxWorkers: 3,
    reporters: ['default', new SkippedReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          // Pure: they share a process, and what they import is loaded once.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['packages/*/test/**/*.test.ts'],
          testTimeout: 240_000,
        },
      },
    ],
  },
});
