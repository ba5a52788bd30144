import type { Action, ArgumentTarget, ErrorCode, Opinion, Target } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import { parseHost } from '../../shared/host.ts';
import { domainsOf, factsOf, lineOf, pathsOf } from '../../targets/index.ts';
import type { Capability } from '../policy/compiled-policy.ts';
import { isSearch } from '../rules/patterns/tool-table.ts';
import { isInside } from './facts.ts';
import { deny } from './layer.ts';
import { checkSubcommands } from './subcommand.ts';

/** What one capability objects to. A fact that it limits and that is not there is an objection. */
export function checkCapability(capability: Capability, { tool, target }: Action): Opinion | undefined {
  const { target: wanted } = capability;
  // A tool without an address of its own names none: what it does name is held all the same.
  if (wanted === 'none') return checkTarget(capability, target, true);
  if (wanted === undefined) {
    // SECURITY: arguments that other capabilities name may be some of those that count here, not all.
    const own = target.named === undefined ? target : { ...target, named: [] };
    return checkTarget(capability, own, isSearch(tool));
  }
  const argument = target.named?.find(({ arg, kind }) => arg === wanted.arg && kind === wanted.kind)?.target;
  // SECURITY: an argument that nobody looked for is as good as absent.
  if (argument === undefined)
    return deny('boundary', codeOf(wanted.kind), `the argument \`${wanted.arg}\` is missing`, capability);
  if (argument.problem !== undefined) {
    const { code, message } = argument.problem;
    const isNamed = code !== 'MissingArgument' && code !== 'Malformed';
    return deny('boundary', isNamed ? code : codeOf(wanted.kind), message, capability);
  }
  const found = checkTarget(capability, argument, false);
  if (found !== undefined || factsOf(target).namesNothing) return found;
  // What is built in for a tool stays in force beside the argument that the config names.
  return checkTarget(capability, target, false);
}

function checkTarget(capability: Capability, target: Target, mayNameNoHost: boolean): Opinion | undefined {
  return (
    checkPaths(capability, target) ??
    checkAccount(capability, target) ??
    checkDomains(capability, target, mayNameNoHost) ??
    checkCommands(capability, target)
  );
}

/** The violation of an argument that is absent or cannot be read. */
function codeOf(kind: ArgumentTarget['kind']): ErrorCode {
  switch (kind) {
    case 'path':
      return 'PathOutsideBoundary';
    case 'url':
    case 'domain':
    case 'address':
      return 'DomainNotAllowed';
    case 'command':
      return 'CommandNotAllowed';
    default:
      return assertNever(kind);
  }
}

function checkPaths(capability: Capability, target: Target): Opinion | undefined {
  const { paths: folders } = capability;
  if (folders === undefined) return undefined;
  // SECURITY: where not every path is known, those that are prove nothing.
  const paths = factsOf(target).namesEveryPath ? pathsOf(target) : [];
  if (paths.length === 0)
    return deny('boundary', 'PathOutsideBoundary', 'the call names no path', capability);
  for (const path of paths) {
    if (!folders.some((folder) => isInside(path.real, folder)))
      return deny(
        'boundary',
        'PathOutsideBoundary',
        `\`${path.given}\` leads outside the allowed folders`,
        capability,
      );
  }
  return undefined;
}

function checkAccount(capability: Capability, target: Target): Opinion | undefined {
  const { accounts } = capability;
  if (accounts === undefined) return undefined;
  const account = factsOf(target).account(target);
  if (account === undefined)
    return deny('boundary', 'DomainNotAllowed', 'the call names no account', capability);
  if (accounts.has(account.toLowerCase())) return undefined;
  return deny('boundary', 'DomainNotAllowed', `\`${account}\` is not an allowed account`, capability);
}

function checkDomains(capability: Capability, target: Target, mayNameNoHost: boolean): Opinion | undefined {
  const { domains } = capability;
  if (domains === undefined) return undefined;
  const known = domainsOf(target);
  const hosts = known ?? [];
  if (mayNameNoHost && known?.length === 0) return undefined;
  if (hosts.length === 0) return deny('boundary', 'DomainNotAllowed', 'the call names no host', capability);
  for (const host of hosts) {
    const parsed = parseHost(host);
    if (parsed === undefined || !domains.has(parsed.text))
      return deny('boundary', 'DomainNotAllowed', `\`${host}\` is not an allowed host`, capability);
  }
  return undefined;
}

function checkCommands(capability: Capability, target: Target): Opinion | undefined {
  if (capability.subcommands === undefined) return undefined;
  const line = lineOf(target);
  if (line === undefined)
    return deny('boundary', 'CommandNotAllowed', 'the call names no command', capability);
  return checkSubcommands(capability.subcommands, line);
}
