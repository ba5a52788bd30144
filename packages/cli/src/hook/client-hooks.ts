import { createHash } from 'node:crypto';
import { type HookPlace, hookArgv } from './hook-place.ts';
import { type McpPlace, piTools } from './pi-tools.ts';

/** One handler in the form that Claude Code and Codex share. */
export interface HookHandler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
  readonly onFailure?: 'block';
}

/** A handler that is no process: Codex (0.166.0) calls a tool of an MCP server itself. */
export interface WitnessHandler {
  readonly type: 'mcp_tool';
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** Events at which we are asked. */
export const HOOK_EVENTS = ['PreToolUse', 'PermissionRequest'] as const;

/** SECURITY: Codex takes a 2 without a reason for a hook that failed, and runs the tool [TO-8]. */
const REFUSE = "{ echo 'sallyport: the hook said no or failed, so the tool may not run' >&2; exit 2; }";

/**
 * Claude Code (2.1.325). SECURITY: without `onFailure` a hook that cannot start, is killed or is late lets the tool run
 * [TO-8]; an older version that does not know it still takes exit code 2 for a no.
 */
export function claudeHandler(place: HookPlace): HookHandler {
  return {
    type: 'command',
    command: `${shellWords(hookArgv('claude-code', place))} || ${REFUSE}`,
    timeout: place.times.client,
    onFailure: 'block',
  };
}

/**
 * Codex (0.166.0) has no such setting: a hook that fails with anything but 2, or is late, lets the tool run. So the shell
 * that it starts sees to both [TO-8]: a hook that is stopped or stuck is killed, and every failure becomes a 2. For
 * the death of that shell itself there is `codexWitness`; the hook is told whose child it is, and asks nothing without it.
 */
export function codexHandler(place: HookPlace): HookHandler {
  const hook = `${shellWords(hookArgv('codex', place))} --shell $$`;
  const watch = `trap 'kill $!; exit' TERM; sleep ${place.times.kill} & wait $!; kill -0 $$ && kill -9 $p`;
  return {
    type: 'command',
    // Behind `&` a shell gives no input, hence descriptor 3. Once the shell is gone, `$p` may be anybody's number.
    command: `exec 3<&0; ${hook} <&3 & p=$!; (${watch}) </dev/null >/dev/null 2>&1 & w=$!; wait $p; c=$?; kill $w; [ $c = 0 ] || ${REFUSE}`,
    timeout: place.times.client,
  };
}

/** The MCP server by which Codex asks. Its one tool is in no list, so that no model sees it. */
export const WITNESS_SERVER = 'sallyport_hook';

/** Below the address of the agent side. */
export const WITNESS_PATH = '/v1/hooks/codex/mcp';

/**
 * Codex asks the gateway itself what the hook of the same call was told, beside the hook. SECURITY: a killed shell is
 * consent for Codex, and one no among its hooks is a no [TO-8]; this one is nobody's to kill, and the shell's is the no
 * when the gateway is down.
 */
export function codexWitness({ times }: Pick<HookPlace, 'times'>): WitnessHandler {
  const told = ['hook_event_name', 'session_id', 'turn_id', 'tool_use_id', 'tool_name', 'cwd', 'tool_input'];
  return {
    type: 'mcp_tool',
    server: WITNESS_SERVER,
    tool: 'told',
    // Texts alone: Codex takes numbers apart before it hashes them for its record.
    input: {
      within_seconds: String(times.ask),
      ...Object.fromEntries(told.map((name) => [name, `\${${name}}`])),
    },
    timeout: times.client,
  };
}

/** Codex runs no hook that was not reviewed; this is its record of what was, by the hook's definition. */
export function codexTrustHash(event: string, handler: HookHandler | WitnessHandler): string {
  const whole = handler.type === 'command' ? { async: false, ...handler } : handler;
  const text = JSON.stringify(sorted({ event_name: event, hooks: [whole] }));
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}

/**
 * Pi's extension. A handler that throws blocks the tool, so everything but a clear yes throws [TO-8]. It is whole in
 * itself: what it starts is looked for with each call. `mcp`: how our tools are reached, where they are to be Pi's too.
 */
export function piExtension(place: HookPlace, mcp?: McpPlace): string {
  const [program, ...args] = hookArgv('pi', place);
  return `// Written by \`sallyport install pi\`; \`sallyport uninstall pi\` removes it. Every tool call is judged by the gateway.
import { spawn } from 'node:child_process';

const PROGRAM = ${JSON.stringify(program)};
const ARGS = ${JSON.stringify(args)};
const KILL_MS = ${place.times.kill * 1000};

function ask(event, signal) {
  return new Promise((resolve, reject) => {
    const hook = spawn(PROGRAM, ARGS, { stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => hook.kill('SIGKILL'), KILL_MS);
    const stop = () => hook.kill('SIGKILL');
    signal?.addEventListener('abort', stop, { once: true });
    let answer = '';
    let problem = '';
    hook.stdout.on('data', (chunk) => { answer += chunk; });
    hook.stderr.on('data', (chunk) => { problem += chunk; });
    hook.stdin.on('error', () => undefined);
    hook.once('error', (error) => reject(new Error('sallyport: the hook cannot be started: ' + error.message)));
    hook.once('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      if (code === 0) resolve(answer);
      else reject(new Error(problem.trim() || 'sallyport: the hook failed, so the tool may not run'));
    });
    hook.stdin.end(JSON.stringify(event));
  });
}

${mcp === undefined ? '' : piTools(mcp)}
export default ${mcp === undefined ? '' : 'async '}function (pi) {
  pi.on('tool_call', async (event, ctx) => {
    const said = JSON.parse(await ask({
      hook_event_name: 'PreToolUse',
      session_id: ctx?.sessionManager?.getSessionId?.() ?? String(process.pid),
      cwd: ctx?.cwd ?? process.cwd(),
      tool_name: event.toolName,
      tool_input: event.input,
    }, ctx?.signal));
    if (said.block === true) return { block: true, reason: said.reason };
    if (said.block !== false) throw new Error('sallyport: the hook gave no answer');
    if (said.input !== undefined) {
      for (const key of Object.keys(event.input)) delete event.input[key];
      Object.assign(event.input, said.input);
    }
    return undefined;
  });
${mcp === undefined ? '' : '  // Without a gateway there are none; the hook says why.\n  await addTools(pi).catch(() => undefined);\n'}}
`;
}

/** Words of a shell, each as it is. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

/** Whether a handler is a hook of ours, wherever it was installed from. */
export function isOurs({
  command,
  server,
}: {
  readonly command?: unknown;
  readonly server?: unknown;
}): boolean {
  return (typeof command === 'string' && command.includes('sallyport-hook.cjs')) || server === WITNESS_SERVER;
}
