/** Plants one violation of each house rule in a copy of the repository and sees `npm run check` refuse it. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'sallyport-check-'));

interface Plant {
  readonly rule: string;
  readonly step: string;
  readonly file: string;
  readonly text: string;
}

const gateway = 'packages/gateway/src';
/** Words that docs/words.md refuses; in pieces, because it refuses them here too. */
const COINED = [['Her', 'ald'].join(''), ['pigeon', 'holes'].join('')];

const plants: readonly Plant[] = [
  {
    rule: 'a boundary violation',
    step: 'boundaries',
    file: `${gateway}/store/planted.ts`,
    text: "import type { Judgement } from '../gate/index.ts';\nexport type Planted = Judgement;\n",
  },
  {
    rule: 'a wiring that knows more and more folders',
    step: 'boundaries',
    file: `${gateway}/gateway/planted.ts`,
    text: ['egress', 'sandbox', 'tools', 'targets', 'gate']
      .map((folder) => `export type * as ${folder} from '../${folder}/index.ts';\n`)
      .join(''),
  },
  {
    rule: 'a door that dials',
    step: 'boundaries',
    file: `${gateway}/doors/proxy/planted.ts`,
    text: "import {\n  connect,\n  type Socket,\n} from 'node:net';\nexport const planted = (): Socket => connect(1);\n",
  },
  {
    rule: 'a door that loads what dials',
    step: 'boundaries',
    file: `${gateway}/doors/mcp/planted.ts`,
    text: "export const planted = async () => (await import('node:child_process')).spawn('x');\n",
  },
  {
    rule: 'a cycle',
    step: 'cycles',
    file: `${gateway}/shared/planted.ts`,
    text: "import { again } from './planted-too.ts';\nexport const planted = again;\n",
  },
  {
    rule: 'a ring between folders whose files form none',
    step: 'cycles',
    file: `${gateway}/gate/rules/planted.ts`,
    text: "import type { Judge } from '../judge.ts';\nexport type Planted = Judge;\n",
  },
  {
    rule: 'a folder below that needs the one above it',
    step: 'cycles',
    file: `${gateway}/approvals/channels/email/planted.ts`,
    text: "import type { CHANNELS } from '../index.ts';\nexport type Planted = typeof CHANNELS;\n",
  },
  {
    rule: 'an unused export',
    step: 'exports',
    file: `${gateway}/shared/assert-never.ts`,
    text: '\nexport const nobodyUsesThis = 1;\n',
  },
  {
    rule: 'an `any`',
    step: 'format',
    file: `${gateway}/shared/planted.ts`,
    text: 'export const planted: any = 1;\n',
  },
  {
    rule: 'a file over 400 lines',
    step: 'rooms',
    file: `${gateway}/shared/planted.ts`,
    text: '// one line of many\n'.repeat(401),
  },
  {
    rule: 'a thread that is found by the place of a source file',
    step: 'rooms',
    file: `${gateway}/store/planted.ts`,
    text: "export const planted = new URL('./thread.ts', import.meta.url);\n",
  },
  {
    rule: 'nonces in a field of one process',
    step: 'rooms',
    file: `${gateway}/doors/seal/planted.ts`,
    text: 'export class Planted {\n  readonly #nonces = new Set<string>();\n}\n',
  },
  {
    rule: 'codes in a module of one process, with type arguments over several lines',
    step: 'rooms',
    file: `${gateway}/identity/planted.ts`,
    text: 'export const codes: object = new Map<\n  string,\n  () => number\n>();\n',
  },
  {
    rule: 'counters of one process whose comment gives no reason',
    step: 'rooms',
    file: `${gateway}/gate/admit/planted.ts`,
    text: 'export class Planted {\n  // process-local:\n  readonly #calls = new Map<string, number>();\n}\n',
  },
  {
    rule: 'a door that asks the gate by itself',
    step: 'rooms',
    file: `${gateway}/doors/mcp/planted.ts`,
    text: 'export const planted = (gate: { admit(): void }): void => gate.admit();\n',
  },
  {
    rule: 'too many small files',
    step: 'sizes',
    file: `${gateway}/shared/planted.ts`,
    text: 'export const planted = 1;\n',
  },
  {
    rule: 'a door that is asked for by its name',
    step: 'rooms',
    file: `${gateway}/gate/planted.ts`,
    text: "export const planted = (door: string): boolean => door === 'hook';\n",
  },
  {
    rule: 'a layer that asks for the kind of a target',
    step: 'rooms',
    file: `${gateway}/gate/planted.ts`,
    text: "export const planted = (target: { kind: string }): boolean => target.kind === 'http';\n",
  },
  {
    rule: 'a `default:` that answers for a closed union',
    step: 'rooms',
    file: `${gateway}/gate/planted.ts`,
    text: "export function planted(a: 'b' | 'c'): number {\n  switch (a) {\n    case 'b':\n      return 1;\n    default:\n      return 2;\n  }\n}\n",
  },
  {
    rule: 'a `default:` over something open that does not say what',
    step: 'rooms',
    file: `${gateway}/gate/planted.ts`,
    text: "export function planted(a: string): number {\n  switch (a) {\n    case 'b':\n      return 1;\n    // open:\n    default: {\n      return 2;\n    }\n  }\n}\n",
  },
  {
    rule: 'a test that waits without saying for what',
    step: 'rooms',
    file: `${gateway}/shared/planted.test.ts`,
    text: 'await vi.waitFor(() => expect(1).toBe(2));\n',
  },
  {
    rule: 'a coined word in an identifier',
    step: 'words',
    file: `${gateway}/shared/planted.ts`,
    text: `export const planted: object = { notice${COINED[0]}: 1 };\n`,
  },
  {
    rule: 'a step of a walk whose function is not there',
    step: 'walks',
    file: 'docs/architecture.md',
    text: '\n### Walk: a planted one (at most 1 file)\n\n1. `gate/judge.ts` `nobodyHere`: nothing\n',
  },
  {
    rule: 'a step of a walk that no step before it leads to',
    step: 'walks',
    file: 'docs/architecture.md',
    text: '\n### Walk: a planted one (at most 2 files)\n\n1. `gate/judge.ts` `judge`: a\n2. `calls/carry-out.ts` `carryOut`: b\n',
  },
  {
    rule: 'a walk through more files than it may pass',
    step: 'walks',
    file: 'docs/architecture.md',
    text: '\n### Walk: a planted one (at most 1 file)\n\n1. `gate/admit/gate.ts` `decide`: a\n2. `gate/judge.ts` `judge`: b\n',
  },
  {
    rule: 'a step of a walk that names a file alone',
    step: 'walks',
    file: 'docs/architecture.md',
    text: '\n### Walk: a planted one (at most 1 file)\n\n1. `gate/judge.ts`: judges\n',
  },
  {
    rule: 'a coined word in a page',
    step: 'words',
    file: 'docs/run.md',
    text: `\nThe ${COINED[1]} of each person are kept.\n`,
  },
  {
    rule: 'a requirement that no test cites',
    step: 'requirements',
    file: 'security/requirements.yaml',
    text: '  - { id: TR-99, area: trail, text: planted }\n',
  },
];

