import { z } from 'zod';
import type { CredentialOptions } from '../../../config/index.ts';
import { Secret } from '../../../shared/secret.ts';
import { callJson, type JsonCall, type TokenAnswer, TokenAnswerSchema } from '../http-call.ts';
import { type CredentialKind, IN_AUTHORIZATION } from '../kind.ts';
import { jsonMaterial, oneLine } from '../material.ts';
import { asBearer, basicText } from '../put.ts';

/** A token whose life the provider does not tell is asked for again after this. */
const UNTOLD_LIFE_S = 300;

const MaterialSchema = z.looseObject({
  refresh_token: z.string().min(1).max(16_384),
  client_secret: z.string().min(1).max(4_096).optional(),
});
type Material = z.infer<typeof MaterialSchema>;

/** An access token, got with a refresh token. A refresh token that the provider replaces is stored back at once. */
export const oauth2Kind: CredentialKind<'oauth2'> = {
  name: 'oauth2',
  hosts: [],
  places: IN_AUTHORIZATION,
  async prepare(material, options, context) {
    const { clock, learn } = context;
    const kept = readMaterial(material);
    learn(new Secret(kept.refresh_token));
    if (kept.client_secret !== undefined) learn(new Secret(kept.client_secret));
    const answer = await callJson(refreshCall(kept, options, context.signal));
    const token = oneLine(new Secret(answer.access_token));
    learn(new Secret(token));
    if (answer.refresh_token !== undefined && answer.refresh_token !== kept.refresh_token) {
      learn(new Secret(answer.refresh_token));
      // The old refresh token may be worthless by now: what is not stored is lost, so this comes before any use.
      await context.storeBack(changed(material, kept, answer.refresh_token));
    }
    const life = answer.expires_in ?? UNTOLD_LIFE_S;
    return { ...asBearer(token), expiresAt: clock.now() + life * 1_000 };
  },
};

/** The refresh token alone, or JSON with it. Throws `SecretUnreadable`, which holds nothing of it. */
function readMaterial(material: Secret | undefined): Material {
  if (material?.reveal().trimStart().startsWith('{') !== true) return { refresh_token: oneLine(material) };
  return jsonMaterial(material, MaterialSchema, '`{"refresh_token":"…","client_secret":"…"}`');
}

/** The material with the new refresh token in it, everything else as it was. */
function changed(material: Secret | undefined, kept: Material, refreshToken: string): Secret {
  const isJson = material?.reveal().trimStart().startsWith('{') === true;
  return new Secret(isJson ? JSON.stringify({ ...kept, refresh_token: refreshToken }) : refreshToken);
}

function refreshCall(
  { refresh_token, client_secret }: Material,
  { token_url, client_id, client_auth, scope }: CredentialOptions<'oauth2'>,
  signal: AbortSignal,
): JsonCall<TokenAnswer> {
  const inHead = client_auth === 'basic' && client_secret !== undefined;
  return {
    what: 'refreshing the token',
    method: 'POST',
    url: token_url,
    // RFC 6749, 2.3.1: both are form-encoded before they are joined.
    headers: inHead ? { authorization: basicText(formEncode(client_id), formEncode(client_secret)) } : {},
    form: {
      grant_type: 'refresh_token',
      refresh_token,
      ...(inHead ? {} : { client_id }),
      ...(inHead || client_secret === undefined ? {} : { client_secret }),
      ...(scope === undefined ? {} : { scope }),
    },
    schema: TokenAnswerSchema,
    signal,
  };
}

function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
