import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchResult, median } from './report.ts';

// Before and after in one run: the same benches in a clone of an older commit and in this tree, in turns, so that a
// busy hour of the machine hits both. `npm run bench:compare -- COMMIT BENCH… [--rounds N] [--limit PERCENT] [--quick]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    limit: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
  },
});
const [commit, ...benches] = positionals;
const rounds = Number(values.rounds);
const limit = Number(values.limit) / 100;
if (commit === undefined || benches.length === 0 || !(rounds >= 1) || !(limit > 0))
  throw new Error('usage: npm run bench:compare -- COMMIT BENCH… [--rounds N] [--limit PERCENT]');

/** Programs that a bench measures beside ours. They tell how quiet the machine was, and are not judged. */
const peers =
  /^(?!.*÷).*\b(direct|squid|mitmproxy|mcp-proxy|supergateway|bare bridge|cedar-wasm|casbin|Node alone)\b/;
const smallerIsBetter = /\bp\d\d\b|\bcpu\b|\bRSS\b|µs|ms$|MiB$/;

const after = process.cwd();
const before = join(mkdtempSync(join(tmpdir(), 'sallyport-compare-')), 'before');
process.on('exit', () => rmSync(join(before, '..'), { recursive: true, force: true }));
run('git', ['clone', '--quiet', after, before], after);
run('git', ['checkout', '--quiet', commit], before);
run('npm', ['ci', '--silent'], before);

let isWorse = false;
for (const bench of benches) {
  const figures = new Map<string, { unit: string; before: number[]; after: number[] }>();
  for (let round = 1; round <= rounds; round++)
    for (const [side, folder] of [
      ['before', before],
      ['after', after],
    ] as const) {
      process.stderr.write(`bench:compare: ${bench}, round ${round} of ${rounds}, ${side}\n`);
      for (const { name, unit, value } of results(bench, folder)) {
        const figure = figures.get(name) ?? { unit, before: [], after: [] };
        figure[side].push(value);
        figures.set(name, figure);
      }
    }
  console.log(`\nbench:${bench}: ${commit} and now, ${rounds} rounds in turns`);
  for (const [name, { unit, before: old, after: now }] of figures) {
    if (old.length === 0 || now.length === 0) continue;
    const [a, b] = [median(old), median(now)];
    const speed = smallerIsBetter.test(`${name} ${unit}`) ? a / b : b / a;
    const isOurs = !peers.test(name);
    const isTooSlow = isOurs && speed < 1 - limit;
    isWorse ||= isTooSlow;
    const note = isTooSlow ? '  WORSE' : isOurs ? '' : '  (a peer)';
    console.log(`${name.padEnd(52)} ${shown(a)} ${shown(b)} ${unit.padEnd(11)} ${speed.toFixed(3)}×${note}`);
  }
}
if (isWorse) process.exitCode = 1;

function results(bench: string, folder: string): BenchResult[] {
  // A missed floor is exit code 1, and is the bench's own affair.
  const argv = ['run', '-s', `bench:${bench}`, ...(values.quick ? ['--', '--quick'] : [])];
  const { stdout } = spawnSync('npm', argv, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    timeout: 15 * 60_000,
  });
  const line = stdout.split('\n').findLast((text) => text.startsWith('{"bench"'));
  if (line === undefined)
    throw new Error(`bench:${bench} in ${folder} ended without figures:\n${stdout.slice(-2000)}`);
  return (JSON.parse(line) as { results: BenchResult[] }).results;
}

function run(program: string, argv: readonly string[], folder: string): void {
  const { status, error } = spawnSync(program, argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${argv.join(' ')} failed`, { cause: error });
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 }).padStart(11);
}
