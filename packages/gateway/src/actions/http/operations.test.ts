import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import type { HttpRequestHead } from './http-request.ts';
import { createHttpClassifier } from './index.ts';
import { type OperationRow, readNames, readRows } from './operation-table.ts';
import { AWS_REST_OPERATIONS } from './operations/aws-rest.ts';
import { GCP_OPERATIONS } from './operations/gcp.ts';
import { awsOperations, awsRestOperations } from './providers/aws.ts';
import { s3Operations } from './providers/aws-s3.ts';
import { datadogOperations } from './providers/datadog.ts';
import { gcpGrpcOperations, gcpOperations } from './providers/gcp.ts';
import { githubOperations } from './providers/github.ts';
import { githubMutations } from './providers/github-graphql.ts';
import { gitlabMutations, gitlabOperations } from './providers/gitlab.ts';
import { kubernetesResources } from './providers/kubernetes.ts';
import { linearMutations } from './providers/linear.ts';
import { slackOperations } from './providers/slack.ts';

const K8S = { host: 'k8s.corp.example', provider: 'kubernetes' };
const classify = createHttpClassifier({ providers: [K8S] });

interface Table {
  readonly host: string;
  readonly rows: readonly OperationRow[];
  readonly least: number;
}

const TABLES: Readonly<Record<string, Table>> = {
  GitHub: { host: 'api.github.com', rows: githubOperations(), least: 200 },
  GitLab: { host: 'gitlab.com', rows: gitlabOperations(), least: 60 },
  Datadog: { host: 'api.datadoghq.eu', rows: datadogOperations(), least: 60 },
};

const MUTATIONS = {
  GitHub: { host: 'api.github.com', path: '/graphql', fields: githubMutations(), least: 60 },
  GitLab: { host: 'gitlab.com', path: '/api/graphql', fields: gitlabMutations(), least: 60 },
  Linear: { host: 'api.linear.app', path: '/graphql', fields: linearMutations(), least: 60 },
};

/** A request for a row, with a name in the place of each placeholder. */
function requestOf(host: string, method: string, target: string, body?: string): HttpRequestHead {
  return {
    scheme: 'https',
    host,
    port: 443,
    method,
    target,
    headers: body === undefined ? [] : [['Content-Type', 'application/json']],
    bodyComplete: true,
    ...(body === undefined ? {} : { bodyPrefix: new TextEncoder().encode(body) }),
  };
}

const filledIn = (path: string): string =>
  path.replaceAll(/\{[^}]*\+\}/g, 'some/name').replaceAll(/\{[^}]*\}/g, 'name');

for (const [name, { host, rows, least }] of Object.entries(TABLES)) {
  describe(`the published operations of ${name}`, () => {
    test('are enough of them, each once', () => {
      expect(rows.length).toBeGreaterThanOrEqual(least);
      const requests = rows.map(({ method, path }) => `${method} ${path.replaceAll(/\{[^}+]*\}/g, '{}')}`);
      expect(requests).toEqual([...new Set(requests)]);
    });

    test.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))('%s is known', (_, row) => {
      const found = classify(requestOf(host, row.method, filledIn(row.path)));
      expect(found).toMatchObject({ effect: row.effect, operation: row.name });
      // What a body may say can make it worse, never better.
      expect([row.risk, 'critical']).toContain(found.risk);
      expect(found.object).toBeTruthy();
    });
  });
}

for (const [name, { host, path, fields, least }] of Object.entries(MUTATIONS)) {
  describe(`the published mutations of ${name}`, () => {
    test('are enough of them', () => expect(fields.size).toBeGreaterThanOrEqual(least));

    test.each([...fields.values()])('$name is known', (field) => {
      const body = JSON.stringify({
        query: `mutation { a: ${field.name}(input: {id: "1"}) { clientMutationId } }`,
      });
      const found = classify(requestOf(host, 'POST', path, body));
      expect(found).toMatchObject({ effect: 'write', type: field.type, operation: `mutation ${field.name}` });
      // What its arguments say can make it worse, never better.
      expect([field.risk, 'critical']).toContain(found.risk);
    });
  });
}

