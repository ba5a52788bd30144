import type { AddressTarget } from '@sallyport/protocol';
import { joinWords } from './operation.ts';
import { NO_HOSTS, never, none, type TargetDefinition } from './target-definition.ts';

/** Mail and messages. */
export const addressTarget: TargetDefinition<AddressTarget> = {
  ruledBy: 'addresses',
  namesNothing: false,
  paths: never,
  namesEveryPath: true,
  namedPaths: never,
  folder: () => '',
  hosts: () => NO_HOSTS,
  // A mailbox that is read has no addresses: then it is the account's own domain that counts.
  domains: ({ addresses, account = '' }) => (addresses.length === 0 ? [account] : addresses).map(domainOf),
  addresses: ({ addresses }) => addresses,
  account: ({ account }) => account,
  repositories: never,
  missing: () => 'DomainNotAllowed',
  pattern: none,
  operations: ({ addresses, account }, { tool }) => [
    {
      operation: tool,
      object: joinWords([...(account === undefined ? [] : [account]), ...addresses].sort()),
    },
  ],
  summary: ({ addresses }) => addresses.join(', '),
};

/** What follows the last `@`: a quoted local part may contain others. */
function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
