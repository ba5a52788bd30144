import type { ConfigCheck } from './checks/config-check.ts';
import type { HomePaths } from './home.ts';
import type { Variables } from './source/expand-variables.ts';

/** What a check may look at. */
export interface DoctorContext {
  readonly paths: HomePaths;
  readonly env: Variables;
  /** the modules' config checks, so that the doctor finds what the gateway would find */
  readonly configChecks: readonly ConfigCheck[];
  readonly signal: AbortSignal;
}

export interface DoctorResult {
  readonly status: 'ok' | 'warn' | 'fail';
  /** one line, lower case, no final period, never a secret */
  readonly message: string;
  /** the command or edit that repairs it */
  readonly fix?: string;
}

/**
 * One thing that `sallyport doctor` looks at. A check looks only: it repairs and creates nothing.
 *
 * Modules hand their checks to `runDoctor` in one list; ids are dotted, the module's name first.
 */
export interface DoctorCheck {
  readonly id: string;
  /** for people: `disk space` */
  readonly title: string;
  run(context: DoctorContext): Promise<DoctorResult>;
}

export interface DoctorReport extends DoctorResult {
  readonly id: string;
  readonly title: string;
}

const LONGEST_CHECK_MS = 10_000;

/** Runs all checks side by side, reports in their order. A check that throws or hangs has failed. */
export async function runDoctor(
  checks: readonly DoctorCheck[],
  context: DoctorContext,
  longestMs: number = LONGEST_CHECK_MS,
): Promise<readonly DoctorReport[]> {
  return Promise.all(
    checks.map(async (check) => {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(longestMs)]);
      const result = await Promise.race([guarded(check, { ...context, signal }), stopped(signal)]);
      return { id: check.id, title: check.title, ...result };
    }),
  );
}

async function guarded(check: DoctorCheck, context: DoctorContext): Promise<DoctorResult> {
  try {
    return await check.run(context);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return { status: 'fail', message: `the check itself failed${code}` };
  }
}

function stopped(signal: AbortSignal): Promise<DoctorResult> {
  const result: DoctorResult = { status: 'fail', message: 'the check did not end in time' };
  return new Promise((resolve) => {
    if (signal.aborted) resolve(result);
    signal.addEventListener('abort', () => resolve(result), { once: true });
  });
}
