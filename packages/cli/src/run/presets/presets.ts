import { claudePreset } from './claude.ts';
import { codexPreset } from './codex.ts';
import { aiderPreset, opencodePreset, piPreset } from './others.ts';
import type { Preset } from './preset.ts';

/** Every preset, by the name of its program. */
export const PRESETS: ReadonlyMap<string, Preset> = new Map(
  [claudePreset, codexPreset, piPreset, aiderPreset, opencodePreset].map((preset) => [preset.name, preset]),
);
