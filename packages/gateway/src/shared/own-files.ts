import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Every file of ours that is started or read by its path: programs of their own, threads, and data. In the sources it is the
 * second column, below `packages/` (`npm:` stands for a file of a package). In the built package it is the first, beside the
 * bundle: what ends in `.js` is made of a source, the rest is copied, a folder as a whole. `npm run check` refuses a path that is found any other way.
 */
export const OWN_FILES = {
  /** the hook that clients start */
  'sallyport-hook.cjs': 'cli/src/hook/sallyport-hook.cjs',
  /** what `sallyport` is */
  'main.js': 'cli/src/main.ts',
  /** the jailed side of SEAL */
  'worker.js': 'worker/src/bootstrap.ts',
  /** the thread that writes the trail */
  'audit-writer.js': 'gateway/src/audit/writer/sqlite-writer-thread.ts',
  /** threads that verify it */
  'audit-verify.js': 'gateway/src/audit/verify/verify-thread.ts',
  /** the small process that starts commands */
  'spawner.js': 'gateway/src/sandbox/spawner/spawner-main.ts',
  /** the process that works on the snapshots of one workspace */
  'workspace.js': 'gateway/src/workspace/worker/worker-main.ts',
  /** the process that guards a workspace on a disk that may hang */
  'guard.js': 'gateway/src/sandbox/guard/guard-main.ts',
  /** what jails bind: forwarders and an empty file */
  'jail/forwarder.cjs': 'gateway/src/sandbox/jail/forwarder.cjs',
  'jail/forwarder.pl': 'gateway/src/sandbox/jail/forwarder.pl',
  'jail/mask/empty-file': 'gateway/src/sandbox/jail/mask/empty-file',
  /** hosts that come with us */
  lists: '../lists',
  /** ready policies, which `sallyport setup` offers */
  policies: '../policies',
  /** the parser of shell lines, and its grammar */
  'web-tree-sitter.wasm': 'npm:web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-bash.wasm': 'npm:tree-sitter-bash/tree-sitter-bash.wasm',
} as const satisfies Readonly<Record<string, string>>;

export type OwnFile = keyof typeof OWN_FILES;

const isBuilt = !import.meta.filename.endsWith('.ts');
/** How people type our name. */
export const COMMAND = isBuilt ? 'sallyport' : 'npx sallyport';

const PACKAGES = join(import.meta.dirname, '../../..');

/** Where a file of ours is on this machine: absolute. */
export function ownFile(name: OwnFile): string {
  if (isBuilt) return join(import.meta.dirname, name);
  const source: string = OWN_FILES[name];
  return source.startsWith('npm:')
    ? createRequire(import.meta.filename).resolve(source.slice('npm:'.length))
    : join(PACKAGES, source);
}

/** What a shell or a service starts us by: any Node from 18 on runs it, and it finds the right one. */
export function launcherFile(): string {
  return join(import.meta.dirname, isBuilt ? '../bin/sallyport.js' : '../../../cli/bin/sallyport.js');
}
