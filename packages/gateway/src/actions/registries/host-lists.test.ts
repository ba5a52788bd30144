import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SallyportError } from '@sallyport/protocol';
import { parse } from 'tldts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compileDomainPatterns } from '../../shared/host.ts';
import { hostOfEntry } from '../../shared/listed-host.ts';
import { compileProviderHosts } from '../http/classify/provider-hosts.ts';
import { loadHostLists, mergeHostLists } from './host-lists.ts';

const SHIPPED = fileURLToPath(new URL('../../../../../lists', import.meta.url));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sallyport-lists-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const list = (hosts: string): string => `description: a\ngroups:\n  - category: b\n    hosts: [${hosts}]\n`;

describe('loadHostLists', () => {
  test('gives each file by its name, each host once', () => {
    writeFileSync(join(dir, 'mine.yaml'), list('a.example, "*.b.example", a.example'));
    writeFileSync(join(dir, 'README.md'), 'not a list');
    expect(loadHostLists(dir)).toEqual(new Map([['mine', ['a.example', '*.b.example']]]));
  });

  test('a folder that does not exist has no lists', () => {
    expect(loadHostLists(join(dir, 'absent')).size).toBe(0);
  });

  test("a user's list takes the place of the one that is shipped", () => {
    const merged = mergeHostLists(
      new Map([
        ['known', ['a']],
        ['telemetry', ['b']],
      ]),
      new Map([['known', ['c']]]),
    );
    expect(merged).toEqual(
      new Map([
        ['known', ['c']],
        ['telemetry', ['b']],
      ]),
    );
  });

  test.each([
    { text: list('"*.com"'), why: 'a pattern over a whole suffix' },
    { text: list('"*.co.uk"'), why: 'a pattern over a longer suffix' },
    { text: list('"*"'), why: 'a pattern over everything' },
    { text: list('"https://a.example/"'), why: 'a URL' },
    { text: list('"a.example:443"'), why: 'a port' },
    { text: list('1'), why: 'a number' },
    { text: list(''), why: 'no hosts' },
    { text: 'groups: []\n', why: 'no description' },
    { text: `${list('a.example')}extra: 1\n`, why: 'an unknown key' },
    { text: 'description: a\ndescription: b\ngroups: []\n', why: 'a key twice' },
    { text: 'x: &a [*a, *a]\n', why: 'aliases' },
    { text: '- a.example\n', why: 'a bare list' },
    { text: '{', why: 'no YAML' },
    { text: '', why: 'nothing' },
  ])('refuses $why', ({ text }) => {
    writeFileSync(join(dir, 'mine.yaml'), text);
    expect(() => loadHostLists(dir)).toThrow(SallyportError);
  });

  test('refuses a name that a policy could not write', () => {
    writeFileSync(join(dir, 'My List.yaml'), list('a.example'));
    expect(() => loadHostLists(dir)).toThrow('is not a name for a host list');
  });
});

