import type { Logger } from '@slack/bolt';

const quiet = (): void => {};

/** SECURITY: what Slack's libraries log may quote messages and tokens, so that they log nothing [CR-1]. */
export const QUIET: Logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  setLevel: quiet,
  // `as`: the level is an enum of the library, which is loaded later.
  getLevel: () => 'error' as ReturnType<Logger['getLevel']>,
  setName: quiet,
};
