import { SallyportError } from '@sallyport/protocol';
import type { ReadCommand } from '../commands/index.ts';
import type { CredentialBroker, CredentialFacts } from '../credentials/index.ts';
import type { SessionFacts } from '../identity/index.ts';

/**
 * The name of what a command is lent: the one that `--creds` says; without it the only one of the session that this
 * command takes, for every host that its words name. Throws `CredentialNotAllowed` for one that the session may not use,
 * and where several would fit: the gateway does not guess.
 *
 * SECURITY: looked at before anyone is asked; whoever lends looks again [CR-2].
 */
export function chooseForCommand(
  broker: Pick<CredentialBroker, 'facts'>,
  session: SessionFacts,
  read: ReadCommand,
): string | undefined {
  const { wrapper, credential: named } = read;
  if (named !== undefined) {
    if (session.credentials.includes(named) && broker.facts(session.tenant, named) !== undefined)
      return named;
    throw new SallyportError('CredentialNotAllowed', {
      message: `this session may not use the credential \`${named}\``,
      hint: 'the operator lists the credentials of an agent under `agents.<name>.credentials`',
    });
  }
  const hosts = read.intent.hosts?.map(({ host }) => host) ?? [];
  const fits = ({ kind, mayGoTo, hosts: own }: CredentialFacts): boolean => {
    const put = wrapper.credentials[kind as keyof typeof wrapper.credentials];
    // Those that say in the config how they are put are named, never guessed.
    if (put === undefined || put === 'by its config') return false;
    return own.length === 0 || hosts.every((host) => mayGoTo(host));
  };
  const found = session.credentials.filter((name) => {
    const facts = broker.facts(session.tenant, name);
    return facts !== undefined && fits(facts);
  });
  if (found.length <= 1) return found[0];
  throw new SallyportError('CredentialNotAllowed', {
    message: `several credentials would fit \`${wrapper.name}\`: ${found.map((name) => `\`${name}\``).join(', ')}`,
    hint: 'say which with `--creds NAME`',
  });
}
