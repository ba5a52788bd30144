import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers, errorOf, type Front, openFront, statusOf } from './front-fixture.ts';

const OWN = 7183;
let front: Front;

beforeAll(async () => {
  front = await openFront({
    ownPorts: [OWN],
    config: { network: { default: 'ask', rules: [], allow_private: ['db.example:5432'] } },
  });
});
afterAll(() => front[Symbol.asyncDispose]());
beforeEach(() => {
  front.lookups.length = 0;
  front.questions.length = 0;
  front.people = 'yes';
});

async function send(place: string, through = front): Promise<string> {
  const wire = await through.dial();
  wire.send(
    `POST http://${place}/x HTTP/1.1\r\nHost: ${place}\r\nProxy-Authorization: ${through.auth}\r\nContent-Length: 1\r\n\r\nx`,
  );
  const text = await wire.until(answers(1));
  wire.socket.destroy();
  return text;
}

describe('[NE-12] a closed address is refused before anyone is asked', () => {
  test.each([
    ['10.0.0.5', 'add `10.0.0.5:80` to'],
    ['192.168.1.1:8080', 'add `192.168.1.1:8080` to'],
    ['100.64.0.1', 'add `100.64.0.1:80` to'],
    ['169.254.169.254', 'add `169.254.169.254:80` to'],
    ['[fd00:ec2::254]', 'add `[fd00:ec2::254]:80` to'],
    ['[::ffff:10.0.0.5]', 'add `10.0.0.5:80` to'],
    ['[64:ff9b::a00:5]', 'add `[64:ff9b::a00:5]:80` to'],
    ['[2002:a00:5::]', 'add `[2002:a00:5::]:80` to'],
    ['127.0.0.1:3000', 'add `127.0.0.1:3000` to'],
    ['ip6-localhost:3000', 'add `ip6-localhost:3000` to'],
    ['ip6-loopback:3000', 'add `ip6-loopback:3000` to'],
    ['localhost.localdomain:3000', 'add `localhost.localdomain:3000` to'],
    ['metadata', 'add `169.254.169.254:80` to'],
    ['instance-data', 'add `169.254.169.254:80` to'],
    ['host.docker.internal:3000', 'add `host.docker.internal:3000` to'],
    ['gateway.docker.internal', 'add `gateway.docker.internal:80` to'],
    ['localhost:3000', 'add `localhost:3000` to'],
    ['a.localhost', 'add `a.localhost:80` to'],
    ['metadata.google.internal', 'add `169.254.169.254:80` to'],
    ['db.internal', 'add `db.internal:80` to'],
    ['printer.local', 'add `printer.local:80` to'],
    ['224.0.0.1', 'no setting opens it'],
    ['0.0.0.0', 'no setting opens it'],
    [`127.0.0.1:${OWN}`, 'talk to the gateway directly'],
    [`localhost:${OWN}`, 'talk to the gateway directly'],
  ])('%s: %s', async (place, hint) => {
    const text = await send(place);
    expect(statusOf(text)).toBe(403);
    expect(errorOf(text)).toMatchObject({ code: 'AddressClosed', layer: 'boundary' });
    expect(String(errorOf(text).hint)).toContain(hint);
    expect(front.questions).toEqual([]);
    expect(front.lookups).toEqual([]);
  });

  test.each(['10.1.2.3', 'db.internal'])(
    'what an entry opens, or may open, is asked about: %s',
    async (place) => {
      await using open = await openFront({
        config: { network: { default: 'ask', allow_private: ['10.1.0.0/16'] } },
      });
      open.people = 'no';
      expect(errorOf(await send(place, open))).toMatchObject({ code: 'ApprovalDenied' });
      expect(open.questions).toHaveLength(1);
      expect(open.lookups).toEqual([]);
    },
  );

  test('a name is asked about without a look-up, and refused after it where it leads inside', async () => {
    const text = await send('inside.example.com');
    expect(front.questions).toHaveLength(1);
    expect(front.lookups).toEqual(['inside.example.com']);
    expect(errorOf(text)).toMatchObject({ code: 'AddressClosed' });
  });
});

describe('[NE-12] what will certainly fail afterwards is refused before anyone is asked', () => {
  test.each([
    {
      what: 'a credential that the session may not use',
      bytes: 'POST http://api.example.com/x HTTP/1.1\r\nHost: api.example.com\r\nX-Creds: foreign\r\n',
      code: 'CredentialNotAllowed',
    },
    {
      what: 'a credential that does not exist',
      bytes: 'POST http://api.example.com/x HTTP/1.1\r\nHost: api.example.com\r\nX-Creds: nobodys\r\n',
      code: 'CredentialNotAllowed',
    },
    {
      what: 'a credential for another host',
      bytes: 'POST http://other.example/x HTTP/1.1\r\nHost: other.example\r\nX-Creds: main\r\n',
      code: 'CredentialNotAllowed',
    },
    {
      what: 'the port of SSH',
      bytes: 'CONNECT github.com:22 HTTP/1.1\r\nHost: github.com:22\r\n',
      code: undefined,
    },
    {
      what: 'a path that can be read in two ways',
      bytes: 'GET http://other.example/a\\..\\b HTTP/1.1\r\nHost: other.example\r\n',
      code: undefined,
    },
  ])('$what', async ({ bytes, code }) => {
    const wire = await front.dial();
    const length = bytes.startsWith('POST') ? 'Content-Length: 1\r\n\r\nx' : '\r\n';
    wire.send(`${bytes}Proxy-Authorization: ${front.auth}\r\n${length}`);
    const text = await wire.until(answers(1));
    wire.socket.destroy();
    expect(statusOf(text)).toBeGreaterThanOrEqual(400);
    if (code !== undefined) expect(errorOf(text)).toMatchObject({ code });
    expect(front.questions).toEqual([]);
    expect(front.lookups).toEqual([]);
  });
});
