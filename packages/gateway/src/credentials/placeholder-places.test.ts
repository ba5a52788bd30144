import { describe, expect, test } from 'vitest';
import type { Header } from '../shared/http-message.ts';
import { Secret } from '../shared/secret.ts';
import { isInPlace, type Places, replaceInPlaces } from './placeholder-places.ts';

const MENTION = `sp-placeholder-${'0a1b2c3d4e'.repeat(4)}`;
const REFERENCE = `sp-ref:github:personal:${'0a1b2c3d'.repeat(4)}`;
const VALUE = 'v"al&ue=/+';
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const PLACES: Places = {
  headers: ['authorization', 'x-key'],
  query: ['key'],
  body: [
    { contentType: FORM, fields: new Set(['client_secret']) },
    { contentType: JSON_TYPE, fields: new Set(['auth.token', 'secret']) },
  ],
  namesOnly: false,
};

interface Shape {
  readonly target?: string;
  readonly headers?: readonly Header[];
  readonly body?: string | Uint8Array;
  readonly type?: string;
}

function message({ target = '/', headers = [], body, type }: Shape) {
  const typed: Header[] = type === undefined ? [] : [['Content-Type', type]];
  return {
    target,
    headers: [...headers, ...typed],
    ...(body === undefined ? {} : { body: Buffer.from(body as string) }),
  };
}

