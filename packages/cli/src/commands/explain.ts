import { type ExplainQuestion, ExplanationSchema, SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import { describeExplanation } from '../describe-explanation.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly tenant?: string;
  readonly agent?: string;
  readonly user?: string;
  readonly http?: string;
  readonly cli?: string;
  readonly jailed?: boolean;
  readonly unconfined?: boolean;
  readonly cwd?: string;
  readonly creds?: string;
  readonly remote?: readonly string[];
}

export function addExplain(program: Command, context: CliContext): void {
  program
    .command('explain [call]')
    .description('what the gate would say about an action, why, and what to change')
    .option('--tenant <name>', 'tenant (default)')
    .option('--agent <name>', "agent (the tenant's default agent)")
    .option('--user <name>', "on whose behalf (the tenant's default user)")
    .option('--http <request>', 'a request: \'POST https://api.example.com/x {"a":1}\'')
    .option('--cli <command>', "a command line over SSH: 'aws s3 ls'")
    .option('--jailed', 'the agent has no way out but the gateway (this is the default)')
    .option('--unconfined', 'the agent runs free on its host')
    .option('--cwd <folder>', 'working folder of the agent (this folder)')
    .option('--creds <name>', 'name of the credential that would be lent')
    .option(
      '--remote <repository...>',
      "repositories that the workspace's git remotes name: github.com/acme/app",
    )
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  sallyport explain -- 'Bash(git push origin main)'\n  sallyport explain --unconfined --agent dev -- 'Write(~/.bashrc)'\n  sallyport explain --http 'POST https://api.github.com/repos/acme/app/issues'\n  sallyport explain --cli 'aws s3 rm s3://bucket/key'\n\nAsks the running gateway; without one, the config alone (then no grants are looked at).",
    )
    .action(async (call: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const explanation = await ask(context, flags, questionOf(call, flags));
      if (flags.json) return context.output.json(explanation);
      for (const line of describeExplanation(explanation, context.output)) context.output.line(line);
    });
}

function questionOf(call: string | undefined, flags: Flags): ExplainQuestion {
  const given = [call, flags.http, flags.cli].filter((text) => text !== undefined);
  if (given.length !== 1 || given[0] === undefined) {
    throw new SallyportError('BadRequest', {
      message: 'say one action: a tool call, --http or --cli',
      hint: "for example: sallyport explain -- 'Bash(git push origin main)'",
    });
  }
  return {
    form: call !== undefined ? 'tool' : flags.http !== undefined ? 'http' : 'cli',
    text: given[0],
    ...(flags.tenant === undefined ? {} : { tenant: flags.tenant }),
    ...(flags.agent === undefined ? {} : { agent: flags.agent }),
    ...(flags.user === undefined ? {} : { user: flags.user }),
    ...(flags.creds === undefined ? {} : { credential: flags.creds }),
    ...(flags.remote === undefined ? {} : { repositories: [...flags.remote] }),
    cwd: flags.cwd ?? process.cwd(),
    confinement: flags.unconfined === true ? 'unconfined' : 'jailed',
  };
}

async function ask(context: CliContext, flags: Flags, question: ExplainQuestion) {
  try {
    return await context
      .operator(flags)
      .call({ method: 'POST', path: '/v1/explain', body: question }, (value) =>
        ExplanationSchema.parse(value),
      );
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== 'GatewayNotRunning') throw error;
    const { openPolicyQuestions } = await import('@sallyport/gateway');
    const questions = await openPolicyQuestions({ paths: context.home(flags), env: context.env });
    return questions.explain(question);
  }
}
