import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** One hand-written source file of the repository. */
export interface SourceFile {
  /** from the root, with `/` */
  readonly path: string;
  readonly text: string;
}

/** A broken rule, at a place that a person can open. */
export interface Finding {
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}

const ROOTS = ['packages', 'scripts', 'examples'];
const SKIPPED = new Set(['node_modules', 'dist', 'coverage']);

export function readSourceFiles(root: string): SourceFile[] {
  const files: SourceFile[] = [];
  for (const top of ROOTS) walk(root, join(root, top), files);
  return files;
}

function walk(root: string, folder: string, into: SourceFile[]): void {
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return; // a root that does not exist yet holds no files
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) walk(root, path, into);
    } else if (/\.(ts|tsx|js)$/.test(entry.name)) {
      into.push({ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') });
    }
  }
}

export function isTest(path: string): boolean {
  return /\.(test|contract)\.tsx?$/.test(path) || /(^|\/)(test|cases|[a-z-]+-cases)\//.test(path);
}

/** Module specifiers that a file imports, with their line numbers. Types count: a type is a dependency too. */
export function importsOf(file: SourceFile): { readonly specifier: string; readonly line: number }[] {
  const found: { specifier: string; line: number }[] = [];
  const pattern = /(?:^|[\s;}])(?:from\s+|import\s+|import\()\s*['"]([^'"]+)['"]/g;
  for (const match of file.text.matchAll(pattern)) {
    const line = file.text.slice(0, (match.index ?? 0) + match[0].length).split('\n').length;
    found.push({ specifier: match[1] ?? '', line });
  }
  return found;
}
