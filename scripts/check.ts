/** `npm run check`: everything that must hold before a change lands. `npm run check -- types lint` runs some of it. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { findBoundaryBreaks, findCycles, findFolderRings, findWideWiring } from './checks/boundaries.ts';
import { findActingDoors } from './checks/doors.ts';
import { describeSizes, hasTooManySmall, measureFiles } from './checks/file-sizes.ts';
import { findSilentDefaults } from './checks/open-switches.ts';
import { findForgotten } from './checks/plug-ins.ts';
import { findProcessMemory } from './checks/process-memory.ts';
import { findUncited } from './checks/requirements.ts';
import { findMisplaced } from './checks/rooms.ts';
import { type Finding, readSourceFiles } from './checks/source-files.ts';
import { findFalseWalks } from './checks/walks.ts';
import { findBannedWords } from './checks/words.ts';

const root = resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
const fix = args.includes('--fix');
const wanted = args.filter((arg) => !arg.startsWith('--'));
const without = args
  .filter((arg) => arg.startsWith('--without='))
  .map((arg) => arg.slice('--without='.length));

interface Step {
  readonly name: string;
  readonly about: string;
  run(): boolean | Promise<boolean>;
}

const steps: readonly Step[] = [
  {
    name: 'format',
    about: 'formatting and lint',
    run: () =>
      tool('biome', [
        fix ? 'check' : 'ci',
        '--colors=off',
        '--diagnostic-level=warn',
        ...(fix ? ['--write'] : []),
        '.',
      ]),
  },
  { name: 'types', about: 'compiler', run: () => tool('tsc', ['-p', '.']) },
  {
    name: 'boundaries',
    about: 'who may import whom',
    run: () =>
      report([
        ...findBoundaryBreaks(readSourceFiles(root)),
        ...findActingDoors(readSourceFiles(root)),
        ...findWideWiring(readSourceFiles(root)),
      ]),
  },
  {
    name: 'cycles',
    about: 'no rings between files, nor between folders at any depth',
    run: () => report([...findCycles(readSourceFiles(root)), ...findFolderRings(readSourceFiles(root))]),
  },
  {
    name: 'plug-ins',
    about: 'what plugs in cannot be forgotten, and docs/extending says how',
    run: async () => report(await findForgotten(root)),
  },
  {
    name: 'rooms',
    about: 'file size, things that live in one room, and no `default:` that answers for a closed union',
    run: () => {
      const files = readSourceFiles(root);
      return report([...findMisplaced(files), ...findProcessMemory(files), ...findSilentDefaults(files)]);
    },
  },
  {
    name: 'words',
    about: 'one word for one thing (docs/words.md)',
    run: () => report(findBannedWords(root, readSourceFiles(root))),
  },
  {
    name: 'walks',
    about: 'the walks of docs/architecture.md are true',
    run: () => report(findFalseWalks(root, readSourceFiles(root))),
  },
  {
    name: 'sizes',
    about: 'how long the source files are: small ones belong into their owner',
    run: () => {
      const sizes = measureFiles(readSourceFiles(root));
      console.log(describeSizes(sizes));
      return !hasTooManySmall(sizes);
    },
  },
  {
    name: 'exports',
    about: 'no unused export, file or dependency',
    run: () => tool('knip', ['--no-progress']),
  },
  {
    name: 'requirements',
    about: 'each guarantee has a test',
    run: () => report(findUncited(root, readSourceFiles(root))),
  },
  {
    name: 'generated',
    about: 'generated pages are up to date',
    run: () => node(['scripts/generate-docs.ts', '--check']),
  },
  {
    name: 'unit',
    about: 'unit tests',
    run: () => tool('vitest', ['run', '--project', 'unit']),
  },
];

const failed: string[] = [];
for (const step of steps) {
  if (wanted.length > 0 && !wanted.includes(step.name)) continue;
  if (without.includes(step.name)) continue;
  const started = performance.now();
  const ok = await step.run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${step.name.padEnd(13)} ${step.about} (${seconds} s)`);
  if (!ok) failed.push(step.name);
}
if (failed.length > 0) {
  console.log(`\nfailed: ${failed.join(', ')}. One at a time: npm run check -- ${failed[0]}`);
  process.exit(1);
}

function tool(name: string, argv: readonly string[]): boolean {
  return run(name, join(root, 'node_modules/.bin', name), argv);
}

function node(argv: readonly string[]): boolean {
  return run('node', process.execPath, argv);
}

function run(name: string, program: string, argv: readonly string[]): boolean {
  const result = spawnSync(program, argv, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (result.status === 0) return true;
  console.log(
    result.error === undefined ? `${result.stdout}${result.stderr}` : `${name}: ${result.error.message}`,
  );
  return false;
}

function report(findings: readonly Finding[]): boolean {
  for (const { path, line, message } of findings)
    console.log(`${path}${line === undefined ? '' : `:${line}`}: ${message}`);
  return findings.length === 0;
}