describe('the shipped lists', () => {
  const lists = loadHostLists(SHIPPED);
  const entries = lists.get('known') ?? [];
  const known = compileDomainPatterns(entries.map(hostOfEntry));
  const telemetry = compileDomainPatterns((lists.get('telemetry') ?? []).map(hostOfEntry));

  test('are there', () => {
    expect([...lists.keys()]).toEqual(['known', 'telemetry']);
  });

  test.each(['api.anthropic.com', 'api.openai.com', 'github.com', 'api.github.com', 'developer.mozilla.org'])(
    '%s is known',
    (host) => {
      expect(known(host)).toBeDefined();
    },
  );

  test.each([
    'evil.example',
    'github.com.evil.example',
    'githubusercontent.com',
    'statsig.anthropic.com',
    '127.0.0.1',
  ])('%s is not known', (host) => {
    expect(known(host)).toBeUndefined();
  });

  test('no host is known and telemetry at once', () => {
    for (const host of entries.map(hostOfEntry)) expect(telemetry(host.replace('*.', 'x.'))).toBeUndefined();
    for (const host of (lists.get('telemetry') ?? []).map(hostOfEntry))
      expect(known(host.replace('*.', 'x.'))).toBeUndefined();
  });

  /** The provider's own names below a domain where others have theirs. */
  const REVIEWED = new Set([
    'generativelanguage.googleapis.com',
    'fonts.googleapis.com',
    ...['raw', 'objects', 'release-assets', 'media'].map((label) => `${label}.githubusercontent.com`),
  ]);
  /** Below these a label is a customer's, who reads what comes there; the public suffix list has more. */
  const OF_CUSTOMERS = compileDomainPatterns(
    [
      ...['openai.azure.com', 'services.ai.azure.com', 'cognitiveservices.azure.com', 'azurewebsites.net'],
      ...[
        'core.windows.net',
        'azure-api.net',
        'azurefd.net',
        'logic.azure.com',
        'search.windows.net',
        'azurecr.io',
      ],
      ...['amazonaws.com', 'amazonaws.com.cn', 'api.aws', 'on.aws', 'cloudfront.net', 'awsapprunner.com'],
      ...['run.app', 'cloudfunctions.net', 'appspot.com', 'web.app', 'firebaseio.com', 'firebaseapp.com'],
      ...['github.io', 'gitlab.io', 'bitbucket.io', 'pages.dev', 'workers.dev', 'vercel.app', 'netlify.app'],
      ...['herokuapp.com', 'onrender.com', 'fly.dev', 'railway.app', 'deno.dev', 'replit.app', 'hf.space'],
      ...[
        'ngrok.io',
        'ngrok.app',
        'ngrok-free.app',
        'trycloudflare.com',
        'loca.lt',
        'blogspot.com',
        'wordpress.com',
      ],
      ...['sharepoint.com', 'zendesk.com', 'atlassian.net', 'myshopify.com', 'slack.com', 'notion.site'],
    ].map((domain) => `*.${domain}`),
  );
  /** Here the first part of a path is a customer's, who sees or keeps what is sent there. */
  const SHARED_BY_PATH = compileDomainPatterns([
    ...['s3.amazonaws.com', 'storage.googleapis.com', 'gist.github.com', 'gist.githubusercontent.com'],
    ...['sites.google.com', 'docs.google.com', 'drive.google.com', 'script.google.com', 'hooks.slack.com'],
    ...[
      'pastebin.com',
      'webhook.site',
      'codepen.io',
      'medium.com',
      'huggingface.co',
      'notion.so',
      'discord.com',
    ],
  ]);

  test.each(entries)('[CR-9] %s belongs to its provider alone', (entry) => {
    const host = hostOfEntry(entry);
    expect(host).not.toContain('*');
    expect(OF_CUSTOMERS(host)).toBeUndefined();
    if (typeof entry === 'string' || entry.paths === undefined) expect(SHARED_BY_PATH(host)).toBeUndefined();
    const { isPrivate } = parse(host, { allowPrivateDomains: true });
    expect(isPrivate === true && !REVIEWED.has(host)).toBe(false);
  });

  test.each(['x.openai.azure.com', 'x.services.ai.azure.com', 'x.github.io', 'x.blob.core.windows.net'])(
    '[CR-9] %s is not known: whoever owns it reads what comes there',
    (host) => {
      expect(known(host)).toBeUndefined();
      expect(OF_CUSTOMERS(host)).toBeDefined();
    },
  );

  test('every model API in it has a classifier, so that inference is a read and the rest is not', () => {
    const providerOf = compileProviderHosts();
    for (const host of ['api.anthropic.com', 'api.openai.com', 'chatgpt.com', 'openrouter.ai']) {
      expect(known(host)).toBeDefined();
      expect(providerOf(host, 443)).toBeDefined();
    }
  });
});
