import { describe, expect, test } from 'vitest';
import { checkRoutes } from '../checks/routes.ts';
import { ConfigSchema } from './schema.ts';

const route = (over: object) => ({ routes: [{ host: 'api.example.com', credential: 'github', ...over }] });

describe('routes', () => {
  test.each([
    ['a host', {}],
    ['all hosts below one', { host: '*.example.com' }],
    ['port and path', { port: 8443, path: '/repos/**' }],
    ['a way to put it in', { inject: { header: 'Authorization', format: 'Bearer {value}' } }],
    ['a header alone', { inject: { header: 'X-Key' } }],
  ])('may name %s', (_what, over) => {
    expect(ConfigSchema.safeParse(route(over)).success).toBe(true);
  });

  test.each([
    ['no host', { host: '' }],
    ['any host', { host: '*' }],
    ['a URL', { host: 'https://api.example.com' }],
    ['a port in the host', { host: 'api.example.com:443' }],
    ['a path without slash', { path: 'repos' }],
    ['a format without value', { inject: { header: 'X', format: 'Bearer' } }],
    ['a format that breaks the line', { inject: { header: 'X', format: 'a\r\nEvil: {value}' } }],
    ['a header that frames the message', { inject: { header: 'Transfer-Encoding' } }],
    ['the Host header', { inject: { header: 'host' } }],
    ['a header of proxies', { inject: { header: 'Proxy-Authorization' } }],
    ['a name that is no header', { inject: { header: 'X Y' } }],
    ['no credential', { credential: '' }],
    ['a key that nobody knows', { creds: 'x' }],
  ])('cannot name %s', (_what, over) => {
    expect(ConfigSchema.safeParse(route(over)).success).toBe(false);
  });

  test('that name an unknown credential are errors, with what was meant', () => {
    const config = ConfigSchema.parse({
      routes: [{ host: 'a.example', credential: 'githb' }],
      tenants: {
        one: {
          credentials: { github: { kind: 'bearer', source: 'env:X', hosts: ['a.example'] } },
          routes: [{ host: 'a.example', credential: 'github' }],
        },
        two: { routes: [{ host: 'a.example', credential: 'github' }] },
      },
    });
    expect(checkRoutes(config).map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['routes.0.credential', 'there is no credential `githb`'],
      ['tenants.two.routes.0.credential', 'there is no credential `github`'],
    ]);
    expect(checkRoutes(config)[0]?.hint).toContain('github');
  });
});

describe('what is stripped, passed and kept', () => {
  test.each([
    ['tunnel of any host', { tunnel: ['*'] }],
    ['pass_auth of any host', { pass_auth: ['*'] }],
    ['a header that frames', { strip_headers: ['Content-Length'] }],
    ['a preview beyond a MiB', { preview_body_bytes: 2_000_000 }],
    ['a negative spool', { max_spool_bytes: -1 }],
  ])('refuses %s', (_what, network) => {
    expect(ConfigSchema.safeParse({ network }).success).toBe(false);
  });
});
