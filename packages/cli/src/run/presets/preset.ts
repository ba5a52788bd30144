import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepJson } from '@sallyport/gateway/json-depth';
import type { SandboxFile } from '@sallyport/gateway/sandbox';
import type { StartedRun } from '@sallyport/protocol';

/** What a preset works with. */
export interface PresetContext {
  /** the person's home on this machine */
  readonly userHome: string;
  readonly workspace: string;
  readonly isRoot: boolean;
  readonly caller: NodeJS.ProcessEnv;
  readonly started: StartedRun;
}

/** What a preset adds to a jail. Never a token: logins are placeholders, and values enter at the proxy. */
export interface PresetParts {
  /** relative to the home */
  readonly files: readonly SandboxFile[];
  /** host folders to bind read-only */
  readonly readOnly: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** One client that people run: how it is told who it is, without its secrets. */
export interface Preset {
  readonly name: string;
  /** folders below the home in which it keeps its conversations, and nothing else; they last from run to run */
  readonly conversations?: readonly string[];
  /** variables of the caller that say which model and where, and are no secrets */
  readonly keeps: readonly string[];
  build(context: PresetContext): PresetParts;
}

/** Text of a file below the home; undefined when there is none, or when it is too large to be settings. */
export function readBelow(home: string, path: string): string | undefined {
  try {
    const file = join(home, path);
    return statSync(file).size > LARGEST ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const LARGEST = 4 * 1024 * 1024;

/** Folders below the home that exist. */
export function foldersBelow(home: string, paths: readonly string[]): readonly string[] {
  return paths
    .map((path) => join(home, path))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object from JSON text; empty when the text is none, or nested more deeply than settings are. */
export function parseObject(text = '{}'): JsonObject {
  if (isDeepJson(text)) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SECRET_NAME = /(?:key|token|secret|password|passwd|credential|auth|cookie|headers?|helper)$/i;

/**
 * The same settings without what could be a secret: values under telling names, and everything that is an environment.
 *
 * SECURITY: a courtesy for settings that people write by hand; what protects them is that the home is not in the jail.
 */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => {
      if (key === 'env' || key === 'mcpServers' || key === 'mcp' || SECRET_NAME.test(key)) return [];
      return [[key, withoutSecrets(entry)]];
    }),
  );
}

/** Our MCP endpoint as a jail reaches it: whoever connects is its session. Models take plain names only. */
export function mcpUrl({ ports }: Pick<StartedRun, 'ports'>): string {
  return `http://127.0.0.1:${ports.api}/mcp?names=plain`;
}
