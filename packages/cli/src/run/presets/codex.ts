import { join } from 'node:path';
import type { StartedRun } from '@sallyport/protocol';
import {
  codexHandler,
  codexTrustHash,
  codexWitness,
  type HookHandler,
  WITNESS_PATH,
  WITNESS_SERVER,
  type WitnessHandler,
} from '../../hook/client-hooks.ts';
import { type HookPlace, hookPlace } from '../../hook/hook-place.ts';
import { mcpUrl, type Preset, readBelow } from './preset.ts';

/** Codex. Its config without servers and their secrets; logged in with a placeholder. */
export const codexPreset: Preset = {
  name: 'codex',
  conversations: ['.codex/sessions'],
  keeps: ['OPENAI_BASE_URL'],
  build({ userHome, workspace, started }) {
    const hook = hookPlace(undefined);
    const login = loginFile(started);
    const memory = readBelow(userHome, '.codex/AGENTS.md');
    return {
      files: [
        {
          path: '.codex/config.toml',
          content: `${codexConfig(readBelow(userHome, '.codex/config.toml') ?? '', workspace)}${ours(join(userHome, '.codex/config.toml'), hook, started)}`,
        },
        ...(login === undefined ? [] : [{ path: '.codex/auth.json', content: login }]),
        ...(memory === undefined ? [] : [{ path: '.codex/AGENTS.md', content: memory }]),
      ],
      readOnly: [hook.node, hook.hook],
      env: {},
    };
  },
};

/**
 * Our endpoint and our hooks, and that they were reviewed: the jail is ours, and so is everything in this home.
 *
 * The hooks are in the config itself: a Codex that does not know one of them does not start, where it would leave out
 * a file of hooks as a whole. And it does not start before it can ask what its hook was told.
 */
function ours(file: string, hook: HookPlace, started: StartedRun): string {
  const events = [
    ['PreToolUse', 'pre_tool_use', [codexHandler(hook), codexWitness(hook)]],
    ['PermissionRequest', 'permission_request', [codexHandler(hook)]],
  ] as const;
  return [
    '[mcp_servers.sallyport]',
    `url = ${JSON.stringify(mcpUrl(started))}`,
    `[mcp_servers.${WITNESS_SERVER}]`,
    `url = ${JSON.stringify(new URL(WITNESS_PATH, mcpUrl(started)).href)}`,
    'required = true',
    ...events.flatMap(([event, , handlers]) => [
      `[[hooks.${event}]]`,
      ...handlers.flatMap((handler) => [`[[hooks.${event}.hooks]]`, ...handlerLines(handler)]),
    ]),
    ...events.flatMap(([, event, handlers]) =>
      handlers.flatMap((handler, index) => [
        `[hooks.state.${JSON.stringify(`${file}:${event}:0:${index}`)}]`,
        `trusted_hash = ${JSON.stringify(codexTrustHash(event, handler))}`,
      ]),
    ),
    '',
  ].join('\n');
}

/** As TOML: its texts and numbers are written as in JSON. */
function handlerLines(handler: HookHandler | WitnessHandler): readonly string[] {
  const inline = (value: object): string =>
    `{ ${Object.entries(value)
      .map(([key, entry]) => `${key} = ${JSON.stringify(entry)}`)
      .join(', ')} }`;
  return Object.entries(handler).map(
    ([key, value]) => `${key} = ${typeof value === 'object' ? inline(value) : JSON.stringify(value)}`,
  );
}

/** Tables that hold programs, addresses and headers with secrets in them. */
const LEFT_OUT =
  /^(?:mcp_servers|hooks|otel|projects|analytics|shell_environment_policy)\b|(?:env|headers?)$/;
const SECRET_KEY = /^(?:experimental_bearer_token|http_headers|.*(?:token|secret|password))$/i;

/** The person's settings, and ours: no update check, no analytics, and the jail in place of its own sandbox. */
export function codexConfig(text: string, workspace: string): string {
  const top: string[] = [];
  const tables: string[] = [];
  let table = '';
  for (const line of text.split('\n')) {
    const head = /^\s*\[+\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (head !== undefined) table = head;
    if (LEFT_OUT.test(table.replaceAll('"', ''))) continue;
    const key = /^\s*([A-Za-z0-9_-]+)\s*=/.exec(line)?.[1];
    if (head === undefined && key !== undefined && SECRET_KEY.test(key)) continue;
    (table === '' ? top : tables).push(line);
  }
  const says = (key: string): boolean => top.some((line) => new RegExp(`^\\s*${key}\\s*=`).test(line));
  return [
    ...top.filter((line) => !/^\s*check_for_update_on_startup\s*=/.test(line)),
    'check_for_update_on_startup = false',
    // Its own sandbox needs what a jail does not give; inside one it would protect nothing more.
    ...(says('sandbox_mode') ? [] : ['sandbox_mode = "danger-full-access"']),
    // OpenAI would search the web with every answer: past the gate, so that every request to the model would ask.
    ...(says('web_search') ? [] : ['web_search = "disabled"']),
    ...tables,
    '[analytics]',
    'enabled = false',
    `[projects.${JSON.stringify(workspace)}]`,
    'trust_level = "trusted"',
    '',
  ].join('\n');
}

function loginFile(started: StartedRun): string | undefined {
  if (started.login_token !== null) {
    const claims = {
      email: 'jailed@sallyport.invalid',
      'https://api.openai.com/auth': { chatgpt_plan_type: 'pro' },
    };
    return JSON.stringify({
      OPENAI_API_KEY: null,
      tokens: {
        id_token: unsignedJwt(claims),
        access_token: started.login_token,
        refresh_token: '',
        account_id: 'sallyport',
      },
      last_refresh: new Date().toISOString(),
    });
  }
  const key = started.env.OPENAI_API_KEY;
  return key === undefined ? undefined : JSON.stringify({ OPENAI_API_KEY: key });
}

/** A token that says who without proving it: the client reads it, nobody else takes it. */
function unsignedJwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${Buffer.from('none').toString('base64url')}`;
}
