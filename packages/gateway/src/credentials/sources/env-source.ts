import { SallyportError } from '@sallyport/protocol';
import type { Variables } from '../../config/index.ts';
import { Secret } from '../../shared/secret.ts';
import type { SecretSource } from './secret-source.ts';

/** `env:NAME`: a variable of the gateway's own environment. */
export function createEnvSource(env: Variables): SecretSource {
  return {
    scheme: 'env',
    async read(name) {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value !== undefined && value !== '') return new Secret(value);
      throw new SallyportError('SecretUnreadable', {
        message: `variable \`${name}\` is ${value === undefined ? 'not set' : 'empty'}`,
        hint: `set \`${name}\` in the environment of the gateway`,
      });
    },
  };
}
