import { type Credential, CredentialSchema, listOf, SallyportError } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import { table } from '../output.ts';
import { readHidden } from '../read-hidden.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly tenant?: string;
}

interface AddFlags extends Flags {
  readonly kind: string;
  readonly host?: readonly string[];
  readonly source?: string;
  readonly agent?: readonly string[];
  readonly risk?: string;
  readonly set?: readonly string[];
}

const CredentialList = listOf(CredentialSchema);

export function addCredentials(program: Command, context: CliContext): void {
  const { output } = context;
  const credentials = program
    .command('credentials')
    .description('what may be lent to agents: see it, try it, read it anew, add some; never its values')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport credentials check\n  sallyport credentials refresh github:personal\n  sallyport credentials add github:personal --kind github_pat --agent dev',
    );

  const call = async (method: 'GET' | 'POST', path: string, flags: Flags, name?: string) => {
    const body = {
      ...(flags.tenant === undefined ? {} : { tenant: flags.tenant }),
      ...(name === undefined ? {} : { name }),
    };
    const query = method === 'GET' ? `?${new URLSearchParams(body)}` : '';
    return context
      .operator(flags)
      .call({ method, path: `${path}${query}`, ...(method === 'GET' ? {} : { body }) }, (value) =>
        CredentialList.parse(value),
      );
  };
  const show = (list: { readonly items: readonly Credential[] }, flags: Flags): void => {
    if (flags.json) output.json(list);
    else if (list.items.length === 0) output.line('no credentials; `sallyport credentials add` makes one');
    else for (const line of describe(list.items)) output.line(line);
  };

  credentials
    .command('list', { isDefault: true })
    .description('names, kinds, sources, hosts and state')
    .option('--tenant <name>', 'only this tenant')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport credentials list')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      show(await call('GET', '/v1/credentials', flags), flags);
    });

  for (const [verb, what] of [
    ['check', 'read each from its source now, and say how that went'],
    ['refresh', 'forget what was read, and read it anew: what was lent and not sent yet stays unsent'],
  ] as const) {
    credentials
      .command(`${verb} [name]`)
      .description(what)
      .option('--tenant <name>', 'only this tenant')
      .option('--json', 'print the answer as JSON')
      .addHelpText('after', `\nExample:\n  sallyport credentials ${verb} github:personal`)
      .action(async (name: string | undefined, _flags: Flags, command: Command) => {
        const flags = command.optsWithGlobals<Flags>();
        const list = await call('POST', `/v1/credentials/${verb}`, flags, name);
        show(list, flags);
        if (list.items.some(({ state }) => state === 'failed')) process.exitCode = 1;
      });
  }

  credentials
    .command('add <name>')
    .description('write a credential into the config; its value is typed or piped in, never an argument')
    .requiredOption('--kind <kind>', 'how it is sent: bearer, basic, header, github_pat, …')
    .option('--host <host...>', 'the only hosts that it is ever sent to')
    .option('--source <reference>', 'where it is read from, if not from a new file in the home')
    .option('--agent <name...>', 'agents that may use it')
    .option('--risk <risk>', 'low, medium, high or critical')
    .option('--set <key=value...>', 'what the kind wants besides, for example `name=X-Api-Key`')
    .option('--tenant <name>', 'tenant', 'default')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport credentials add github:personal --kind github_pat --agent dev\n  pass show openai | sallyport credentials add openai --kind bearer --host api.openai.com --agent dev\n  sallyport credentials add internal --kind header --set name=X-Api-Key --host api.example.com --source op://dev/internal/key',
    )
    .action(async (name: string, _flags: AddFlags, command: Command) => {
      const flags = command.optsWithGlobals<AddFlags>();
      const { addCredential, configChecks } = await import('@sallyport/gateway');
      const paths = context.home(flags);
      const tenant = flags.tenant ?? 'default';
      const added = await addCredential(
        {
          tenant,
          name,
          entry: entryOf(flags),
          ...(flags.source === undefined ? {} : { source: flags.source }),
          agents: flags.agent ?? [],
          readValue: () => readHidden(`value of ${name} (not shown)`, context),
        },
        { paths, env: context.env, checks: configChecks(paths, context.env) },
      );
      if (flags.json) return output.json({ name, tenant, ...added });
      output.line(`${name} is in ${added.file}${added.source === null ? '' : `, read from ${added.source}`}`);
      output.note(`try it with \`sallyport credentials check ${name}\``);
    });

  credentials
    .command('remove <name>')
    .description(
      "take a credential out of the config, out of every agent's list, and its value out of the home",
    )
    .option('--tenant <name>', 'tenant', 'default')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport credentials remove github:personal')
    .action(async (name: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { removeCredential, configChecks } = await import('@sallyport/gateway');
      const paths = context.home(flags);
      const removed = removeCredential(
        { tenant: flags.tenant ?? 'default', name },
        { paths, env: context.env, checks: configChecks(paths, context.env) },
      );
      if (flags.json) return output.json({ name, ...removed });
      output.line(`${name} is no longer in ${paths.config}`);
      if (removed.agents.length > 0) output.line(`agents without it now: ${removed.agents.join(', ')}`);
      output.note(
        removed.removedFile === null
          ? 'its value is where it was: take it back at its issuer if it is not needed any more'
          : `removed its value: ${removed.removedFile}; take it back at its issuer too`,
      );
    });

  credentials
    .command('rotate <name>')
    .description('give a credential another value, typed or piped in; the config stays as it is')
    .option('--tenant <name>', 'tenant', 'default')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport credentials rotate github:personal')
    .action(async (name: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { rotateCredential, configChecks } = await import('@sallyport/gateway');
      const paths = context.home(flags);
      const rotated = await rotateCredential(
        {
          ...{ tenant: flags.tenant ?? 'default', name },
          readValue: () => readHidden(`new value of ${name} (not shown)`, context),
        },
        { paths, env: context.env, checks: configChecks(paths, context.env) },
      );
      if (flags.json) return output.json({ name, ...rotated });
      output.line(`${name} has another value, in force at once: ${rotated.file}`);
      output.note(`try it with \`sallyport credentials check ${name}\``);
    });
}

function entryOf({ kind, host, risk, set = [] }: AddFlags): Readonly<Record<string, unknown>> {
  const more = set.map((text) => {
    const [, key, value] = /^([a-z_]+)=(.*)$/s.exec(text) ?? [];
    if (key !== undefined && value !== undefined) return [key, value] as const;
    throw new SallyportError('BadRequest', {
      message: `\`${text}\` is not \`key=value\``,
      hint: 'for example `--set name=X-Api-Key`',
    });
  });
  return {
    kind,
    ...Object.fromEntries(more),
    ...(host === undefined ? {} : { hosts: host }),
    ...(risk === undefined ? {} : { risk }),
  };
}

function describe(items: readonly Credential[]): readonly string[] {
  const lines = table([
    ['CREDENTIAL', 'KIND', 'TENANT', 'RISK', 'STATE', 'SOURCE'],
    ...items.map(({ name, kind, tenant, risk, state, source }) => [
      name,
      kind,
      tenant,
      risk ?? '-',
      state,
      source ?? '-',
    ]),
  ]);
  const [head = '', ...rows] = lines;
  return [head, ...rows.flatMap((row, index) => [row, ...why(items[index])])];
}

function why(item: Credential | undefined): readonly string[] {
  if (item === undefined || item.problem === null) return [];
  const { message, hint } = item.problem;
  return [`    ${message}`, ...(hint === null ? [] : [`    ${hint}`])];
}
