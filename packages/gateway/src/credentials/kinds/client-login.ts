import { homedir } from 'node:os';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import type { CredentialOptions } from '../../config/index.ts';
import type { OutgoingRequest } from '../../shared/http-message.ts';
import type { Secret } from '../../shared/secret.ts';
import { type ClientLogin, readClaudeLogin, readCodexLogin } from './client-login-files.ts';
import { textOf } from './found.ts';
import { callJson, TokenAnswerSchema } from './http-call.ts';
import { type CredentialKind, type HostContext, IN_AUTHORIZATION, type PrepareContext } from './kind.ts';
import { putHeader } from './put.ts';

/** What has less than this left is refreshed, in ms; more than the broker leaves, so that it asks once. */
const MARGIN_MS = 90_000;
/** Without it the model API takes no token of a subscription. */
const OAUTH_BETA = 'oauth-2025-04-20';

type Options = CredentialOptions<'client_login'>;

interface Client {
  readonly hosts: readonly string[];
  readonly tokenUrl: string;
  /** public: the client itself sends it */
  readonly clientId: string;
  file(context: HostContext): string;
  read(material: Secret | undefined): ClientLogin;
  /** What a request needs beside the token. */
  complete(request: OutgoingRequest, login: ClientLogin): void;
}

const CLIENTS: Readonly<Record<Options['client'], Client>> = {
  'claude-code': {
    hosts: ['api.anthropic.com'],
    tokenUrl: 'https://console.anthropic.com/v1/oauth/token',
    clientId: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
    file: ({ env }) => join(env.CLAUDE_CONFIG_DIR ?? join(userHome(env), '.claude'), '.credentials.json'),
    read: readClaudeLogin,
    complete(request) {
      const sent = request.headers.filter(([name]) => name.toLowerCase() === 'anthropic-beta');
      const features = new Set(sent.flatMap(([, list]) => list.split(',').map((feature) => feature.trim())));
      features.delete('');
      putHeader(request, 'anthropic-beta', [...features.add(OAUTH_BETA)].join(','));
    },
  },
  codex: {
    hosts: ['api.openai.com', 'chatgpt.com'],
    tokenUrl: 'https://auth.openai.com/oauth/token',
    clientId: 'app_EMoamEEZ73f0CkXaXp7hrann',
    file: ({ env }) => join(env.CODEX_HOME ?? join(userHome(env), '.codex'), 'auth.json'),
    read: readCodexLogin,
    complete(request, { accountId }) {
      if (accountId !== undefined) putHeader(request, 'chatgpt-account-id', accountId);
    },
  },
};

/**
 * A person's own subscription login, as a client keeps it on this machine: read there, refreshed here and written
 * back, so that the client itself stays logged in.
 */
export const clientLogin: CredentialKind<'client_login'> = {
  name: 'client_login',
  find: ({ env, userHome: home }) =>
    Object.entries(CLIENTS).flatMap(([client, { file }]) => {
      const path = file({ env: { ...env, HOME: env.HOME ?? home }, home });
      if (textOf(path) === undefined) return [];
      // Read where it is: the client itself refreshes it there.
      return [
        { name: client, where: `the login of ${client} (${path})`, entry: { kind: 'client_login', client } },
      ];
    }),
  hosts: ({ client }) => CLIENTS[client].hosts,
  places: IN_AUTHORIZATION,
  defaultSource: (options, context) => `file:${options.file ?? CLIENTS[options.client].file(context)}`,
  async prepare(material, options, context) {
    const client = CLIENTS[options.client];
    const kept = client.read(material);
    learnAll(kept, context);
    const isOver = kept.expiresAt !== undefined && kept.expiresAt - context.clock.now() < MARGIN_MS;
    const login = isOver ? await refresh(kept, client, options, context) : kept;
    const { accessToken, refreshToken, expiresAt } = login;
    return {
      ...(expiresAt === undefined ? {} : { expiresAt }),
      value: accessToken,
      values: refreshToken === undefined ? [accessToken] : [accessToken, refreshToken],
      apply(request) {
        putHeader(request, 'authorization', `Bearer ${accessToken.reveal()}`);
        client.complete(request, login);
        return undefined;
      },
    };
  },
};

async function refresh(
  login: ClientLogin,
  client: Client,
  options: Options,
  context: PrepareContext,
): Promise<ClientLogin> {
  if (login.refreshToken === undefined) {
    throw new SallyportError('SecretUnreadable', {
      message: `the login of \`${options.client}\` is over and cannot be refreshed`,
      hint: `log in again with \`${options.client === 'codex' ? 'codex login' : 'claude'}\``,
    });
  }
  const answer = await callJson({
    what: `refreshing the login of \`${options.client}\``,
    method: 'POST',
    url: options.token_url ?? client.tokenUrl,
    json: {
      grant_type: 'refresh_token',
      refresh_token: login.refreshToken.reveal(),
      client_id: client.clientId,
    },
    schema: TokenAnswerSchema,
    signal: context.signal,
  });
  const material = login.updated(answer, context.clock.now());
  const renewed = client.read(material);
  learnAll(renewed, context);
  // The old refresh token may be worthless by now: what is not stored is lost, so this comes before any use.
  await context.storeBack(material);
  return renewed;
}

function learnAll({ accessToken, refreshToken }: ClientLogin, { learn }: PrepareContext): void {
  learn(accessToken);
  if (refreshToken !== undefined) learn(refreshToken);
}

function userHome(env: HostContext['env']): string {
  return env.HOME ?? homedir();
}
