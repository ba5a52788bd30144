import { Secret } from '../../shared/secret.ts';
import type { PreparedCredential } from './kind.ts';
import { putHeader } from './put.ts';

/** A credential that is one text, sent in one header. */
export function inHeader(value: string, header: string, text: string = value): PreparedCredential {
  const secret = new Secret(value);
  return {
    value: secret,
    values: [secret],
    apply(request) {
      putHeader(request, header, text);
      return undefined;
    },
  };
}

/** `Authorization: Bearer …`. */
export function asBearer(value: string): PreparedCredential {
  return inHeader(value, 'authorization', `Bearer ${value}`);
}

/** `user:password` as Basic authentication writes it. */
export function basicText(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
