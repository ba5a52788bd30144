import type { Logger } from '../audit/index.ts';

/** How long a graceful stop may take before the process ends anyway, in ms. */
const STOP_AT_MOST_MS = 15_000;

/**
 * Ties a gateway to its process: SIGTERM and SIGINT stop it in order, and an error that nobody caught is
 * logged, through the redactor, and ends the process with exit code 1. Returns how to untie it.
 */
export function guardProcess(log: Logger, stop: () => Promise<void>): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    // A second signal has its usual effect: whoever is in a hurry gets their way.
    release();
    setTimeout(() => {
      log.fatal('the stop took too long');
      process.exit(1);
    }, STOP_AT_MOST_MS).unref();
    stop().catch((error: unknown) => {
      log.fatal({ err: error }, 'the stop failed');
      process.exit(1);
    });
  };
  // SECURITY: node's own crash report would print the error as it is, with whatever secret is in it.
  const onCrash = (error: unknown): void => {
    log.fatal({ err: error }, 'crashed');
    process.exit(1);
  };
  const release = (): void => {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
  return () => {
    release();
    process.off('uncaughtException', onCrash);
    process.off('unhandledRejection', onCrash);
  };
}
