import { claudeHandler, HOOK_EVENTS } from '../../hook/client-hooks.ts';
import { type HookPlace, hookPlace } from '../../hook/hook-place.ts';
import { withHooks } from '../../install/hook-groups.ts';
import {
  foldersBelow,
  isObject,
  mcpUrl,
  type Preset,
  parseObject,
  readBelow,
  withoutSecrets,
} from './preset.ts';

/** Of `~/.claude.json`: how the person likes it, and nothing about accounts, projects or servers. */
const HARMLESS = [
  'theme',
  'editorMode',
  'verbose',
  'preferredNotifChannel',
  'autoCompactEnabled',
  'diffTool',
  'bypassPermissionsModeAccepted',
  'lastOnboardingVersion',
  'shiftEnterKeyBindingInstalled',
];

/** Claude Code. Its settings, its person's instructions, agents, commands and skills; no account. */
export const claudePreset: Preset = {
  name: 'claude',
  conversations: ['.claude/projects'],
  keeps: [
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'ANTHROPIC_SMALL_FAST_MODEL',
    'ANTHROPIC_DEFAULT_OPUS_MODEL',
    'ANTHROPIC_DEFAULT_SONNET_MODEL',
    'ANTHROPIC_DEFAULT_HAIKU_MODEL',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
    'MAX_THINKING_TOKENS',
  ],
  build({ userHome, workspace, isRoot, started }) {
    const mySettings = parseObject(readBelow(userHome, '.claude/settings.json'));
    const hook = hookPlace(undefined);
    const settings = withJailHooks(withoutSecrets(mySettings), hook);
    const mine = parseObject(readBelow(userHome, '.claude.json'));
    const key = started.env.ANTHROPIC_API_KEY;
    const state = {
      ...Object.fromEntries(HARMLESS.flatMap((name) => (name in mine ? [[name, mine[name]]] : []))),
      hasCompletedOnboarding: true,
      numStartups: 10,
      // The jail answers for the folder: whatever the project holds cannot do more than the agent itself.
      projects: { [workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      mcpServers: { sallyport: { type: 'http', url: mcpUrl(started) } },
      // It asks about a key in its environment by the key's last characters; a placeholder is harmless.
      ...(key === undefined ? {} : { customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] } }),
    };
    const memory = readBelow(userHome, '.claude/CLAUDE.md');
    return {
      files: [
        { path: '.claude/settings.json', content: JSON.stringify(settings) },
        { path: '.claude.json', content: JSON.stringify(state) },
        ...(memory === undefined ? [] : [{ path: '.claude/CLAUDE.md', content: memory }]),
      ],
      readOnly: [
        ...foldersBelow(userHome, [
          '.claude/agents',
          '.claude/commands',
          '.claude/skills',
          '.claude/output-styles',
        ]),
        hook.node,
        hook.hook,
      ],
      env: {
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_BUG_COMMAND: '1',
        CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // As root it refuses to go without its own questions unless it knows that it is jailed.
        ...(isRoot ? { IS_SANDBOX: '1' } : {}),
      },
    };
  },
};

/** The person's own hooks come along; ours of an installation outside makes way for the one that is right in here. */
function withJailHooks(settings: unknown, hook: HookPlace): object {
  const mine =
    isObject(settings) && (settings.hooks === undefined || isObject(settings.hooks)) ? settings : {};
  return withHooks('.claude/settings.json', { ...mine, disableAllHooks: false }, HOOK_EVENTS, () => ({
    matcher: '*',
    hooks: [claudeHandler(hook)],
  }));
}