let failures = 0;
try {
  for (const plant of plants) {
    freshCopy();
    if (plant.rule === 'a cycle') {
      writeFileSync(
        join(copy, `${gateway}/shared/planted-too.ts`),
        "import { planted } from './planted.ts';\nexport const again = planted;\n",
      );
    }
    const before = check(plant.step, plant.rule === 'a cycle' ? 'skip' : 'run');
    appendFileSync(join(copy, plant.file), plant.text);
    if (plant.step === 'sizes')
      for (let number = 0; number < 100; number += 1)
        writeFileSync(join(copy, `${gateway}/shared/planted-${number}.ts`), plant.text);
    const refused = before && !check(plant.step, 'run');
    console.log(`${refused ? 'ok  ' : 'FAIL'} ${plant.rule} is refused by \`check ${plant.step}\``);
    if (!refused) failures += 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

function freshCopy(): void {
  rmSync(copy, { recursive: true, force: true });
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !['node_modules', '.git', 'coverage'].includes(basename(path)),
  });
  for (const folder of globSync(['node_modules', 'packages/*/node_modules'], { cwd: root }))
    symlinkSync(join(root, folder), join(copy, folder));
  spawnSync('git', ['init', '-q'], { cwd: copy });
}

/** Whether the step passes. A refusal counts only if the untouched copy passed. */
function check(step: string, mode: 'run' | 'skip'): boolean {
  if (mode === 'skip') return true;
  return spawnSync(process.execPath, ['scripts/check.ts', step], { cwd: copy }).status === 0;
}
