import type { JsonObject } from '@sallyport/protocol';

/** The one resource that tokens are for. `base` is the scheme and host that the client itself used. */
export function resourceOf(base: string): string {
  return `${base}/mcp`;
}

/** RFC 9728: who gives tokens for the MCP door. */
export function protectedResource(base: string): JsonObject {
  return {
    resource: resourceOf(base),
    authorization_servers: [base],
    bearer_methods_supported: ['header'],
    resource_name: 'Sallyport',
  };
}

/** RFC 8414: how a token is asked for. */
export function authorizationServer(base: string): JsonObject {
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    registration_endpoint: `${base}/oauth/register`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}
