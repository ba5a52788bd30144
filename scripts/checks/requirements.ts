import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Finding, isTest, type SourceFile } from './source-files.ts';

export interface Requirement {
  readonly id: string;
  readonly area: string;
  readonly text: string;
}

interface RequirementsFile {
  readonly delivered: readonly string[];
  readonly requirements: readonly Requirement[];
}

export function readRequirements(root: string): RequirementsFile {
  return parse(readFileSync(join(root, 'security/requirements.yaml'), 'utf8')) as RequirementsFile;
}

/** Which tests cite which requirement: `test('[TR-2] any edit shows', …)`. */
export function citations(files: readonly SourceFile[]): Map<string, string[]> {
  const cited = new Map<string, string[]>();
  for (const file of files.filter((candidate) => isTest(candidate.path))) {
    for (const match of file.text.matchAll(/\[((?:[A-Z]{2}-\d+(?:, )?)+)\]/g)) {
      for (const id of (match[1] ?? '').split(', ')) {
        const paths = cited.get(id) ?? [];
        if (!paths.includes(file.path)) paths.push(file.path);
        cited.set(id, paths);
      }
    }
  }
  return cited;
}

export function findUncited(root: string, files: readonly SourceFile[]): Finding[] {
  const { delivered, requirements } = readRequirements(root);
  const cited = citations(files);
  const findings: Finding[] = [];
  const path = 'security/requirements.yaml';
  const seen = new Set<string>();
  for (const { id, area, text } of requirements) {
    if (seen.has(id)) findings.push({ path, message: `${id} stands twice: an id is never reused` });
    seen.add(id);
    if (delivered.includes(area) && !cited.has(id)) {
      findings.push({ path, message: `${id} (${text}) is in a delivered area, but no test cites [${id}]` });
    }
  }
  for (const [id, paths] of cited) {
    if (!seen.has(id))
      findings.push({ path: paths[0] ?? path, message: `cites ${id}, which is no requirement` });
  }
  return findings;
}