describe('the published methods of Slack', () => {
  test('are enough of them', () => expect(slackOperations().size).toBeGreaterThanOrEqual(60));

  test.each([...slackOperations().values()])('$name is known', (row) => {
    const body = '{"channel":"C1"}';
    const { effect, type, risk, operation, object } = classify(
      requestOf('slack.com', 'POST', `/api/${row.name}`, body),
    );
    expect(row).toMatchObject({ name: operation, effect, type, risk });
    expect(object).toBe('slack.com C1');
  });

  test('are all that its own client has', () => {
    const bolt = createRequire(import.meta.url).resolve('@slack/bolt');
    const client = createRequire(bolt)
      .resolve('@slack/web-api')
      .replace(/index\.js$/, 'methods.js');
    const calls = readFileSync(client, 'utf8').matchAll(/bindApiCall\w*\)?\(this, '([a-zA-Z.]+)'\)/g);
    const names = [...calls].flatMap(([, name]) => name ?? []);
    expect(names.length).toBeGreaterThan(200);
    const known = (name: string): boolean =>
      slackOperations().has(name) || /\.(?:list|info|history)$/.test(name);
    expect(names.filter((name) => !known(name))).toEqual([]);
  });
});

describe('the published operations of Google Cloud', () => {
  const rows = Object.keys(GCP_OPERATIONS).flatMap((service) =>
    gcpOperations(service).map((row) => ({ service, ...row })),
  );

  test('are enough of them', () => {
    expect(rows.length + gcpGrpcOperations().size).toBeGreaterThanOrEqual(60);
  });

  test.each(rows)(
    '$method $service $path is $name',
    ({ service, method, path, name, effect, type, risk }) => {
      const found = classify(
        requestOf(`${service}.googleapis.com`, method, filledIn(path.replaceAll('{v}', 'v1beta1'))),
      );
      expect(found).toMatchObject({ operation: name, effect, type, risk });
      expect(found.object).toBeTruthy();
    },
  );

  test.each([...gcpGrpcOperations().values()])('$name is known', ({ name, effect, type, risk }) => {
    const [, service = ''] = /\.(\w+)\.v\d/.exec(name) ?? [];
    const host = service === 'credentials' ? 'compute' : service;
    const found = classify(requestOf(`${host}.googleapis.com`, 'POST', `/${name}`));
    expect(found).toMatchObject({ operation: name, effect, type, risk });
  });
});

describe('the resources of Kubernetes', () => {
  test('are enough of them', () => expect(kubernetesResources().size).toBeGreaterThanOrEqual(60));

  test.each([...kubernetesResources().values()])('$name is known', (row) => {
    const [what = '', sub] = row.name.split('/');
    const [, resource = what, group] = /^([^.]+)\.(.+)$/.exec(what) ?? [];
    const root = group === undefined ? '/api/v1' : `/apis/${group}/v1`;
    const one = sub === undefined ? '' : `/name/${sub}`;
    const found = classify(requestOf(K8S.host, 'POST', `${root}/namespaces/web/${resource}${one}`));
    expect(found).toMatchObject({ effect: row.effect, risk: row.risk, operation: `create ${row.name}` });
    const named = sub === undefined || row.effect === 'read' || row.isSecret === true ? '' : '/name';
    expect(found.object).toBe(resource === 'namespaces' ? found.object : `${K8S.host}:443/web${named}`);
    const looked = classify(requestOf(K8S.host, 'GET', `${root}/namespaces/web/${resource}${one}`));
    expect(looked.effect).toBe(row.isSecret === true ? 'write' : 'read');
  });
});