function replaced(shape: Shape, places: Places = PLACES, mayBeBody = true) {
  const request = message(shape);
  const valueFor = (found: string) =>
    found === MENTION || found === REFERENCE ? new Secret(VALUE) : undefined;
  replaceInPlaces(request, places, valueFor, mayBeBody);
  return request;
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('[CR-8] a placeholder becomes the value in', () => {
  const AUTH = 'Authorization';
  test.each<Shape & { why: string; expected: Shape }>([
    {
      why: 'the header of the kind',
      headers: [[AUTH, `Bearer ${MENTION}`]],
      expected: { headers: [[AUTH, `Bearer ${VALUE}`]] },
    },
    {
      why: 'that header in any case, without a scheme',
      headers: [['X-KEY', MENTION]],
      expected: { headers: [['X-KEY', VALUE]] },
    },
    {
      why: 'a parameter of that header',
      headers: [[AUTH, `Token token="${MENTION}"`]],
      expected: { headers: [[AUTH, `Token token="${VALUE}"`]] },
    },
    {
      why: 'the password of Basic authentication, as git and `curl -u` send it',
      headers: [[AUTH, basic(`x-access-token:${MENTION}`)]],
      expected: { headers: [[AUTH, basic(`x-access-token:${VALUE}`)]] },
    },
    {
      why: 'the user of Basic authentication, as `curl -u KEY:` sends it',
      headers: [[AUTH, basic(`${MENTION}:`)]],
      expected: { headers: [[AUTH, basic(`${VALUE}:`)]] },
    },
    {
      why: 'that header, each time it is there',
      headers: [
        ['x-key', MENTION],
        ['x-key', MENTION],
      ],
      expected: {
        headers: [
          ['x-key', VALUE],
          ['x-key', VALUE],
        ],
      },
    },
    {
      why: 'the parameter of the kind, encoded, and nothing else of the query changes',
      target: `/x%2Fy?a=%41&key=${MENTION}&b=c`,
      expected: { target: `/x%2Fy?a=%41&key=${encodeURIComponent(VALUE)}&b=c` },
    },
    {
      why: 'a parameter that is encoded without need',
      target: `/?k%65y=${MENTION.replaceAll('-', '%2D').replace('s', '%73')}`,
      expected: { target: `/?k%65y=${encodeURIComponent(VALUE)}` },
    },
    {
      why: 'a field of a form that the credential names, encoded',
      type: `${FORM}; charset=UTF-8`,
      body: `a=%26&client_secret=${MENTION}&client_secret2=${MENTION}`,
      expected: {
        type: `${FORM}; charset=UTF-8`,
        body: `a=%26&client_secret=${encodeURIComponent(VALUE)}&client_secret2=${MENTION}`,
      },
    },
    {
      why: 'a field of JSON that the credential names, escaped, and every other byte stays',
      type: JSON_TYPE,
      body: `{ "n": 12345678901234567890,\n"ä": "ü", "auth" : { "token" : "${MENTION}" },"secret":"x" }`,
      expected: {
        type: JSON_TYPE,
        body: `{ "n": 12345678901234567890,\n"ä": "ü", "auth" : { "token" : ${JSON.stringify(VALUE)} },"secret":"x" }`,
      },
    },
    {
      why: 'a reference in such a field',
      type: JSON_TYPE,
      body: `{"secret":"${REFERENCE}"}`,
      expected: { type: JSON_TYPE, body: `{"secret":${JSON.stringify(VALUE)}}` },
    },
  ])('$why', ({ expected, why: _, ...shape }) => {
    expect(replaced(shape)).toEqual(message(expected));
    const mention = String(shape.body).includes('sp-ref') ? REFERENCE : MENTION;
    expect(isInPlace(message(shape), mention, PLACES, true)).toBe(true);
  });
});

describe('[CR-8] a placeholder stays what it is in', () => {
  test.each<Shape & { why: string }>([
    { why: 'any other header', headers: [['User-Agent', MENTION]] },
    { why: 'a title', headers: [['X-Title', MENTION]] },
    { why: 'a cookie', headers: [['Cookie', `session=${MENTION}`]] },
    { why: 'an auth header of another kind', headers: [['x-api-key', MENTION]] },
    { why: 'the right header with words after it', headers: [['x-key', `${MENTION} and say it again`]] },
    { why: 'the right header with words before it', headers: [['x-key', `repeat after me: ${MENTION}`]] },
    { why: 'the right header twice in one', headers: [['x-key', `${MENTION}${MENTION}`]] },
    { why: 'a list', headers: [['authorization', `Bearer ${MENTION}, Bearer mine`]] },
    { why: 'Basic with more after it', headers: [['authorization', basic(`u:${MENTION} please`)]] },
    {
      why: 'Basic with a token beside it',
      headers: [['authorization', basic(`${'A1b2'.repeat(6)}:${MENTION}`)]],
    },
    { why: 'Basic inside Basic', headers: [['authorization', basic(basic(`u:${MENTION}`))]] },
    { why: 'Basic of another header', headers: [['x-other', basic(`u:${MENTION}`)]] },
    { why: 'the path', target: `/bot${MENTION}/sendMessage` },
    { why: 'a segment of the path', target: `/v1/${MENTION}?key=x` },
    { why: 'another parameter', target: `/?q=${MENTION}` },
    { why: 'the right parameter in another case', target: `/?KEY=${MENTION}` },
    { why: 'the right parameter with more in it', target: `/?key=x${MENTION}` },
    { why: 'the name of a parameter', target: `/?${MENTION}=key` },
    { why: 'a parameter that only looks like it', target: `/?key[]=${MENTION}` },
    { why: 'a body without a type', body: `client_secret=${MENTION}` },
    { why: 'a body of another type', type: 'text/plain', body: `client_secret=${MENTION}` },
    {
      why: 'a body of two types',
      headers: [['content-type', JSON_TYPE]],
      type: FORM,
      body: `client_secret=${MENTION}`,
    },
    { why: 'a body in another charset', type: `${FORM}; charset=utf-7`, body: `client_secret=${MENTION}` },
    {
      why: 'a packed body',
      headers: [['Content-Encoding', 'gzip']],
      type: FORM,
      body: `client_secret=${MENTION}`,
    },
    { why: 'another field of a form', type: FORM, body: `text=${MENTION}` },
    { why: 'a field of a form with words', type: FORM, body: `client_secret=it+is+${MENTION}` },
    { why: 'JSON that is called a form', type: FORM, body: `{"secret":"${MENTION}"}` },
    { why: 'a form that is called JSON', type: JSON_TYPE, body: `client_secret=${MENTION}` },
    { why: 'a prompt', type: JSON_TYPE, body: `{"messages":[{"content":"${MENTION}"}]}` },
    { why: 'Markdown', type: JSON_TYPE, body: `{"text":"${MENTION}","mode":"gfm"}` },
    {
      why: 'a document of GraphQL',
      type: JSON_TYPE,
      body: `{"query":"mutation { x(b: \\"${MENTION}\\") }"}`,
    },
    { why: 'a variable of GraphQL', type: JSON_TYPE, body: `{"variables":{"secret":"${MENTION}"}}` },
    { why: 'a field below another one', type: JSON_TYPE, body: `{"x":{"auth":{"token":"${MENTION}"}}}` },
    { why: 'an element of a list', type: JSON_TYPE, body: `{"secret":["${MENTION}"]}` },
    { why: 'a field in a list', type: JSON_TYPE, body: `[{"secret":"${MENTION}"}]` },
    { why: 'a field in a list on the way', type: JSON_TYPE, body: `{"auth":[{"token":"${MENTION}"}]}` },
    { why: 'a name with a dot', type: JSON_TYPE, body: `{"auth.token":"${MENTION}"}` },
    { why: 'the name of a field', type: JSON_TYPE, body: `{"${MENTION}":"secret"}` },
    { why: 'a field with words', type: JSON_TYPE, body: `{"secret":"it is ${MENTION}"}` },
    { why: 'JSON that is none', type: JSON_TYPE, body: `{"secret":"${MENTION}"} and more` },
    { why: 'many objects of JSON', type: 'application/x-ndjson', body: `{"secret":"${MENTION}"}\n` },
    {
      why: 'a part of a form with parts',
      type: 'multipart/form-data; boundary=b',
      body: `--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${MENTION}\r\n--b--`,
    },
  ])('$why', ({ why: _, ...shape }) => {
    expect(replaced(shape)).toEqual(message(shape));
    expect(isInPlace(message(shape), MENTION, PLACES, true)).toBe(false);
  });

  test('bytes that are no text, which come out as they went in', () => {
    const body = Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(MENTION)]);
    expect(replaced({ type: FORM, body }).body).toEqual(body);
  });

  test('every body of a request that runs a model, whatever the credential says', () => {
    const shape = { type: JSON_TYPE, body: `{"secret":"${MENTION}"}` };
    expect(replaced(shape, PLACES, false)).toEqual(message(shape));
    expect(isInPlace(message(shape), MENTION, PLACES, false)).toBe(false);
  });

  test('JSON that is too deep, without a fault', () => {
    const deep = `${'['.repeat(30_000)}"${MENTION}"${']'.repeat(30_000)}`;
    expect(replaced({ type: JSON_TYPE, body: deep }).body?.toString()).toBe(deep);
  });
});

describe('a kind that signs', () => {
  const signs: Places = {
    headers: ['authorization'],
    query: ['X-Amz-Credential'],
    body: [],
    namesOnly: true,
  };
  test('is named by what an SDK signed with a placeholder', () => {
    const signed = `AWS4-HMAC-SHA256 Credential=${MENTION}/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=00`;
    expect(isInPlace(message({ headers: [['authorization', signed]] }), MENTION, signs, true)).toBe(true);
    const presigned = `/?X-Amz-Credential=${MENTION}%2F20260101%2Feu-west-1%2Fs3%2Faws4_request`;
    expect(isInPlace(message({ target: presigned }), MENTION, signs, true)).toBe(true);
    expect(isInPlace(message({ headers: [['x-title', MENTION]] }), MENTION, signs, true)).toBe(false);
  });
});
