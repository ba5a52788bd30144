import { realpathSync } from 'node:fs';
import { ownFile } from '@sallyport/gateway/own-files';

/** The client that clients of ours start: plain JS, by its absolute path. */
export const HOOK_FILE = ownFile('sallyport-hook.cjs');

/** How long things may take, in seconds; of the last three each inner one ends before the outer one. */
export interface HookTimes {
  /** a hook that was started has asked the gateway by then */
  readonly ask: number;
  /** people are asked for so long */
  readonly wait: number;
  /** whoever started the hook kills it then */
  readonly kill: number;
  /** the client's own deadline: a hook that is later is taken for consent by some */
  readonly client: number;
}

export const HOOK_TIMES: HookTimes = { ask: 20, wait: 3_500, kill: 3_540, client: 3_600 };

/** How a hook is started. */
export interface HookPlace {
  /** absolute path of the Node that runs this */
  readonly node: string;
  readonly hook: string;
  /** 0600; absent in a jail, where the connection says who it is */
  readonly enrollment?: string;
  readonly times: HookTimes;
}

/** The pinned Node and the hook of this installation. */
export function hookPlace(enrollment: string | undefined): HookPlace {
  return {
    node: realpathSync(process.execPath),
    hook: HOOK_FILE,
    ...(enrollment === undefined ? {} : { enrollment }),
    times: HOOK_TIMES,
  };
}

/** Program and arguments. */
export function hookArgv(client: string, { node, hook, enrollment, times }: HookPlace): readonly string[] {
  const who = enrollment === undefined ? [] : ['--enrollment', enrollment];
  return [node, hook, client, ...who, '--wait', String(times.wait)];
}
