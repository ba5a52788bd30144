import { type EventActor, SallyportError } from '@sallyport/protocol';
import type { CommandName } from '../config/index.ts';
import type { Secret } from '../shared/secret.ts';
import type { CredentialPut, PartName, PutFile } from './kinds/command-put.ts';
import type { PreparedCredential } from './kinds/kind.ts';

/** Who wants which credential for which command. */
export interface CommandLendRequest {
  readonly tenant: string;
  /** name of the credential */
  readonly name: string;
  readonly session: string;
  readonly actor: EventActor;
  readonly actionId: string;
  readonly signal: AbortSignal;
  readonly command: CommandName;
  /** how the wrapper puts each kind that it takes */
  readonly puts: Readonly<Partial<Record<string, CredentialPut | 'by its config'>>>;
  /** hosts that the words name: each must be one of the credential's, where it has any */
  readonly hosts: readonly string[];
}

/** One credential for one process. Plain texts: they go into its environment and its private folder, and nowhere else. */
export interface CommandLoan {
  readonly credential: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly (Pick<PutFile, 'name' | 'variable'> & { readonly text: string })[];
  /** what must not come back to the agent */
  readonly values: readonly Secret[];
  /** patterns of hosts that it may be sent to; empty: the config does not say */
  readonly hosts: readonly string[];
}

/** What stands in the environment and the files, or undefined for a kind that cannot be put so. */
export function putParts(
  prepared: PreparedCredential,
  put: CredentialPut | 'by its config',
): Pick<CommandLoan, 'env' | 'files'> | undefined {
  const wanted = put === 'by its config' ? prepared.ownPut : put;
  const parts = prepared.parts ?? (prepared.value === undefined ? undefined : { token: prepared.value });
  if (wanted === undefined || parts === undefined) return undefined;
  const env: Record<string, string> = {};
  for (const [name, text] of Object.entries(wanted.env ?? {})) {
    const filled = fill(text, parts, 'none');
    if (filled !== undefined) env[name] = filled;
  }
  const files = (wanted.files ?? []).flatMap(({ name, text, quoting, variable }) => {
    const filled = fill(text, parts, quoting);
    return filled === undefined
      ? []
      : [{ name, text: filled, ...(variable === undefined ? {} : { variable }) }];
  });
  return Object.keys(env).length + files.length === 0 ? undefined : { env, files };
}

/** undefined: a piece is missing, so all of the text is left out. */
function fill(
  text: string,
  parts: Readonly<Partial<Record<PartName, Secret>>>,
  quoting: PutFile['quoting'],
): string | undefined {
  let isWhole = true;
  const filled = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parts[name as PartName]?.reveal();
    if (value === undefined) isWhole = false;
    // SECURITY: a quote inside of a value would end the text, and what follows would be an option of curl.
    return quoting === 'curl' ? (value ?? '').replaceAll(/["\\]/g, '\\$&') : (value ?? '');
  });
  return isWhole ? filled : undefined;
}

export function notForCommand(name: string, command: string, kind: string): SallyportError {
  return new SallyportError('CredentialNotAllowed', {
    message: `the credential \`${name}\` of kind \`${kind}\` is not for \`${command}\``,
    hint: 'docs/ssh.md lists the kinds that each command takes; `env` and `file` name theirs in `commands`',
  });
}
