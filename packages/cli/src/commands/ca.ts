import { readFileSync } from 'node:fs';
import { type CertificateAuthority, CertificateAuthoritySchema, SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import { installCa, planInstall } from '../ca-store.ts';
import type { CliContext } from '../context.ts';
import { relativeTime } from '../output.ts';

interface Flags {
  readonly home?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly store?: string;
}

/** The certificate authority with which the proxy stands in for hosts. */
export function addCa(program: Command, context: CliContext): void {
  const { output } = context;
  const ca = program
    .command('ca')
    .description('the certificate authority that agents must trust')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport ca print > sallyport-ca.pem\n  sallyport ca install\n  sallyport ca rotate',
    );

  ca.command('print', { isDefault: true })
    .description('the certificate, PEM; with --json also its fingerprint and its end')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  sallyport ca print > sallyport-ca.pem\n  sallyport ca print --json')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const facts = await readFacts(context, flags);
      if (flags.json) return output.json(facts);
      output.line(facts.certificate.trimEnd());
      output.note(describe(facts));
    });

  ca.command('install')
    .description("add the certificate to this machine's trust store; without --yes it shows what it would do")
    .option('--yes', 'do it')
    .option('--store <folder>', 'where the system keeps certificates that were added')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  sallyport ca install\n  sudo sallyport ca install --yes')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const facts = await readFacts(context, flags);
      const plan = planInstall({ platform: process.platform, env: context.env, store: flags.store });
      const file = context.home(flags).caCertificate;
      if (plan.kind === 'by-hand' || flags.yes !== true) {
        if (flags.json) return output.json({ installed: false, ...plan });
        if (plan.kind === 'automatic') {
          output.line(`would copy  ${file}`);
          output.line(`to          ${plan.file}`);
          output.line(`and run     ${plan.command}`);
          output.note('nothing is changed yet: run it again with `--yes`');
        } else for (const line of plan.steps) output.line(line.replaceAll('{file}', file));
        return;
      }
      await installCa(plan, facts.certificate, context.signal);
      if (flags.json) return output.json({ installed: true, ...plan });
      output.line(`installed: ${plan.file}`);
      output.note('programs with a store of their own (Firefox, Java, Python) must be told themselves');
    });

  ca.command('rotate')
    .description('make a new authority; what the old one vouched for ends at once')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport ca rotate && sudo sallyport ca install --yes')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const facts = await rotate(context, flags);
      if (flags.json) return output.json(facts);
      output.line(describe(facts));
      output.note('install it where the old one was trusted: `sallyport ca install`');
    });
}

/** From the file: it is there, and the same, whether the gateway runs or not. */
async function readFacts(context: CliContext, flags: Flags): Promise<CertificateAuthority> {
  const { caCertificate } = context.home(flags);
  let pem: string;
  try {
    pem = readFileSync(caCertificate, 'utf8');
  } catch (cause) {
    throw new SallyportError('NotFound', {
      message: `there is no certificate in \`${caCertificate}\``,
      hint: 'the first start of the gateway makes it: `sallyport start`',
      cause,
    });
  }
  const { caFacts } = await import('@sallyport/gateway');
  try {
    return caFacts(pem, Date.now());
  } catch (cause) {
    throw new SallyportError('AuthorityUnusable', {
      message: `\`${caCertificate}\` is no certificate`,
      cause,
    });
  }
}

/** Through the gateway when it runs, so that it uses the new one at once; on the files when it does not. */
async function rotate(context: CliContext, flags: Flags): Promise<CertificateAuthority> {
  try {
    return await context
      .operator(flags)
      .call({ method: 'POST', path: '/v1/ca/rotate' }, (value) => CertificateAuthoritySchema.parse(value));
  } catch (error) {
    if (!(error instanceof SallyportError) || error.code !== 'GatewayNotRunning') throw error;
  }
  const { rotateCaFiles } = await import('@sallyport/gateway');
  return rotateCaFiles(context.home(flags));
}

function describe({ fingerprint_sha256: fingerprint, not_after: end, state }: CertificateAuthority): string {
  const when = state === 'expired' ? `expired ${relativeTime(end)}` : `ends ${relativeTime(end)}`;
  return `SHA-256 ${fingerprint}\n${when} (${end.slice(0, 10)})`;
}
