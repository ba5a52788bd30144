import type { SandboxFile } from '@sallyport/gateway/sandbox';
import { piExtension } from '../../hook/client-hooks.ts';
import { hookPlace } from '../../hook/hook-place.ts';
import {
  foldersBelow,
  isObject,
  type JsonObject,
  mcpUrl,
  type Preset,
  parseObject,
  readBelow,
  withoutSecrets,
} from './preset.ts';

const MODEL_KEEPS = ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'OPENAI_API_BASE', 'OPENROUTER_BASE_URL'];

/** Pi: models and settings. A key in `models.json` becomes the variable that holds the placeholder. */
export const piPreset: Preset = {
  name: 'pi',
  conversations: ['.pi/agent/sessions'],
  keeps: MODEL_KEEPS,
  build({ userHome, started }) {
    const models = readBelow(userHome, '.pi/agent/models.json');
    const hook = hookPlace(undefined);
    return {
      files: [
        { path: '.pi/agent/extensions/sallyport.js', content: piExtension(hook, { url: mcpUrl(started) }) },
        ...jsonFiles(userHome, ['.pi/agent/settings.json']),
        ...(models === undefined
          ? []
          : [{ path: '.pi/agent/models.json', content: JSON.stringify(piModels(parseObject(models))) }]),
      ],
      readOnly: [
        ...foldersBelow(userHome, ['.pi/agent/prompts', '.pi/agent/skills', '.pi/agent/themes']),
        hook.node,
        hook.hook,
      ],
      env: { PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
    };
  },
};

/** Every provider of the person's, asked for with what stands in the jail's environment. */
function piModels(mine: JsonObject): JsonObject {
  const clean = withoutSecrets(mine);
  if (!isObject(clean) || !isObject(clean.providers)) return {};
  const providers = Object.entries(clean.providers).map(([name, provider]) => {
    if (!isObject(provider)) return [name, provider];
    const isAnthropic = String(provider.api).startsWith('anthropic');
    return [name, { ...provider, apiKey: isAnthropic ? '$ANTHROPIC_API_KEY' : '$OPENAI_API_KEY' }];
  });
  return { ...clean, providers: Object.fromEntries(providers) };
}

/** Aider: its YAML without lines that name keys. */
export const aiderPreset: Preset = {
  name: 'aider',
  keeps: [...MODEL_KEEPS, 'AIDER_MODEL', 'AIDER_WEAK_MODEL', 'AIDER_EDITOR_MODEL'],
  build({ userHome }) {
    const config = readBelow(userHome, '.aider.conf.yml');
    return {
      files: config === undefined ? [] : [{ path: '.aider.conf.yml', content: withoutKeyLines(config) }],
      readOnly: [],
      env: {
        ...{ AIDER_ANALYTICS: 'false', AIDER_ANALYTICS_DISABLE: 'true', AIDER_CHECK_UPDATE: 'false' },
        // Its library asks another host for a list of prices at every start; it has one of its own.
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      },
    };
  },
};

/** OpenCode: its JSON without keys and servers. */
export const opencodePreset: Preset = {
  name: 'opencode',
  keeps: MODEL_KEEPS,
  build: ({ userHome }) => ({
    files: jsonFiles(userHome, ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc']),
    // It knows each of these in the singular too.
    readOnly: foldersBelow(
      userHome,
      ['agents', 'commands', 'skills', 'themes', 'agent', 'command', 'skill', 'theme'].map(
        (name) => `.config/opencode/${name}`,
      ),
    ),
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
  }),
};

function jsonFiles(userHome: string, paths: readonly string[]): SandboxFile[] {
  return paths.flatMap((path) => {
    const text = readBelow(userHome, path);
    if (text === undefined) return [];
    return [{ path, content: JSON.stringify(withoutSecrets(parseObject(withoutComments(text)))) }];
  });
}

/** JSON as people write it: without comments and commas before an end. Strings stay as they are. */
function withoutComments(json: string): string {
  const plain = json.replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1');
  return plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1');
}

/** A key, what is indented below it, and `- provider=key` lists: all of it goes. */
export function withoutKeyLines(yaml: string): string {
  let isDropping = false;
  return yaml
    .split('\n')
    .filter((line) => {
      if (/^\S/.test(line)) isDropping = /^(?!#)["']?[\w-]*(?:key|token|secret|set-env)\b/i.test(line);
      return !isDropping;
    })
    .join('\n');
}
