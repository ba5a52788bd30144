import { CODE_PRESETS } from './code-presets.ts';
import type { ReadsPreset } from './reads-preset.ts';
import { SERVICE_PRESETS } from './service-presets.ts';
import { WEB_PRESETS } from './web-presets.ts';

/** By the name that the config uses: `reads: ["@filesystem/…"]`. */
const PRESETS: ReadonlyMap<string, ReadsPreset> = new Map<string, ReadsPreset>(
  Object.entries({ ...CODE_PRESETS, ...SERVICE_PRESETS, ...WEB_PRESETS }),
);

export const READS_PRESET_NAMES: readonly string[] = [...PRESETS.keys()].toSorted();

export function findReadsPreset(name: string): ReadsPreset | undefined {
  return PRESETS.get(name);
}

/** The preset for a server that calls itself so; undefined when there is none. */
export function readsPresetFor(serverName: string): string | undefined {
  for (const [name, { servers }] of PRESETS) if (servers.includes(serverName)) return name;
  return undefined;
}

/** An entry of `reads` that names a preset, and the definitions that it was accepted for. */
const ENTRY = /^@(?<name>[a-z][a-z0-9-]{0,63})\/(?<digest>[0-9a-f]{32})$/;

export function parseReadsEntry(
  text: string,
): { readonly name: string; readonly digest: string } | undefined {
  const { name, digest } = ENTRY.exec(text)?.groups ?? {};
  return name === undefined || digest === undefined ? undefined : { name, digest };
}
