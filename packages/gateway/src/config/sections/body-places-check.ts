import type { ConfigProblem } from '../config-check.ts';
import type { Config } from '../schema.ts';

/** `in: [body]` and the fields that it means come together: one without the other would do nothing. */
export function checkBodyPlaces(config: Config): readonly ConfigProblem[] {
  return Object.entries(config.tenants).flatMap(([tenant, { credentials }]) =>
    Object.entries(credentials).flatMap(([name, credential]): ConfigProblem[] => {
      if (!('in' in credential)) return [];
      const [says, names] = [credential.in.includes('body'), credential.body.length > 0];
      if (says === names) return [];
      const at = ['tenants', tenant, 'credentials', name];
      return [
        says
          ? {
              severity: 'error',
              path: [...at, 'in'],
              message: '`in: [body]` does not say in which bodies and fields',
              hint: 'add `body: [{ content_type: application/x-www-form-urlencoded, fields: [client_secret] }]`',
            }
          : {
              severity: 'error',
              path: [...at, 'body'],
              message: 'these fields mean nothing without `in: [body]`',
              hint: 'add `in: [body]`, or remove `body`',
            },
      ];
    }),
  );
}
