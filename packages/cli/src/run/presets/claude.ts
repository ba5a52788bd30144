import { foldersBelow, isObject, type Preset, parseObject, readBelow, withoutSecrets } from './preset.ts';

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

/** Claude Code. Its settings, its person's instructions, agents, commands and skills; no account, no history. */
export const claudePreset: Preset = {
  name: 'claude',
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
    const settings = withoutSecrets(parseObject(readBelow(userHome, '.claude/settings.json')));
    const mine = parseObject(readBelow(userHome, '.claude.json'));
    const key = started.env.ANTHROPIC_API_KEY;
    const state = {
      ...Object.fromEntries(HARMLESS.flatMap((name) => (name in mine ? [[name, mine[name]]] : []))),
      hasCompletedOnboarding: true,
      numStartups: 10,
      // The jail answers for the folder: whatever the project holds cannot do more than the agent itself.
      projects: { [workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      // It asks about a key in its environment by the key's last characters; a placeholder is harmless.
      ...(key === undefined ? {} : { customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] } }),
    };
    const memory = readBelow(userHome, '.claude/CLAUDE.md');
    return {
      files: [
        ...(isObject(settings) && Object.keys(settings).length > 0
          ? [{ path: '.claude/settings.json', content: JSON.stringify(settings) }]
          : []),
        { path: '.claude.json', content: JSON.stringify(state) },
        ...(memory === undefined ? [] : [{ path: '.claude/CLAUDE.md', content: memory }]),
      ],
      readOnly: foldersBelow(userHome, [
        '.claude/agents',
        '.claude/commands',
        '.claude/skills',
        '.claude/output-styles',
      ]),
      env: {
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_BUG_COMMAND: '1',
        CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // As root it refuses to go without its own questions unless it knows that it is caged.
        ...(isRoot ? { IS_SANDBOX: '1' } : {}),
      },
    };
  },
};
