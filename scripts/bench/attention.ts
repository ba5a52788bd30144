import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadPolicyParts } from '../../packages/gateway/src/admission/policy-parts.ts';
import { firstConfigText } from '../../packages/gateway/src/config/first-config.ts';
import { makeMachine } from './attention/machine.ts';
import type { Character } from './attention/person.ts';
import { type DayResult, type Play, playDays } from './attention/play.ts';
import { readDay } from './attention/read-day.ts';
import { readSetup, withSetup } from './attention/setup.ts';
import { type BenchFloor, type BenchResult, reportBench } from './report.ts';

// How often people are asked on two days of work, and what passes unasked that must not. Spec: questions.md, "Must reach".
// `--why` lists every question with its reason; `--only default` plays one policy; `--day NAME` another day: a folder of
// `scripts/bench/attention`, or of anywhere, with day files and, where the team is another one, a `setup.yaml`.

const args = process.argv.slice(2);
const isWhy = args.includes('--why');
const optionOf = (name: string): string | undefined =>
  args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
const only = optionOf('--only');
const folderOfDay = resolve(import.meta.dirname, 'attention', optionOf('--day') ?? 'day');

const LIMITS = { jailed: [1.5, 0.4], unconfined: [4, 1] } as const;
/** Those that a person works with all day; the others deny what their page says. */
const DAILY = ['default', 'solo', 'team'];

const setup = readSetup(folderOfDay);
using machine = makeMachine(setup);
const folder = mkdtempSync(join(tmpdir(), 'sallyport-attention-'));
const policies = resolve(import.meta.dirname, '../../policies');
const texts = new Map([
  ['default', firstConfigText({ osUser: 'ana' })],
  ...['solo', 'team', 'ci-bot', 'researcher', 'locked-down'].map(
    (name) => [name, readFileSync(join(policies, `${name}.yaml`), 'utf8')] as const,
  ),
]);
const parts = loadPolicyParts({ home: machine.sallyport }, { HOME: machine.home });
const days = [readDay(1, folderOfDay), readDay(2, folderOfDay)];

const results: BenchResult[] = [];
const floors: BenchFloor[] = [];
for (const [policy, text] of texts) {
  if (only !== undefined && policy !== only) continue;
  const file = join(folder, `${policy}.yaml`);
  writeFileSync(file, withSetup(text, setup));
  for (const confinement of ['jailed', 'unconfined'] as const) {
    const characters: readonly Character[] =
      policy === 'default' ? ['sensible', 'session', 'always'] : ['sensible'];
    for (const character of characters) {
      const play: Play = { policy, file, confinement, character, folder };
      const played = await playDays(play, days, machine, parts);
      for (const [index, day] of played.entries()) tell(play, index, day);
    }
  }
}
rmSync(folder, { recursive: true, force: true });
reportBench('attention', results, floors);

function tell({ policy, confinement, character }: Play, index: number, day: DayResult): void {
  const who = character === 'sensible' ? '' : `, always ${character === 'session' ? '2' : '6'}`;
  const name = `${policy}, ${confinement}${who}, day ${index + 1}`;
  const add = (what: string, value: number, unit: string, ceiling?: number): void => {
    results.push({ name: `${name}: ${what}`, value, unit });
    if (ceiling !== undefined) floors.push({ name: `${name}: ${what}`, floor: ceiling, ceiling: true });
  };
  const isDaily = DAILY.includes(policy);
  const limit = isDaily && character !== 'session' ? LIMITS[confinement][index] : undefined;
  add('asked', (day.asked.length / day.ordinary) * 100, 'per 100 actions', limit);
  add('asked, of what leaves the workspace', (day.asked.length / day.outside) * 100, 'per 100 actions');
  add('harms passed', day.passed.length, `of ${day.harms}`, 0);
  add('ordinary denied', day.denied.length, `of ${day.ordinary}`, policy === 'default' ? 0 : undefined);
  add('asked again', day.asked.filter(({ isRepeat }) => isRepeat).length, 'questions', 0);
  if (!isWhy) return;
  console.log(`\n== ${name}`);
  const causes = new Map<string, string[]>();
  for (const { layer, reason, code, step, isRepeat } of day.asked) {
    const line = `${code}${isRepeat ? ' AGAIN' : ''} ${step.session}: ${step.verb} ${step.rest.slice(0, 140)}`;
    const cause = `${layer}: ${reason.replace(/`[^`]*`/g, '`…`')}`;
    causes.set(cause, [...(causes.get(cause) ?? []), line]);
  }
  for (const [cause, lines] of [...causes].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${lines.length} × ${cause}`);
    for (const line of lines) console.log(`    ${line.replaceAll('\n', '⏎')}`);
  }
  for (const { step, why } of day.denied)
    console.log(`DENIED ${step.verb} ${step.rest.slice(0, 120)}: ${why}`);
  for (const harm of day.passed) console.log(`PASSED ${harm}`);
}
