import { SallyportError, type VerifyReport, VerifyReportSchema } from '@sallyport/protocol';
import type { CliContext, HomeFlags } from './context.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
}

/** Asks the running gateway, or reads the home itself when none is running. Says whether the trail is whole. */
export async function verifyTrailOfHome(context: CliContext, flags: Flags): Promise<boolean> {
  const { output } = context;
  if (output.isTerminal && flags.json !== true) output.note('checking every event …');
  const report = await ask(context, flags);
  if (flags.json) {
    output.json(report);
    return report.ok;
  }
  for (const { tenant, ok, events, checkpoints, problem } of report.tenants) {
    const mark = ok ? output.style('green', 'whole  ') : output.style('red', 'changed');
    output.line(`${mark}  ${tenant}: ${events} events, ${checkpoints} checkpoints`);
    if (problem !== null) {
      const where = [problem.seq === null ? '' : `event ${problem.seq}`, problem.event ?? ''].filter(
        (part) => part !== '',
      );
      output.line(`         ${where.join(', ')}: ${problem.message}`);
    }
  }
  if (!report.ok)
    output.line('Keep a copy of the home, and compare with the anchor or the files before you go on.');
  return report.ok;
}

async function ask(context: CliContext, flags: Flags): Promise<VerifyReport> {
  try {
    return await context
      .operator(flags)
      .call({ method: 'POST', path: '/v1/audit/verify', body: {} }, (value) =>
        VerifyReportSchema.parse(value),
      );
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== 'GatewayNotRunning') throw error;
    const { verifyHome } = await import('@sallyport/gateway');
    return verifyHome(context.home(flags), context.env);
  }
}
