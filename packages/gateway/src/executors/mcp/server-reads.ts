import type { JsonObject } from '@sallyport/protocol';
import { canonicalJson, sha256Hex } from '../../shared/canonical-json.ts';
import { isObject } from '../../shared/json-rpc.ts';
import { findReadsPreset, parseReadsEntry, type ReadsPreset, readsPresetFor } from '../../tools/index.ts';

/** A tool as a person accepted it. */
export interface AcceptedTool {
  readonly hash: string;
  readonly definition: JsonObject;
}

/** Accepted tools of one server, by its own names for them. */
export type AcceptedTools = ReadonlyMap<string, AcceptedTool>;

/** A preset, for the definitions that one server has now. */
export interface PresetReads {
  readonly preset: string;
  /** what the config must say for it to hold: names these very definitions */
  readonly entry: string;
  readonly tools: readonly string[];
  /** tools of the server that sound like reading and are not counted, and why */
  readonly leftOut: readonly { readonly tool: string; readonly why: string }[];
}

/** Which tools of a server count as reads, by what the config says and a person has accepted. */
export class ServerReads {
  readonly #patterns: readonly string[];
  /** what a tool may be called with and still is a read, by tool */
  // process-local: made once of the config and the definitions that this gateway's server listed
  readonly #byPreset = new Map<string, ReadonlySet<string>>();
  /** entries of the config that name other definitions than there are */
  readonly outdated: readonly string[];

  constructor(reads: readonly string[], accepted: AcceptedTools) {
    this.#patterns = reads.filter((entry) => !entry.startsWith('@'));
    const outdated: string[] = [];
    for (const entry of reads.filter((text) => text.startsWith('@'))) {
      const name = parseReadsEntry(entry)?.name ?? '';
      const preset = findReadsPreset(name);
      const now = preset === undefined ? undefined : presetReads(name, preset, accepted);
      // SECURITY: for the definitions that somebody accepted it for, all of them, and for no others [TO-2].
      if (preset === undefined || now?.entry !== entry) outdated.push(entry);
      else for (const tool of now.tools) this.#byPreset.set(tool, new Set(preset.arguments));
    }
    this.outdated = outdated;
  }

  /** `input`: what the tool is called with; absent: whether any call of it is a read. */
  has(tool: string, input?: JsonObject): boolean {
    const known = this.#byPreset.get(tool);
    if (known !== undefined && Object.keys(input ?? {}).every((name) => known.has(name))) return true;
    return this.#patterns.some((name) =>
      name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : tool === name,
    );
  }
}

/** What could be offered for a server that calls itself so; undefined when nothing can. */
export function offeredReads(serverName: string, accepted: AcceptedTools): PresetReads | undefined {
  const name = readsPresetFor(serverName);
  const preset = name === undefined ? undefined : findReadsPreset(name);
  if (name === undefined || preset === undefined) return undefined;
  const found = presetReads(name, preset, accepted);
  return found.tools.length === 0 ? undefined : found;
}

function presetReads(name: string, preset: ReadsPreset, accepted: AcceptedTools): PresetReads {
  const tools: string[] = [];
  const leftOut: { tool: string; why: string }[] = [];
  for (const [tool, { definition }] of accepted) {
    const why = preset.tools.includes(tool) ? problemWith(definition, preset) : leftOutOf(preset, tool);
    if (why !== undefined) leftOut.push({ tool, why });
    else if (preset.tools.includes(tool)) tools.push(tool);
  }
  tools.sort();
  const pinned = tools.map((tool) => [tool, accepted.get(tool)?.hash ?? '']);
  const digest = sha256Hex(canonicalJson([name, ...pinned])).slice(0, 32);
  return { preset: name, entry: `@${name}/${digest}`, tools, leftOut };
}

/** Names are the server's: `constructor` is a name like any other. */
function leftOutOf({ leftOut }: ReadsPreset, tool: string): string | undefined {
  return Object.hasOwn(leftOut, tool) ? leftOut[tool] : undefined;
}

/** SECURITY: only what says all of its arguments, and has none that nobody looked at. */
function problemWith({ inputSchema }: JsonObject, preset: ReadsPreset): string | undefined {
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return 'its arguments cannot be read';
  for (const key of Object.keys(inputSchema)) if (!PLAIN_KEYS.has(key)) return 'its arguments cannot be read';
  const { properties = {} } = inputSchema;
  if (!isObject(properties)) return 'its arguments cannot be read';
  const other = Object.keys(properties).find(
    (name) => !preset.arguments.includes(name) && !preset.writesWith.includes(name),
  );
  return other === undefined ? undefined : `it has an argument that the preset does not know: \`${other}\``;
}

const PLAIN_KEYS: ReadonlySet<string> = new Set([
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
]);
