import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBoundaryBreaks, findCycles } from './boundaries.ts';
import { findActingDoors } from './doors.ts';
import { applyStep, readSteps, type Step } from './extending-page.ts';
import { PLUG_INS, type PlugInCase } from './plug-in-cases.ts';
import { type Finding, readSourceFiles } from './source-files.ts';

/**
 * What plugs in cannot be forgotten: each page of docs/extending is followed on two copies of the sources. On the first
 * only the names are added, and the compiler must ask for the rest of each; on the second all of it is done, and what
 * the pages say must compile, stay within the boundaries and touch no more wiring than is allowed.
 */
export async function findForgotten(
  root: string,
  cases: readonly PlugInCase[] = PLUG_INS,
): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-plug-ins-'));
  try {
    const pages = cases.map((one) => ({ ...one, steps: stepsOf(root, one.page) }));
    const [named, whole] = [
      copySources(root, join(folder, 'named')),
      copySources(root, join(folder, 'whole')),
    ];
    const findings = pages.flatMap(({ steps, nameOnly, ...one }) => [
      ...apply(
        one.page,
        named,
        steps.filter(({ number }) => nameOnly.includes(number)),
      ),
      ...apply(one.page, whole, steps),
      ...countWiring(one, steps),
    ]);
    if (findings.length > 0) return findings;
    const [refusals, problems] = await Promise.all([compile(root, named), compile(root, whole)]);
    const files = readSourceFiles(whole);
    return [
      ...cases.flatMap((one) => notRefused(one, refusals)),
      ...problems.map((message) => ({ path: 'docs/extending', message: `as the pages say: ${message}` })),
      ...[...findBoundaryBreaks(files), ...findActingDoors(files), ...findCycles(files)],
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function stepsOf(root: string, page: string): readonly Step[] {
  return readSteps(readFileSync(join(root, 'docs/extending', page), 'utf8'));
}

function apply(page: string, copy: string, steps: readonly Step[]): Finding[] {
  const path = `docs/extending/${page}`;
  if (steps.length === 0) return [{ path, message: 'the page has no such step' }];
  return steps.flatMap((step) => {
    const message = applyStep(copy, step);
    return message === undefined ? [] : [{ path, message: `step ${step.number}: ${message}` }];
  });
}

function countWiring({ page, own, wiring }: Omit<PlugInCase, 'nameOnly'>, steps: readonly Step[]): Finding[] {
  const touched = new Set(steps.map(({ path }) => path).filter((path) => !path.startsWith(own)));
  if (touched.size <= wiring) return [];
  const message = `${touched.size} files outside \`${own}\`, at most ${wiring}: ${[...touched].join(', ')}`;
  return [{ path: `docs/extending/${page}`, message }];
}

function notRefused({ page, name, refused }: PlugInCase, refusals: readonly string[]): Finding[] {
  return refused
    .filter((path) => !refusals.some((text) => text.startsWith(`${path}(`) && text.includes(name)))
    .map((path) => ({ path, message: `\`${name}\` of docs/extending/${page} is not asked for here` }));
}

/** The sources without their tests, with the modules of the original. */
function copySources(root: string, copy: string): string {
  mkdirSync(copy);
  const names = readdirSync(join(root, 'packages')).filter((name) => name !== 'testkit');
  const isTest = /\.(?:test|fixture|contract)\.ts$/;
  for (const name of names) {
    const [from, to] = [join(root, 'packages', name), join(copy, 'packages', name)];
    cpSync(join(from, 'src'), join(to, 'src'), { recursive: true, filter: (path) => !isTest.test(path) });
    cpSync(join(from, 'package.json'), join(to, 'package.json'));
    if (existsSync(join(from, 'node_modules')))
      symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'));
  }
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'), new Set(['@sallyport']));
  mkdirSync(join(copy, 'node_modules/@sallyport'));
  for (const name of names)
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@sallyport', name));
  const config = { extends: join(root, 'tsconfig.json'), include: ['packages/*/src'] };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
  return copy;
}

function linkModules(from: string, to: string, without: ReadonlySet<string>): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) if (!without.has(name)) symlinkSync(join(from, name), join(to, name));
}

/** What the compiler says, each with the lines that explain it. */
function compile(root: string, copy: string): Promise<readonly string[]> {
  const argv = ['-p', copy, '--pretty', 'false', '--noErrorTruncation'];
  const child = spawn(join(root, 'node_modules/.bin/tsc'), argv, { cwd: copy, timeout: 300_000 });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const said = Buffer.concat(pieces).toString().trim();
      const problems = said === '' ? [] : said.split(/\n(?=\S)/);
      if (code === null) reject(new Error('the compiler did not end in time'));
      else if (code !== 0 && problems.length === 0) resolve(['the compiler failed and said nothing']);
      else resolve(problems);
    });
  });
}
