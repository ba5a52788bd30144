import { SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import { Secret } from '../../shared/secret.ts';
import { callJson } from '../kinds/http-call.ts';
import { checkKey, type SecretSource } from './secret-source.ts';
import { VaultLogin, type VaultLoginOptions, vaultHeaders } from './vault-login.ts';

const FIELD = /^[A-Za-z0-9_.-]{1,128}$/;
const ReadAnswer = z.object({
  data: z.object({ data: z.record(z.string(), z.unknown()), metadata: z.object({ version: z.number() }) }),
});
const WriteAnswer = z.object({ data: z.object({ version: z.number() }) });
type Fields = Readonly<Record<string, unknown>>;

/**
 * `vault:mount/path#field`: HashiCorp Vault or OpenBao, KV version 2.
 *
 * Without a field it is the only one, or all of them as a JSON object.
 */
export function createVaultSource(scheme: string, options: VaultLoginOptions): SecretSource {
  const { config, ca } = options;
  const login = new VaultLogin(options);

  async function call<Answer>(
    key: string,
    schema: z.ZodType<Answer>,
    signal: AbortSignal,
    json?: object,
  ): Promise<Answer> {
    const once = async (): Promise<Answer> =>
      callJson({
        what: `${json === undefined ? 'reading from' : 'writing to'} Vault`,
        method: json === undefined ? 'GET' : 'POST',
        url: urlOf(config.address, config.mount, key),
        headers: vaultHeaders(config, await login.token(signal)),
        ...(json === undefined ? {} : { json }),
        schema,
        signal,
        ...(ca === undefined ? {} : { ca }),
      });
    try {
      return await once();
    } catch (error) {
      // The token may have been revoked or have run out since: logging in again tells.
      if (!(error instanceof SallyportError) || error.details?.status !== 403) throw error;
      login.forget();
      return once();
    }
  }

  return {
    scheme,
    async read(reference, signal) {
      const { key, field } = parse(reference);
      const answer = await call(key, ReadAnswer, signal);
      return readField(answer.data.data, field);
    },
    async write(reference, value, signal) {
      const { key, field } = parse(reference);
      const { data } = await call(key, ReadAnswer, signal);
      const changed = withValue(data.data, field, value);
      // Somebody else may have written meanwhile: then theirs stays and this fails.
      await call(key, WriteAnswer, signal, { data: changed, options: { cas: data.metadata.version } });
    },
  };
}

function parse(reference: string): { readonly key: string; readonly field: string | undefined } {
  const [path = '', field, ...more] = reference.split('#');
  const key = checkKey(path.replace(/^\/+/, ''));
  if (more.length > 0 || (field !== undefined && !FIELD.test(field))) {
    throw unreadable('the field after `#` is not a name');
  }
  return { key, field };
}

function urlOf(address: string, mount: string | undefined, key: string): string {
  const words = key.split('/').map(encodeURIComponent);
  const [first = '', ...rest] = words;
  const path = mount === undefined ? `${first}/data/${rest.join('/')}` : `${mount}/data/${words.join('/')}`;
  return `${address.replace(/\/+$/, '')}/v1/${path}`;
}

function readField(fields: Fields, field: string | undefined): Secret {
  const names = Object.keys(fields);
  if (names.length === 0) throw unreadable('there is nothing under this key');
  if (field !== undefined && !Object.hasOwn(fields, field))
    throw unreadable(`there is no field \`${field}\``);
  const only = field ?? (names.length === 1 ? names[0] : undefined);
  if (only === undefined) return new Secret(JSON.stringify(fields));
  const value = fields[only];
  if (typeof value === 'string' && value.trim() !== '') return new Secret(value);
  if (typeof value === 'object' && value !== null) return new Secret(JSON.stringify(value));
  throw unreadable(`the field \`${only}\` is empty or no text`);
}

function withValue(fields: Fields, field: string | undefined, value: Secret): Fields {
  const names = Object.keys(fields);
  const only = field ?? (names.length === 1 ? names[0] : undefined);
  if (only !== undefined) return { ...fields, [only]: value.reveal() };
  // All fields were read as one object, and come back as one.
  return z.record(z.string(), z.unknown()).parse(JSON.parse(value.reveal()));
}

function unreadable(message: string): SallyportError {
  return new SallyportError('SecretUnreadable', { message });
}
