import { join } from 'node:path';
import {
  codexHandler,
  codexTrustHash,
  codexWitness,
  HOOK_EVENTS,
  type HookHandler,
  isOurs,
  WITNESS_SERVER,
  type WitnessHandler,
} from '../hook/client-hooks.ts';
import { withHooks, withoutHooks } from './hook-groups.ts';
import type { ClientInstaller, InstallPlace } from './installer.ts';
import {
  type FileChange,
  formatLike,
  isJson,
  type Json,
  parseSettings,
  readSettings,
  unusable,
} from './settings-file.ts';
import { readTomlShape } from './toml-shape.ts';

/** Codex: hooks in a file of their own, their review, our MCP endpoint and where it asks by itself in the config. */
export const codex: ClientInstaller = {
  changes(place, how) {
    const home = place.env.CODEX_HOME ?? join(place.userHome, '.codex');
    const hooksFile = join(place.project === undefined ? home : join(place.project, '.codex'), 'hooks.json');
    const { change, json } = editHooks(hooksFile, place, how);
    // What was reviewed is remembered in the user's own config alone, also for a project's hooks.
    return [change, editConfig(join(home, 'config.toml'), hooksFile, json, place, how)];
  },
  notes: ({ project, witness }) => [
    ...(witness !== undefined && 'missing' in witness
      ? [
          `${witness.missing}, so Codex lets a tool run when the shell around its hook is killed: mend that and install again, or use the jail (\`sallyport run -- codex\`)`,
        ]
      : []),
    ...(project === undefined ? [] : ['Codex runs hooks of a project only once it trusts the project']),
  ],
};

type HookEvent = (typeof HOOK_EVENTS)[number];

/** Our handlers for one event, in the order of Codex's record. At its own question a dead hook is no consent. */
function handlersOf(
  event: HookEvent,
  { hook, witness }: InstallPlace,
): readonly (HookHandler | WitnessHandler)[] {
  const isWitnessed = event === 'PreToolUse' && witness !== undefined && 'url' in witness;
  return [codexHandler(hook), ...(isWitnessed ? [codexWitness(hook)] : [])];
}

function editHooks(
  path: string,
  place: InstallPlace,
  how: 'install' | 'uninstall',
): { change: FileChange; json: Json } {
  const before = readSettings(path);
  const json = parseSettings(path, before);
  const changed =
    how === 'install'
      ? withHooks(path, json, HOOK_EVENTS, (event) => ({ hooks: handlersOf(event, place) }))
      : withoutHooks(path, json);
  if (before === undefined && Object.keys(changed).length === 0)
    return { change: { path, before, after: undefined }, json: changed };
  const isSame = JSON.stringify(json) === JSON.stringify(changed);
  const after = isSame && before !== undefined ? before : formatLike(before, changed);
  return { change: { path, before, after }, json: changed };
}

const BEGIN = '# >>> sallyport install codex: `sallyport uninstall codex` removes this';
const END = '# <<< sallyport';
const EVENT_NAMES = { PreToolUse: 'pre_tool_use', PermissionRequest: 'permission_request' } as const;

function editConfig(
  path: string,
  hooksFile: string,
  hooks: Json,
  place: InstallPlace,
  how: 'install' | 'uninstall',
): FileChange {
  const before = readSettings(path);
  const clean = withoutBlock(path, before ?? '');
  if (how === 'uninstall')
    return { path, before, after: before === undefined || clean === '' ? undefined : clean };
  const shape = readTomlShape(path, clean);
  const { mcp, witness } = place;
  const server = `mcp_servers.sallyport`;
  const asks =
    witness !== undefined && 'url' in witness
      ? [[`mcp_servers.${WITNESS_SERVER}`, `url = ${JSON.stringify(witness.url)}`] as const]
      : [];
  const states = HOOK_EVENTS.flatMap((event) => {
    const group = `${hooksFile}:${EVENT_NAMES[event]}:${groupIndex(hooks, event)}`;
    return handlersOf(event, place).map((handler, index) => {
      const hash = codexTrustHash(EVENT_NAMES[event], handler);
      const key = JSON.stringify(`${group}:${index}`);
      return [`hooks.state.${key}`, `trusted_hash = ${JSON.stringify(hash)}`] as const;
    });
  });
  const added = [...asks, ...states];
  for (const table of [server, ...added.map(([name]) => name)])
    if (shape.tables.has(table)) throw unusable(path, `has a table \`[${table}]\``, 'take it out first');
  if (shape.values.get('features.hooks') === 'false')
    throw unusable(path, 'says `hooks = false`', 'take that out first: with it no hook runs');
  const block = [
    BEGIN,
    `[${server}]`,
    `command = ${JSON.stringify(mcp.command)}`,
    `args = ${JSON.stringify(mcp.args)}`,
    ...added.flatMap(([name, line]) => [`[${name}]`, line]),
    END,
    '',
  ].join('\n');
  const gap = clean === '' || clean.endsWith('\n') ? '' : '\n';
  return { path, before, after: `${clean}${gap}${block}` };
}

/** Codex knows a hook by its place in the list. */
function groupIndex(json: Json, event: string): number {
  const groups = isJson(json.hooks) ? json.hooks[event] : undefined;
  return (Array.isArray(groups) ? groups : []).findIndex(
    (group) =>
      isJson(group) && Array.isArray(group.hooks) && group.hooks.some((each) => isJson(each) && isOurs(each)),
  );
}

/** The text without the lines between our marks. Throws when one of the marks is gone. */
function withoutBlock(path: string, text: string): string {
  const begin = text.indexOf(BEGIN);
  if (begin === -1) return text;
  const end = text.indexOf(`${END}\n`, begin);
  if (end === -1) throw unusable(path, `has no line \`${END}\` any more`, 'take our lines out by hand');
  return text.slice(0, begin) + text.slice(end + END.length + 1);
}
