import { z } from 'zod';
import type { OutgoingRequest } from '../../shared/http-message.ts';
import { Secret } from '../../shared/secret.ts';
import { findGithub, findTokens } from './found.ts';
import { type CredentialKind, IN_AUTHORIZATION, type KindPlaces, type PreparedCredential } from './kind.ts';
import { jsonMaterial, oneLine, wrong } from './material.ts';
import { asBearer, basicText, inHeader, putHeader, putQuery } from './put.ts';

const DatadogKeys = z.object({ api_key: z.string().min(1), app_key: z.string().min(1) });

/**
 * Programs that hold a token send it in a header of their provider's own: Anthropic's, Azure's and Google's libraries,
 * GitLab's clients. Each is an auth header, as `Authorization` is.
 */
const TOKEN_PLACES: KindPlaces = {
  headers: ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'private-token'],
};

export const bearer: CredentialKind<'bearer'> = {
  name: 'bearer',
  hosts: [],
  places: TOKEN_PLACES,
  find: findTokens,
  prepare: (material) => asBearer(oneLine(material)),
};

export const header: CredentialKind<'header'> = {
  name: 'header',
  hosts: [],
  places: ({ name }) => ({ headers: [name.toLowerCase()] }),
  prepare(material, { name, format }) {
    const value = oneLine(material);
    // A function, because `$&` in a value means something to `replaceAll`.
    return inHeader(
      value,
      name.toLowerCase(),
      format.replaceAll('{value}', () => value),
    );
  },
};

export const query: CredentialKind<'query'> = {
  name: 'query',
  hosts: [],
  places: ({ param }) => ({ headers: [], query: [param] }),
  prepare(material, { param }) {
    const value = oneLine(material);
    const secret = new Secret(value);
    return {
      value: secret,
      values: [secret],
      apply(request) {
        putQuery(request, param, value);
        return undefined;
      },
    };
  },
};

export const basic: CredentialKind<'basic'> = {
  name: 'basic',
  hosts: [],
  places: IN_AUTHORIZATION,
  prepare(material, { user: fixed }, { learn }) {
    const text = oneLine(material);
    const colon = text.indexOf(':');
    if (fixed === undefined && colon === -1) throw wrong('is not `user:password`');
    const user = fixed ?? text.slice(0, colon);
    const password = fixed === undefined ? text.slice(colon + 1) : text;
    if (password === '') throw wrong('has an empty password');
    return withBasic(user, password, learn);
  },
};

/** Sent as Basic authentication; the one value, for placeholders, is the password. */
function withBasic(user: string, password: string, learn: (secret: Secret) => void): PreparedCredential {
  const text = basicText(user, password);
  const secret = new Secret(password);
  const encoded = new Secret(text.slice('Basic '.length));
  learn(secret);
  learn(encoded);
  const parts = { user: new Secret(user), password: secret, token: secret };
  return { ...inHeader(password, 'authorization', text), values: [secret, encoded], parts };
}

const GIT_PATH = /\/(?:info\/refs|git-(?:upload|receive)-pack|info\/lfs(?:\/.*)?)$/;

export const GITHUB_HOSTS = [
  'api.github.com',
  'github.com',
  'uploads.github.com',
  'raw.githubusercontent.com',
  'codeload.github.com',
] as const;

export const githubPat: CredentialKind<'github_pat'> = {
  name: 'github_pat',
  hosts: GITHUB_HOSTS,
  places: IN_AUTHORIZATION,
  find: findGithub,
  prepare: (material, _options, { learn }) => asGithubToken(oneLine(material), learn),
};

/** A token of GitHub, whoever it stands for. */
export function asGithubToken(token: string, learn: (secret: Secret) => void): PreparedCredential {
  const api = asBearer(token);
  const git = withBasic('x-access-token', token, learn);
  return {
    ...git,
    apply: (request, sent) => (isGit(request) ? git : api).apply(request, sent),
  };
}

/** Git over HTTPS wants Basic; the API, also that of an Enterprise server under `/api/`, a bearer token. */
function isGit({ host, target }: OutgoingRequest): boolean {
  const path = target.split('?', 1)[0] ?? '';
  return !host.startsWith('api.') && !path.startsWith('/api/') && GIT_PATH.test(path);
}

export const linear: CredentialKind<'linear'> = {
  name: 'linear',
  hosts: ['api.linear.app', 'uploads.linear.app'],
  places: IN_AUTHORIZATION,
  prepare(material) {
    const key = oneLine(material);
    // A personal key is sent as it is; only tokens of the OAuth flow have a scheme before them.
    return key.startsWith('lin_oauth_') ? asBearer(key) : inHeader(key, 'authorization');
  },
};

export const slack: CredentialKind<'slack'> = {
  name: 'slack',
  hosts: ['slack.com', 'files.slack.com', 'api.slack.com'],
  places: IN_AUTHORIZATION,
  prepare: (material) => asBearer(oneLine(material)),
};

export const datadog: CredentialKind<'datadog'> = {
  name: 'datadog',
  hosts: ['*.datadoghq.com', '*.datadoghq.eu', '*.ddog-gov.com'],
  places: { headers: ['dd-api-key', 'dd-application-key'], namesOnly: true },
  prepare(material, _options, { learn }) {
    const keys = jsonMaterial(material, DatadogKeys, '`{"api_key":"…","app_key":"…"}`');
    const apiKey = new Secret(oneLine(new Secret(keys.api_key)));
    const appKey = new Secret(oneLine(new Secret(keys.app_key)));
    learn(apiKey);
    learn(appKey);
    return {
      values: [apiKey, appKey],
      parts: { api_key: apiKey, app_key: appKey },
      apply(request) {
        putHeader(request, 'dd-api-key', apiKey.reveal());
        putHeader(request, 'dd-application-key', appKey.reveal());
        return undefined;
      },
    };
  },
};
