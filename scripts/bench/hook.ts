/**
 * `npm run bench:hook`: how long a tool waits for a hook that needs no person, from process start to exit, with policy
 * and audit on; and what Node alone takes on this machine in the same rounds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeHandler, codexHandler } from '../../packages/cli/src/hook/client-hooks.ts';
import { hookArgv, hookPlace } from '../../packages/cli/src/hook/hook-place.ts';
import { startTestGateway } from '../../packages/testkit/src/index.ts';
import { median, reportBench } from './report.ts';

const ROUNDS = 60;
const WARM_UP = 5;

const gateway = await startTestGateway();
const folder = mkdtempSync(join(tmpdir(), 'sallyport-hook-'));
const enrollment = join(folder, 'enrollment.json');
writeFileSync(
  enrollment,
  JSON.stringify({ home: gateway.home, tenant: 'default', secret: gateway.enrollmentSecret }),
  { mode: 0o600 },
);
const place = hookPlace(enrollment);
const event = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 'bench',
  cwd: folder,
  tool_name: 'Bash',
  tool_input: { command: 'git status && ls -la src | head' },
});

/** Milliseconds from spawn to exit. Throws when it did not say yes. */
async function time(program: string, args: readonly string[], input: string): Promise<number> {
  const began = performance.now();
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0 || output.includes('deny')) throw new Error(`it was refused: ${output}`);
  return performance.now() - began;
}

const [node = '', ...args] = hookArgv('claude-code', place);
const ways = {
  'Node alone': () => time(node, ['-e', '0'], ''),
  'hook answer': () => time(node, args, event),
  'as Claude Code starts it': () => time('/bin/sh', ['-c', claudeHandler(place).command], event),
  'as Codex starts it': () => time('/bin/sh', ['-c', codexHandler(place).command], event),
};
const samples = new Map(Object.keys(ways).map((name): [string, number[]] => [name, []]));
try {
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const ms = await way();
      if (round >= WARM_UP) samples.get(name)?.push(ms);
    }
  }
} finally {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
}
const results = [...samples].map(([name, values]) => ({
  name: `${name} p50`,
  value: median(values),
  unit: 'ms',
}));
const answer = [...(samples.get('hook answer') ?? [])].sort((a, b) => a - b);
results.push({
  name: 'hook answer p95',
  value: answer[Math.floor(answer.length * 0.95)] ?? Number.NaN,
  unit: 'ms',
});
reportBench('hook', results, [{ name: 'hook answer p50', floor: 80, ceiling: true }]);
