import { describe, expect, test } from 'vitest';
import { matchesRedirectUri, parseRedirectUri } from './redirect-uri.ts';

describe('[AP-8] an answer goes to a port of this machine, or nowhere', () => {
  test.each([
    { uri: 'http://127.0.0.1:4711/callback', taken: true, why: 'IPv4' },
    { uri: 'http://[::1]:4711/callback', taken: true, why: 'IPv6' },
    { uri: 'http://localhost:4711/callback', taken: true, why: 'the name' },
    { uri: 'http://127.0.0.1/', taken: true, why: 'no port' },
    { uri: 'http://127.0.0.1:4711/cb?x=1', taken: true, why: 'a query' },
    { uri: 'https://evil.example/callback', taken: false, why: 'another host' },
    { uri: 'http://evil.example/callback', taken: false, why: 'another host in the clear' },
    { uri: 'https://127.0.0.1:4711/callback', taken: false, why: 'another scheme' },
    { uri: 'http://127.0.0.1.evil.example/callback', taken: false, why: 'a longer name' },
    { uri: 'http://localhost.evil.example/', taken: false, why: 'a longer name after localhost' },
    { uri: 'http://127.0.0.1@evil.example/callback', taken: false, why: 'a host as user info' },
    { uri: 'http://127.0.0.1:4711@evil.example/', taken: false, why: 'host and port as user info' },
    { uri: 'http://user@127.0.0.1:4711/', taken: false, why: 'user info' },
    { uri: 'http://127.0.0.1:4711\\@evil.example/', taken: false, why: 'a backslash' },
    { uri: 'http://127.0.0.1%2eevil.example/', taken: false, why: 'an encoded dot' },
    { uri: 'http://%6cocalhost:4711/', taken: false, why: 'an encoded host' },
    { uri: 'http://127.0.0.1:4711/callback#x', taken: false, why: 'a fragment' },
    { uri: 'http://127.0.0.1:99999/', taken: false, why: 'no port of this world' },
    { uri: 'http://127.0.0.1:0/', taken: false, why: 'port 0' },
    { uri: 'http://127.1:4711/', taken: false, why: 'a short address' },
    { uri: 'http://2130706433:4711/', taken: false, why: 'a number' },
    { uri: 'http://0.0.0.0:4711/', taken: false, why: 'every address' },
    { uri: 'http://127.0.0.2:4711/', taken: false, why: 'another loopback address' },
    { uri: 'http://[::ffff:127.0.0.1]:4711/', taken: false, why: 'IPv4 in IPv6' },
    { uri: 'HTTP://127.0.0.1:4711/', taken: false, why: 'capitals' },
    { uri: 'http://127.0.0.1:4711', taken: true, why: 'no path' },
    { uri: '//127.0.0.1:4711/', taken: false, why: 'no scheme' },
    { uri: 'javascript:alert(1)', taken: false, why: 'a script' },
    { uri: 'cursor://callback', taken: false, why: 'an application' },
    { uri: 'http://127.0.0.1:4711/\r\nset-cookie: a', taken: false, why: 'a line break' },
    { uri: 'http://127.0.0.1:4711/"onload=', taken: false, why: 'a quote' },
    { uri: 'http://127.0.0.1:4711/<b>', taken: false, why: 'markup' },
    { uri: ' http://127.0.0.1:4711/', taken: false, why: 'a blank before it' },
    { uri: 'http://127.0.0.1:4711/callback\n', taken: false, why: 'a line end' },
    { uri: 'http://127.0.0.1:4711/ü', taken: false, why: 'letters of another script' },
    { uri: `http://127.0.0.1:4711/${'a'.repeat(300)}`, taken: false, why: 'too long' },
    { uri: '', taken: false, why: 'nothing' },
  ])('$why -> $taken', ({ uri, taken }) => {
    expect(parseRedirectUri(uri) !== undefined).toBe(taken);
    // What we take for loopback, a browser takes for loopback.
    if (taken) expect(['127.0.0.1', '[::1]', 'localhost']).toContain(new URL(uri).hostname);
  });

  test.each([
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://127.0.0.1:1/cb', same: true, why: 'the same' },
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://127.0.0.1:2/cb', same: true, why: 'another port' },
    { registered: 'http://[::1]/cb', asked: 'http://[::1]:2/cb', same: true, why: 'a port at last' },
    {
      registered: 'http://localhost:1/cb',
      asked: 'http://localhost:2/cb',
      same: false,
      why: 'a name’s port',
    },
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://127.0.0.1:1/', same: false, why: 'another path' },
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://127.0.0.1:1/cb/x', same: false, why: 'below it' },
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://127.0.0.1:1/cb?a=b', same: false, why: 'a query' },
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://localhost:1/cb', same: false, why: 'another host' },
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://[::1]:1/cb', same: false, why: 'another family' },
    { registered: 'http://127.0.0.1:1/cb', asked: 'http://127.0.0.1:1/CB', same: false, why: 'capitals' },
  ])('registered and asked: $why -> $same', ({ registered, asked, same }) => {
    const parsed = parseRedirectUri(asked);
    if (parsed === undefined) throw new Error('not a redirect');
    expect(matchesRedirectUri(registered, parsed)).toBe(same);
  });
});
