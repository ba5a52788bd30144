// Run as a program of its own: it must end by itself, with 0, when nothing is left that keeps it alive.
import { createSecretKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiscordServer, SlackServer } from '@sallyport/testkit';
import { createDiscordChannel } from '../../src/approvals/channels/discord/discord-channel.ts';
import { createSlackChannel } from '../../src/approvals/channels/slack/slack-channel.ts';
import type { Channel } from '../../src/approvals/index.ts';
import { Secret } from '../../src/shared/secret.ts';

const OUTAGE_MS = 1_500;
const never = new AbortController().signal;
const common = {
  key: createSecretKey('a key', 'utf8'),
  ceiling: 'once',
  isListed: () => true,
  onProblem: () => {},
  pauseMs: 5,
} as const;

/** Connects, loses the service for good, and stops. */
async function outlive(
  channel: Channel,
  connected: () => Promise<void>,
  service: AsyncDisposable,
): Promise<void> {
  await channel.start(async () => ({ kind: 'refused', message: 'nobody is asked' }), never);
  await connected();
  await service[Symbol.asyncDispose]();
  await sleep(OUTAGE_MS);
  await channel.stop();
  process.stdout.write(`${channel.name} stopped\n`);
}

const discord = await DiscordServer.start();
const slack = await SlackServer.start();
await Promise.all([
  outlive(
    await createDiscordChannel({ ...common, token: new Secret(discord.token), apiUrl: discord.apiUrl }),
    () => discord.gateway.connected(),
    discord,
  ),
  outlive(
    await createSlackChannel({
      ...common,
      appToken: new Secret(slack.appToken),
      botToken: new Secret(slack.botToken),
      apiUrl: slack.apiUrl,
    }),
    () => slack.envelopes.connected(),
    slack,
  ),
]);