describe('the published operations of AWS', () => {
  const signed = (service: string): readonly [string, string] => [
    'Authorization',
    `AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260101/eu-west-1/${service}/aws4_request, Signature=00`,
  ];
  const rest = Object.keys(AWS_REST_OPERATIONS).flatMap((service) =>
    awsRestOperations(service).map((row) => [row.name, service, row] as const),
  );

  test('are enough of them', () => {
    expect(awsOperations().size + rest.length + s3Operations().length).toBeGreaterThanOrEqual(150);
  });

  test.each([...awsOperations().values()])('$name is known', (row) => {
    const [service = '', action = ''] = row.name.split(':');
    const found = classify({
      ...requestOf(`${service}.eu-west-1.amazonaws.com`, 'POST', '/', '{}'),
      headers: [
        signed(service),
        ['X-Amz-Target', `X_2020.${action}`],
        ['Content-Type', 'application/x-amz-json-1.1'],
      ],
    });
    expect(found).toMatchObject({ effect: row.effect, type: row.type, risk: row.risk, operation: row.name });
    expect(found.object?.split(' ')[0]).toBe('eu-west-1');
  });

  test('what looks like it hands out a secret does not read', () => {
    const looks = /Secret|Password|Credential|Token|AccessKey|PrivateKey|^Assume|Decrypt/;
    const harmless = /^(?:List|Describe)|LastUsed|PasswordPolicy|RandomPassword|AccessKeyInfo|Decode/;
    const found = [...awsOperations().values()].filter(({ name, effect }) => {
      const action = name.slice(name.indexOf(':') + 1);
      return effect === 'read' && looks.test(action) && !harmless.test(action);
    });
    expect(found).toEqual([]);
  });

  test.each(rest)('%s is known', (_, service, row) => {
    const host = service === 'ses' ? 'email' : service;
    const found = classify({
      ...requestOf(`${host}.eu-west-1.amazonaws.com`, row.method, filledIn(row.path)),
      headers: [signed(service)],
    });
    expect(found).toMatchObject({ effect: row.effect, type: row.type, risk: row.risk, operation: row.name });
  });

  test.each(s3Operations())('S3: $method $path is $name', (row) => {
    const [place = '', word] = row.path.split('?');
    const path = place.replace('/bucket', '/b').replace('/object', '/b/k');
    const request = requestOf(
      's3.eu-west-1.amazonaws.com',
      row.method,
      word === undefined ? path : `${path}?${word}`,
    );
    const { effect, risk, operation } = classify(request);
    expect({ effect, risk, operation }).toEqual({
      effect: row.effect,
      risk: row.risk,
      operation: row.name,
    });
  });
});

/** What must never be covered by a standing answer, by the list of the specification. */
const CRITICAL: Readonly<Record<string, RegExp>> = {
  GitHub:
    /^(?:DELETE|PATCH) \/repos\/\{owner\}\/\{repo\}$|^(?:POST|PUT|PATCH|DELETE) .*\/(?:collaborators|keys|hooks|rulesets|protection|secrets|transfer|dispatches|invitations|members|memberships|registration-token|environments|permissions|organization-roles)(?:\/|$)/,
  Datadog:
    /^(?:POST|PUT|PATCH|DELETE) \/api\/v[12]\/(?:user|users|roles|org|team|ip_allowlist|user_invitations)(?:\/|$)/,
  GitLab:
    /^(?:PUT|DELETE) \/api\/v4\/(?:projects|groups)\/\{id\}$|^(?:POST|PUT|PATCH|DELETE) .*\/(?:members|hooks|variables|deploy_keys|deploy_tokens|access_tokens|protected_branches|triggers|trigger|pipeline|runners|environments|keys)(?:\/|$)/,
};

test.each(Object.entries(CRITICAL))('%s: what the specification lists is critical', (name, pattern) => {
  const rows = TABLES[name]?.rows ?? [];
  const listed = rows.filter(({ method, path }) => pattern.test(`${method} ${path}`));
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.filter(({ risk }) => risk !== 'critical')).toEqual([]);
});

test('every row of GitHub is in the description that GitHub publishes', () => {
  const types = readFileSync(
    createRequire(createRequire(import.meta.url).resolve('@octokit/auth-app')).resolve(
      '@octokit/openapi-types/types.d.ts',
    ),
    'utf8',
  );
  const published = new Set<string>();
  let path = '';
  for (const line of types.slice(types.indexOf('export interface paths')).split('\n')) {
    path = /^ {2}"(\/[^"]*)": \{/.exec(line)?.[1] ?? path;
    const [, method, name] = /^ {4}(\w+): operations\["([^"]+)"\]/.exec(line) ?? [];
    if (method !== undefined) published.add(`${method.toUpperCase()} ${path} ${name}`);
  }
  const rows = githubOperations().map((row) => `${row.method} ${row.path.replaceAll('+}', '}')} ${row.name}`);
  // The root of the contents is a path of its own on the wire.
  const own = new Set(['GET /repos/{owner}/{repo}/contents repos/get-content']);
  expect(rows.filter((row) => !published.has(row) && !own.has(row))).toEqual([]);
});

describe('a table with a mistake does not load', () => {
  test.each([
    ['a method', '/a\nFETCH x'],
    ['no name', '/a\nGET'],
    ['a word', '/a\nGET a criticla'],
  ])('%s', (_, text) => expect(() => readRows(text)).toThrow());
  test.each([
    ['a word', 'wirte: a'],
    ['no words', 'a b'],
    ['a name twice', 'write: a\nwrite critical: a'],
  ])('%s', (_, text) => expect(() => readNames(text)).toThrow());
});
