import { z } from 'zod';
import { Secret } from '../../shared/secret.ts';
import type { TokenAnswer } from './http-call.ts';
import { jsonMaterial, wrong } from './material.ts';

/** A login as a client keeps it. */
export interface ClientLogin {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret;
  /** ms since epoch; undefined: it never expires */
  readonly expiresAt?: number;
  /** account that a request must name beside the token */
  readonly accountId?: string;
  /** The file with what a refresh gave; everything else in it stays. */
  updated(answer: TokenAnswer, now: number): Secret;
}

const token = z.string().regex(/^[\x21-\x7e]{1,16384}$/);
const ClaudeFile = z.looseObject({
  claudeAiOauth: z.looseObject({
    accessToken: token,
    refreshToken: token.optional(),
    expiresAt: z.number().optional(),
  }),
});
const CodexFile = z.looseObject({
  OPENAI_API_KEY: token.nullish(),
  tokens: z
    .looseObject({
      access_token: token,
      refresh_token: token.optional(),
      account_id: z
        .string()
        .regex(/^[\x21-\x7e]{1,200}$/)
        .optional(),
    })
    .nullish(),
});

/** `~/.claude/.credentials.json`. */
export function readClaudeLogin(material: Secret | undefined): ClientLogin {
  const file = jsonMaterial(material, ClaudeFile, "Claude Code's `.credentials.json`");
  const { accessToken, refreshToken, expiresAt } = file.claudeAiOauth;
  return {
    accessToken: new Secret(accessToken),
    ...(refreshToken === undefined ? {} : { refreshToken: new Secret(refreshToken) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    updated: (answer, now) =>
      new Secret(
        JSON.stringify({
          ...file,
          claudeAiOauth: {
            ...file.claudeAiOauth,
            accessToken: answer.access_token,
            refreshToken: answer.refresh_token ?? refreshToken,
            ...(answer.expires_in === undefined ? {} : { expiresAt: now + answer.expires_in * 1000 }),
          },
        }),
      ),
  };
}

/** `~/.codex/auth.json`: a login, or an API key. */
export function readCodexLogin(material: Secret | undefined): ClientLogin {
  const file = jsonMaterial(material, CodexFile, "Codex's `auth.json`");
  const { tokens } = file;
  if (tokens === undefined || tokens === null) {
    const key = file.OPENAI_API_KEY;
    if (key === undefined || key === null) throw wrong('has neither a login nor an API key');
    return { accessToken: new Secret(key), updated: () => new Secret(JSON.stringify(file)) };
  }
  const expiresAt = jwtExpiry(tokens.access_token);
  return {
    accessToken: new Secret(tokens.access_token),
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: new Secret(tokens.refresh_token) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(tokens.account_id === undefined ? {} : { accountId: tokens.account_id }),
    updated: (answer, now) =>
      new Secret(
        JSON.stringify({
          ...file,
          tokens: {
            ...tokens,
            access_token: answer.access_token,
            refresh_token: answer.refresh_token ?? tokens.refresh_token,
            ...(answer.id_token === undefined ? {} : { id_token: answer.id_token }),
          },
          last_refresh: new Date(now).toISOString(),
        }),
      ),
  };
}

/** When a token says that it expires. Nothing is believed but the time: who checks it is upstream. */
function jwtExpiry(text: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const parsed = z.object({ exp: z.number() }).safeParse(claims);
    return parsed.success ? parsed.data.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
