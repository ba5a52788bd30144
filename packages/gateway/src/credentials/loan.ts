import { SallyportError } from '@sallyport/protocol';
import { LOOPBACK } from '../shared/host.ts';
import type { OutgoingRequest } from '../shared/http-message.ts';
import type { Secret } from '../shared/secret.ts';
import type { LendRequest, Loan } from './broker.ts';
import type { PreparedCredential } from './kinds/kind.ts';
import { putHeader } from './kinds/put.ts';
import type { CredentialSlot } from './slot.ts';

/** Makes the loan of a credential that is ready, for one request. `isCurrent`: whether it would still be lent now. */
export function createLoan(
  slot: CredentialSlot,
  prepared: PreparedCredential,
  ask: LendRequest,
  isCurrent: () => boolean,
): Loan {
  const { epoch } = slot;
  const { inject } = ask;
  const { value } = prepared;
  const sent: Secret[] = [];
  const checkAlive = (): void => {
    // SECURITY: a credential that was revoked or rotated after it was lent does not leave any more.
    if (slot.epoch === epoch && isCurrent()) return;
    throw new SallyportError('CredentialUnavailable', {
      message: `the credential \`${ask.name}\` was changed meanwhile`,
      hint: 'send the request again',
    });
  };
  return {
    credential: ask.name,
    isSigned: inject === undefined && prepared.isSigned === true,
    values: () => [...prepared.values, ...sent],
    needsWholeBody: (request) => inject === undefined && (prepared.needsWholeBody?.(request) ?? false),
    apply(request) {
      checkAlive();
      checkDestination(slot, request, ask);
      if (inject === undefined) return prepared.apply(request, (derived) => void sent.push(derived));
      if (value === undefined) throw noSingleValue(ask.name);
      const text = value.reveal();
      putHeader(
        request,
        inject.header.toLowerCase(),
        inject.format.replaceAll('{value}', () => text),
      );
      return undefined;
    },
    ...(value === undefined
      ? {}
      : {
          placeholderValue(request: OutgoingRequest) {
            checkAlive();
            checkDestination(slot, request, ask);
            return value;
          },
        }),
  };
}

/** SECURITY: what was asked for is what it is used for, whoever wrote the request in between. */
function checkDestination(slot: CredentialSlot, request: OutgoingRequest, ask: LendRequest): void {
  if (request.host !== ask.host || request.tenant !== ask.tenant) {
    throw new SallyportError('CredentialNotAllowed', {
      message: `the credential \`${ask.name}\` was lent for another host`,
    });
  }
  const mayBePlain = 'plain_http' in slot.config && slot.config.plain_http;
  if (request.scheme === 'http' && !mayBePlain && !LOOPBACK.test(request.host)) {
    throw new SallyportError('CredentialNotAllowed', {
      message: `the credential \`${ask.name}\` is not sent over \`http://\`, where everyone on the way can read it`,
      hint: 'use `https://`; the operator may set `plain_http` of the credential',
    });
  }
}

function noSingleValue(name: string): SallyportError {
  return new SallyportError('CredentialUnavailable', {
    message: `the credential \`${name}\` is no single value that a header could carry`,
    hint: 'the operator removes `inject` from the route',
  });
}
