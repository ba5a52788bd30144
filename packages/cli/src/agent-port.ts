import { readFileSync } from 'node:fs';
import type { HomePaths } from '@sallyport/gateway/home';

/** The port of the agent side of the gateway that runs on a home; undefined when none does. */
export function agentPort({ runtime }: Pick<HomePaths, 'runtime'>): number | undefined {
  try {
    const { ports } = JSON.parse(readFileSync(runtime, 'utf8')) as { ports?: { api?: unknown } };
    return Number.isSafeInteger(ports?.api) ? Number(ports?.api) : undefined;
  } catch {
    return undefined;
  }
}
