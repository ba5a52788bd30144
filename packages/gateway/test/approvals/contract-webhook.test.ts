import { createServer } from 'node:http';
import { closeServer, FakeClock, httpClient, listenOnFreePort, WebhookReceiver } from '@sallyport/testkit';
import { DECISION_PATH, WebhookChannel } from '../../src/approvals/channels/webhook/webhook-channel.ts';
import type { DeliveryRef } from '../../src/approvals/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { describeChannelContract } from './channel.contract.ts';
import { ContractProxy, portOf } from './contract-proxy.ts';
import type { Attempt, Sender } from './contract-world.ts';

const people = { ana: 'ana at work', bob: 'bob', eve: 'eve', mallory: 'mallory' };
const SECRET = 'a secret that both ends know';

describeChannelContract('webhook', people, async (world) => {
  const clock = new FakeClock();
  const receiver = await WebhookReceiver.start(SECRET, () => clock.now());
  const proxy = await ContractProxy.start(portOf(receiver.url));
  // The route as the operator side has it: path and query in, page out.
  const door = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const page = await channel.decide({
      method: request.method === 'POST' ? 'POST' : 'GET',
      approvalId: url.pathname.slice(DECISION_PATH.length + 1),
      who: url.searchParams.get('who') ?? '',
      key: url.searchParams.get('key') ?? '',
      fields: Object.fromEntries(new URLSearchParams(body)),
    });
    response.writeHead(page.status, page.headers).end(page.body);
  });
  const baseUrl = `http://127.0.0.1:${await listenOnFreePort(door)}`;
  const channel: WebhookChannel = new WebhookChannel({
    ...world,
    url: `http://127.0.0.1:${proxy.port}/hook`,
    secret: new Secret(SECRET),
    baseUrl,
    clock,
  });
  const posts = ({ ref, recipient }: DeliveryRef) =>
    receiver.posts.filter(
      ({ body }) => body.approval_id === ref.approval && body.recipient === recipient.identity,
    );
  const linkOf = (ref: DeliveryRef) => new URL(String(posts(ref)[0]?.body.decision_url));
  const visit = async (link: URL, fields?: Record<string, string>): Promise<string> => {
    const call = fields === undefined ? {} : { body: String(new URLSearchParams(fields)) };
    const page = await httpClient({ url: link.href })(`${link.pathname}${link.search}`, call);
    return /<p style="white-space:pre-wrap">([^<]*)</.exec(page.text)?.[1] ?? '';
  };
  const withQuery = (link: URL, query: Record<string, string>, path = link.pathname): URL => {
    const changed = new URL(path + link.search, link);
    for (const [name, value] of Object.entries(query)) changed.searchParams.set(name, value);
    return changed;
  };
  return {
    channel,
    writableHosts: ['127.0.0.1'],
    namesPause: true,
    seen: (ref) =>
      posts(ref)
        .map(({ body }) => String(body.text))
        .join('\n'),
    async answer(ref, _approvalId, text, by) {
      const { identity, isMachine = false }: Sender = by ?? ref.recipient;
      const link = withQuery(linkOf(ref), { who: identity });
      // A program that follows links gets a page to look at.
      if (isMachine) return void (await visit(link));
      return visit(link, { code: text.charAt(0), text: text.slice(2) });
    },
    attempts(ref, _approvalId, other, otherId): readonly Attempt[] {
      const link = linkOf(ref);
      const key = linkOf(other).searchParams.get('key') ?? '';
      const forged: readonly (readonly [string, URL])[] = [
        ['no key', withQuery(link, { key: '' })],
        ['a key of zeros', withQuery(link, { key: '0'.repeat(26) })],
        ['the key of another question', withQuery(link, { key })],
        ['the key without its question', withQuery(link, {}, `${DECISION_PATH}/${otherId}`)],
        ['an unknown question', withQuery(link, {}, `${DECISION_PATH}/appr_${'0'.repeat(26)}`)],
      ];
      const fields = ['yes', 'ok', '1.', '1 please', '7', ''].map((code) => ({ code }));
      return [
        ...forged.map(([why, url]): Attempt => ({ id: 'AP-8', why, send: () => visit(url, { code: '1' }) })),
        { id: 'AP-5', why: 'a link that is opened', send: () => visit(link) },
        ...fields.map(({ code }): Attempt => ({ id: 'AP-5', why: code, send: () => visit(link, { code }) })),
        { id: 'AP-5', why: 'a text that 1 does not take', send: () => visit(link, { code: '1', text: 'x' }) },
      ];
    },
    setService: (mode) => proxy.setMode(mode),
    limitNext: (seconds) => receiver.answerNext(429, seconds),
    async [Symbol.asyncDispose]() {
      await closeServer(door);
      await proxy[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
});
