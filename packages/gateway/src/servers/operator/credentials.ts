import {
  type Credential,
  CredentialSchema,
  CredentialSelectionSchema,
  listOf,
  NameSchema,
} from '@sallyport/protocol';
import { z } from 'zod';
import type { CredentialBroker, CredentialState } from '../../credentials/index.ts';
import type { App } from '../base-app.ts';
import { operatorOf } from '../wire.ts';

type Credentials = Pick<CredentialBroker, 'list' | 'check' | 'refresh'>;

/** Credentials as the operator sees them: names, kinds, places and what is wrong; never a value. */
export function credentialsRoutes(app: App, credentials: Credentials): void {
  app.get(
    '/v1/credentials',
    {
      schema: {
        summary: 'Credentials of every tenant, never their values',
        querystring: z.strictObject({ tenant: NameSchema.optional() }),
        response: { 200: listOf(CredentialSchema) },
      },
    },
    async (request) => listed(credentials.list(request.query)),
  );

  app.post(
    '/v1/credentials/check',
    {
      schema: {
        summary: 'Read each credential from its source now, and say how that went',
        body: CredentialSelectionSchema,
        response: { 200: listOf(CredentialSchema) },
      },
    },
    async (request) => listed(await credentials.check(request.body, operatorOf(request))),
  );

  app.post(
    '/v1/credentials/refresh',
    {
      schema: {
        summary:
          'Forget what was read of each credential, also what is lent and not sent yet, and read it anew',
        body: CredentialSelectionSchema,
        response: { 200: listOf(CredentialSchema) },
      },
    },
    async (request) => listed(await credentials.refresh(request.body, operatorOf(request))),
  );
}

function listed(states: readonly CredentialState[]): { items: Credential[]; next_cursor: null } {
  return { items: states.map(toWire), next_cursor: null };
}

function toWire({ tenant, facts, source, isCached, failure }: CredentialState): Credential {
  return {
    tenant,
    name: facts.name,
    kind: facts.kind,
    source: source ?? null,
    hosts: [...facts.hosts],
    risk: facts.risk ?? null,
    state: failure !== undefined ? 'failed' : isCached ? 'ready' : 'unread',
    problem: failure === undefined ? null : { message: failure.message, hint: failure.hint ?? null },
  };
}
