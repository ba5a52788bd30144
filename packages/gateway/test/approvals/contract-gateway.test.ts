import { DiscordServer, SlackServer, startTestGateway, waitFor, waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';

const ANA = { slack: 'UANA1', discord: '100000000000000001' };
const QUESTION = { session_id: 's1', action_type: 'exec_cmd', title: 'Run command', preview: 'git push' };

describe('a whole gateway with Slack and Discord', () => {
  test('a gateway whose config names Slack and Discord asks on both; an answer on one is shown on the other', async () => {
    const slack = await SlackServer.start();
    slack.workspace.join(ANA.slack);
    const discord = await DiscordServer.start();
    discord.guild.join(ANA.discord);
    const room = '400000000000000001';
    discord.guild.addChannel(room);
    const gateway = await startTestGateway({
      env: { APP: slack.appToken, BOT: slack.botToken, DISCORD: discord.token },
      config: `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [owner], identities: { slack: ${ANA.slack}, discord: "${ANA.discord}" } } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: {} }
channels:
  slack: { app_token: "env:APP", bot_token: "env:BOT", max: once, api_url: "${slack.apiUrl}" }
  discord: { token: "env:DISCORD", channel: "${room}", api_url: "${discord.apiUrl}" }
`,
    });
    const asked = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json: QUESTION });
    expect(asked.status).toBe(201);
    const here = await waitUntil('the question in Slack', () => slack.workspace.list('DANA1').at(-1));
    const there = await waitUntil('the question in Discord', () => discord.guild.list(room).at(-1));
    // `max: once` leaves no standing answer on Slack; Discord has all.
    expect(here.buttons.map(({ text }) => text.charAt(0))).toEqual(['1', '3', '4', '5']);
    expect(there.buttons.map(({ label }) => label.charAt(0))).toEqual(['1', '3', '2', 'A', '6', '4', '5']);
    const [told] = await slack.press(here, '1 Allow once');
    expect(told).toMatchObject({ kind: 'told', text: expect.stringMatching(/^✅ Allowed once/) });
    await waitFor('the end of the question in Discord', () =>
      expect(discord.guild.list(room).at(-1)?.content).toMatch(/Allowed once \(ana by slack/),
    );
    expect(gateway.log.join('')).not.toMatch(/xoxb|xapp|NzAw/);
    await gateway.close();
    await slack[Symbol.asyncDispose]();
    await discord[Symbol.asyncDispose]();
  });
});
