import { type Action, type HostFact, SallyportError } from '@sallyport/protocol';
import { findWrapper } from '../commands/index.ts';
import type { CommandLoan, CredentialBroker } from '../credentials/index.ts';
import type { CommandMaterial } from '../executors/index.ts';
import type { SessionFacts } from '../identity/index.ts';
import { COMMAND_HOME } from '../shared/command-places.ts';
import { eventActor } from '../shared/event-actor.ts';
import { lineOf } from '../targets/index.ts';

/** Below the home of a command: what was lent to it as files. */
const LENT = 'lent';

/** The environment and files of one command that the gate allowed, with what the action says is lent. */
export async function commandMaterial(
  broker: Pick<CredentialBroker, 'lendToCommand'>,
  session: SessionFacts,
  action: Action,
  { env, signal }: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<{ readonly material: CommandMaterial; readonly lentHosts: readonly string[] }> {
  const wrapper = findWrapper(programOf(action));
  if (wrapper === undefined) throw new SallyportError('NotAdmitted');
  const base = { ...env, ...wrapper.environment };
  const name = action.target.credential;
  if (name === undefined) return { material: { env: base, files: [], secrets: [] }, lentHosts: [] };
  const loan = await broker.lendToCommand({
    ...{ tenant: session.tenant, name, session: session.id, actionId: action.id, signal },
    actor: eventActor(action.actor),
    command: wrapper.name,
    puts: wrapper.credentials,
    hosts: namedHosts(action).map(({ host }) => host),
  });
  return {
    material: {
      env: { ...base, ...loan.env, ...variablesOf(loan) },
      files: loan.files.map(({ name: file, text }) => ({ path: `${LENT}/${file}`, content: text })),
      secrets: loan.values,
    },
    lentHosts: loan.hosts,
  };
}

/**
 * Where a command may connect to: what its words name, and the hosts of what it was lent.
 *
 * SECURITY: with a credential that names hosts, nothing else, wherever its words lead [CR-2].
 */
export function hostsOf(action: Action, lentHosts: readonly string[]): readonly string[] {
  const named = namedHosts(action).map(({ host, port }) => `${host}:${port ?? 443}`);
  return [...named, ...lentHosts];
}

function variablesOf({ files }: CommandLoan): Readonly<Record<string, string>> {
  const folder = `${COMMAND_HOME}/${LENT}`;
  return Object.fromEntries(
    files.flatMap(({ name, variable }) =>
      variable === undefined
        ? []
        : [[variable.name, variable.says === 'folder' ? folder : `${folder}/${name}`]],
    ),
  );
}

function namedHosts(action: Action): readonly HostFact[] {
  return lineOf(action.target)?.commands.flatMap(({ hosts = [] }) => hosts) ?? [];
}

function programOf(action: Action): string {
  return lineOf(action.target)?.commands[0]?.program ?? '';
}
