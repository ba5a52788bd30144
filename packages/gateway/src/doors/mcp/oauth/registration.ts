import type { JsonObject } from '@sallyport/protocol';
import { z } from 'zod';
import type { ClientIds, OAuthClient } from './client-ids.ts';
import { parseRedirectUri } from './redirect-uri.ts';

const NAME_AT_MOST = 80;
const URIS_AT_MOST = 5;
const UNNAMED = 'a program without a name';
/** What cannot be seen, or turns what is beside it around. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}]/u;

const MetadataSchema = z.looseObject({
  redirect_uris: z.array(z.string()).min(1).max(20),
  client_name: z
    .string()
    .min(1)
    .max(NAME_AT_MOST)
    .refine((name) => !HIDDEN.test(name))
    .optional(),
  token_endpoint_auth_method: z.literal('none').optional(),
  grant_types: z.array(z.string()).max(10).optional(),
  response_types: z.array(z.string()).max(10).optional(),
});

export type Registration =
  | { readonly kind: 'registered'; readonly client: OAuthClient; readonly answer: JsonObject }
  | { readonly kind: 'refused'; readonly error: string; readonly description: string };

/** What a program says about itself (RFC 7591). It gives no rights: with it, people can be asked. */
export function register(metadata: unknown, ids: Pick<ClientIds, 'issue'>): Registration {
  const parsed = MetadataSchema.safeParse(metadata);
  if (!parsed.success) {
    const [field = 'body'] = parsed.error.issues[0]?.path ?? [];
    if (field === 'redirect_uris') return refused('invalid_redirect_uri', '`redirect_uris` is not a list');
    return refused('invalid_client_metadata', `\`${String(field)}\` is not taken: public clients only`);
  }
  const { data } = parsed;
  // A list may have others besides: the answer says which of them are registered.
  const uris = [...new Set(data.redirect_uris)].filter((uri) => parseRedirectUri(uri) !== undefined);
  if (uris.length === 0 || uris.length > URIS_AT_MOST)
    return refused('invalid_redirect_uri', 'an address is `http://127.0.0.1:PORT/…`, `[::1]` or `localhost`');
  if (data.grant_types?.includes('authorization_code') === false)
    return refused('invalid_client_metadata', '`grant_types` has no `authorization_code`');
  if (data.response_types?.includes('code') === false)
    return refused('invalid_client_metadata', '`response_types` has no `code`');
  const client = ids.issue(data.client_name ?? UNNAMED, uris);
  return {
    kind: 'registered',
    client,
    answer: {
      client_id: client.id,
      client_name: client.name,
      redirect_uris: uris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  };
}

function refused(error: string, description: string): Registration {
  return { kind: 'refused', error, description };
}
