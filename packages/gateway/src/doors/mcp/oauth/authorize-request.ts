import { NameSchema } from '@sallyport/protocol';
import type { ClientIds, OAuthClient } from './client-ids.ts';
import { resourceOf } from './metadata.ts';
import { parseParameters } from './oauth-messages.ts';
import { matchesRedirectUri, parseRedirectUri } from './redirect-uri.ts';

/** What a program asks for, checked. */
export interface AuthorizeRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  /** scheme and host that the program knows us by */
  readonly issuer: string;
  readonly resource: string;
  /** SHA-256 of the verifier, base64url */
  readonly challenge: string;
  readonly state: string | undefined;
  /** as whom; undefined: the tenant's default agent */
  readonly agent: string | undefined;
}

export type ParsedAuthorize =
  | { readonly kind: 'request'; readonly request: AuthorizeRequest }
  /** SECURITY: told to the person, never sent on: where to is not known [no open redirect] */
  | { readonly kind: 'untold'; readonly problem: string }
  /** told to the program, at the address that it registered */
  | {
      readonly kind: 'told';
      readonly to: string;
      readonly state: string | undefined;
      readonly error: string;
      readonly description: string;
      readonly client: OAuthClient;
    };

const STATE = /^[\x20-\x7e]{1,512}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const AGENT_SCOPE = 'agent:';

/** Reads the query of `/oauth/authorize`. `base` is what the request's own Host header names. */
export function parseAuthorize(
  query: string,
  base: string,
  clients: Pick<ClientIds, 'read'>,
): ParsedAuthorize {
  const parameters = parseParameters(query);
  if (parameters === undefined) return untold('a parameter was sent twice, or there are too many');
  const client = clients.read(parameters.get('client_id') ?? '');
  if (client === undefined) return untold('this program is not registered here');
  const asked = parseRedirectUri(parameters.get('redirect_uri') ?? '');
  if (asked === undefined || !client.redirectUris.some((uri) => matchesRedirectUri(uri, asked)))
    return untold('the program did not register the address that it wants the answer at');

  const state = parameters.get('state');
  if (state !== undefined && !STATE.test(state)) return untold('`state` is too long, or not plain text');
  const told = (error: string, description: string): ParsedAuthorize => ({
    ...{ kind: 'told', to: asked.text, state, error, description, client },
  });
  if (parameters.get('response_type') !== 'code')
    return told('unsupported_response_type', '`response_type` is `code`');
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    return told('invalid_request', '`response_mode` is `query`');
  if (parameters.has('request') || parameters.has('request_uri'))
    return told('request_not_supported', 'parameters are sent as they are');
  const challenge = parameters.get('code_challenge') ?? '';
  if (parameters.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    return told('invalid_request', 'PKCE with `S256` is needed');
  const resource = resourceOf(base);
  if (parameters.get('resource') !== resource)
    return told('invalid_target', '`resource` is the address of the MCP door');
  const scope = parseScope(parameters.get('scope') ?? '');
  if (scope === undefined) return told('invalid_scope', 'the one scope there is is `agent:NAME`');
  return {
    kind: 'request',
    request: {
      ...{ client, redirectUri: asked.text, issuer: base, resource, challenge, state },
      agent: scope.agent,
    },
  };
}

/** `agent:NAME` once, or nothing. */
function parseScope(scope: string): { readonly agent: string | undefined } | undefined {
  if (scope === '') return { agent: undefined };
  if (!scope.startsWith(AGENT_SCOPE)) return undefined;
  const name = NameSchema.safeParse(scope.slice(AGENT_SCOPE.length));
  return name.success ? { agent: name.data } : undefined;
}

function untold(problem: string): ParsedAuthorize {
  return { kind: 'untold', problem };
}
