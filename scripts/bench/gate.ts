import { bash, http, policyOf, snapshotOf } from '../../packages/gateway/src/gate/gate.fixture.ts';
import { judge } from '../../packages/gateway/src/gate/index.ts';
import { openCasbin, openCedar } from './gate-peers.ts';
import { benchRules, gateRule, HTTP_QUESTION, TOOL_QUESTION } from './gate-rules.ts';
import { type BenchFloor, type BenchResult, median, reportBench } from './report.ts';

// `judge` on a warm policy with 10 to 10,000 rules, and the same rules in Cedar and Casbin, in the same run:
// rounds are interleaved and medians taken, so that a busy moment of the machine hits all of them.

const SIZES = [10, 100, 1_000, 10_000];
/** Peers need seconds for each decision with more. */
const PEER_SIZES = [10, 100, 1_000];
const ROUNDS = 9;
const ROUND_MS = 100;
const WARM_UP_MS = 200;

/** One thing to measure: does its work once. */
interface Subject {
  readonly name: string;
  readonly unit: string;
  run(): boolean;
}

interface Section {
  readonly subjects: readonly Subject[];
  readonly floors: readonly BenchFloor[];
}

const inWords = (size: number): string => size.toLocaleString('en-US');

function judgeSection(): Section {
  const subjects = SIZES.flatMap((size): Subject[] => {
    const permissions = benchRules(size).map(gateRule);
    const network = { rules: [{ host: '@known', action: 'allow' }] };
    const snapshot = snapshotOf(policyOf({ agents: { dev: { permissions } }, network }));
    const tool = bash(TOOL_QUESTION.text);
    const request = http(HTTP_QUESTION.text);
    return [
      {
        name: `judge tool, ${inWords(size)} rules`,
        unit: '1/s',
        run: () => judge(tool, snapshot).outcome === 'allow',
      },
      {
        name: `judge http, ${inWords(size)} rules`,
        unit: '1/s',
        run: () => judge(request, snapshot).outcome === 'allow',
      },
    ];
  });
  const floors = subjects.map(({ name }) => ({ name, floor: 1_000_000 }));
  return { subjects, floors };
}

async function peerSection(): Promise<Section> {
  const subjects: Subject[] = [];
  for (const size of PEER_SIZES) {
    const rules = benchRules(size);
    const cedar = openCedar(rules);
    const casbin = await openCasbin(rules);
    subjects.push(
      { name: `cedar-wasm, ${inWords(size)} rules`, unit: '1/s', run: () => cedar(TOOL_QUESTION) },
      { name: `casbin, ${inWords(size)} rules`, unit: '1/s', run: () => casbin(TOOL_QUESTION) },
    );
  }
  return { subjects, floors: [] };
}

// A section for each other floor of the gate joins this list: raw call to verdict (100,000/s), and a shell
// line of 80 characters, uncached, to verdict (8,000/s). They need the action builder.
const sections: readonly Section[] = [judgeSection(), await peerSection()];

/** CPU time of this process so far, its garbage collector included: what one core has done, also on a busy machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Times a second of one core, measured for about `ms`. Throws when the engine gives another answer than the rules say. */
function measure(subject: Subject, ms: number): number {
  const start = cpuMs();
  let count = 0;
  let batch = 1;
  for (;;) {
    for (let i = 0; i < batch; i += 1) if (!subject.run()) throw new Error(`${subject.name}: a wrong answer`);
    count += batch;
    const spent = cpuMs() - start;
    if (spent >= ms) return (count / spent) * 1_000;
    batch = Math.max(1, Math.min(10_000, Math.round(count / 10)));
  }
}

function main(): void {
  const subjects = sections.flatMap((section) => section.subjects);
  for (const subject of subjects) measure(subject, WARM_UP_MS);
  const rates = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const subject of subjects) rates.get(subject.name)?.push(measure(subject, ROUND_MS));

  const value = (name: string): number => median(rates.get(name) ?? []);
  const results: BenchResult[] = subjects.map(({ name, unit }) => ({ name, value: value(name), unit }));
  const floors: BenchFloor[] = sections.flatMap((section) => section.floors);
  for (const kind of ['tool', 'http']) {
    const name = `judge ${kind}, 10,000 rules over 10 rules`;
    results.push({
      name,
      value: value(`judge ${kind}, 10,000 rules`) / value(`judge ${kind}, 10 rules`),
      unit: '×',
    });
    floors.push({ name, floor: 0.5 });
  }
  reportBench('gate', results, floors);
}

main();
