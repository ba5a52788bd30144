import type { JsonObject } from '@sallyport/protocol';
import type { Secret } from '../../../shared/secret.ts';

/** parameters of one message */
const COUNT_AT_MOST = 32;

/**
 * Parameters of a query or a form; undefined when one comes twice (which of the two counts, nobody can say) or when
 * there are too many.
 */
export function parseParameters(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name) || parameters.size >= COUNT_AT_MOST) return undefined;
    parameters.set(name, value);
  }
  return parameters;
}

/** What a route of this door sends; secrets are shown by the route, once. */
export type OAuthAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: JsonObject }
  | { readonly kind: 'page'; readonly status: number; readonly html: string }
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly parameters: Readonly<Record<string, string>>;
      readonly code?: Secret;
    }
  | {
      readonly kind: 'tokens';
      readonly access: Secret;
      readonly refresh: Secret;
      readonly expiresInSeconds: number;
      readonly scope: string;
    };

/** An error as RFC 6749 and RFC 7591 write it. */
export function oauthError(error: string, description: string, status = 400): OAuthAnswer {
  return { kind: 'json', status, body: { error, error_description: description } };
}
