import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConfigCheck, LoadedConfig } from './checks/config-check.ts';
import { loadConfig, problemsOf } from './load-config.ts';
import type { LocatedProblem } from './source/problem-list.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface FixtureOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly checks?: readonly ConfigCheck[];
}

/** A folder with these files, removed when the test ends. */
export function writeFiles(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Loads `sallyport.yaml` of these files. */
export function load(files: Files | string, options: FixtureOptions = {}): LoadedConfig {
  const folder = writeFiles(typeof files === 'string' ? { 'sallyport.yaml': files } : files);
  return loadConfig({ env: {}, ...options, file: join(folder, 'sallyport.yaml') });
}

/** The problems that loading these files reports; throws when it reports none or throws anything else. */
export function problemsIn(files: Files | string, options: FixtureOptions = {}): readonly LocatedProblem[] {
  try {
    load(files, options);
  } catch (error) {
    const problems = problemsOf(error);
    if (problems.length > 0) return problems;
    throw error;
  }
  throw new Error('the config is valid');
}

/** The problems as `name:line:column message | hint`. */
export function reported(files: Files | string, options: FixtureOptions = {}): readonly string[] {
  return problemsIn(files, options).map(({ file, line, column, message, hint }) => {
    const name = file.replace(/^.*sallyport-config-[^/]*\//, '');
    return `${name}:${line}:${column} ${message}${hint === undefined ? '' : ` | ${hint}`}`;
  });
}
