import type { Action } from '@sallyport/protocol';
import { type ActionContext, loadActionBuilders } from '../../packages/gateway/src/actions/index.ts';
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

type HttpHeaders = readonly (readonly [string, string])[];

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

const sections: readonly Section[] = [judgeSection(), await builderSection(), await peerSection()];

/** From what came in to the verdict: build, classify, hash, judge; and a shell line through parse and unwrap. */
async function builderSection(): Promise<Section> {
  const createBuilder = await loadActionBuilders();
  const builder = createBuilder();
  const permissions = benchRules(100).map(gateRule);
  const network = { rules: [{ host: '@known', action: 'allow' }] };
  const snapshot = snapshotOf(
    policyOf({ agents: { dev: { permissions: [...permissions, 'allow:*'] } }, network }),
  );
  // One frozen object for each session, as a door makes it.
  const actor = Object.freeze(bash('ls').actor);
  const context: ActionContext = {
    door: 'hook',
    actor,
    cwd: '/repo',
    home: '/home/ana',
    links: () => ({ kind: 'plain' }),
  };
  const headers: HttpHeaders = [
    ['host', 'api.github.com'],
    ['user-agent', 'bench/1'],
    ['accept', 'application/json'],
    ['authorization', 'Bearer sp-placeholder-1234'],
    ['content-type', 'application/json'],
  ];
  const requestOf = (target: string) =>
    ({
      scheme: 'https',
      host: 'api.github.com',
      port: 443,
      method: 'GET',
      target,
      headers,
      bodyComplete: true,
    }) as const;
  const proxyContext: ActionContext = { ...context, door: 'proxy' };
  const noBody = {};
  let turn = 0;
  // A new text each time: nothing may come out of a cache. 80 characters, as agents write them.
  const line = (tail: string): string => {
    turn += 1;
    return (
      `grep -rn --include=*.ts "needle ${turn}" packages/gateway/src `.padEnd(80 - tail.length, 'x') + tail
    );
  };
  const longLine = (): string => {
    turn += 1;
    return `git log --oneline -n ${turn} && grep -rn "needle" src | sort | uniq -c > out-${turn}.txt`;
  };
  const passes = (action: Action): boolean => judge(action, snapshot).outcome === 'allow';
  const subjects: readonly Subject[] = [
    {
      name: 'raw request to verdict',
      unit: '1/s',
      run: () => {
        turn += 1;
        return passes(
          builder.http(requestOf(`/repos/acme/app/issues?page=${turn}`), noBody, proxyContext).action,
        );
      },
    },
    {
      name: 'raw tool call to verdict',
      unit: '1/s',
      run: () => {
        turn += 1;
        return passes(
          builder.tool({ tool: 'Read', input: { file_path: `/repo/src/file-${turn}.ts` } }, context),
        );
      },
    },
    {
      name: 'shell command of 80 characters to verdict',
      unit: '1/s',
      run: () => passes(builder.tool({ tool: 'Bash', input: { command: line('') } }, context)),
    },
    {
      // Reported without a floor: the floor speaks of a command, and this is four of them and a file.
      name: 'shell line of four commands and a redirection',
      unit: '1/s',
      run: () => passes(builder.tool({ tool: 'Bash', input: { command: longLine() } }, context)),
    },
    {
      name: 'shell pipeline of 80 characters to verdict',
      unit: '1/s',
      run: () => passes(builder.tool({ tool: 'Bash', input: { command: line(' | head -n 5') } }, context)),
    },
  ];
  return {
    subjects,
    floors: [
      { name: 'raw request to verdict', floor: 100_000 },
      { name: 'raw tool call to verdict', floor: 100_000 },
      { name: 'shell command of 80 characters to verdict', floor: 8_000 },
      { name: 'shell pipeline of 80 characters to verdict', floor: 8_000 },
    ],
  };
}

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
