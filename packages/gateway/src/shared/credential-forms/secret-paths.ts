import { looksRandom } from './values.ts';

interface SecretPath {
  /** the host, and every host below it */
  readonly host: string;
  /** what follows the host, when it lets in whoever knows it */
  readonly path: RegExp;
  readonly what: string;
}

/** Addresses that are a credential: whoever knows one may post there. From the documentation of each service. */
const SECRET_PATHS: readonly SecretPath[] = [
  { host: 'hooks.slack.com', path: /^\/(?:services|workflows|triggers)\/./, what: 'a webhook of Slack' },
  { host: 'hooks.slack-gov.com', path: /^\/(?:services|workflows|triggers)\/./, what: 'a webhook of Slack' },
  { host: 'discord.com', path: /^\/api\/(?:v\d+\/)?webhooks\/\d+\/./, what: 'a webhook of Discord' },
  { host: 'discordapp.com', path: /^\/api\/(?:v\d+\/)?webhooks\/\d+\/./, what: 'a webhook of Discord' },
  { host: 'api.telegram.org', path: /^\/(?:file\/)?bot\d+(?::|%3A)/, what: 'the token of a bot' },
  { host: 'webhook.office.com', path: /^\/webhook/, what: 'a webhook of Teams' },
  { host: 'outlook.office.com', path: /^\/webhook/, what: 'a webhook of Teams' },
  { host: 'outlook.office365.com', path: /^\/webhook/, what: 'a webhook of Teams' },
  { host: 'logic.azure.com', path: /^\/workflows\/./, what: 'a workflow of Azure' },
  { host: 'powerplatform.com', path: /\/workflows\/./, what: 'a workflow of Power Automate' },
  { host: 'hooks.zapier.com', path: /^\/hooks\/./, what: 'a webhook of Zapier' },
  { host: 'make.com', path: /^\/[a-z0-9]{20,}/, what: 'a webhook of Make' },
  { host: 'integromat.com', path: /^\/[a-z0-9]{20,}/, what: 'a webhook of Make' },
  { host: 'maker.ifttt.com', path: /\/with\/key\/./, what: 'a key of IFTTT' },
  { host: 'open.feishu.cn', path: /^\/open-apis\/bot\/(?:v2\/)?hook\/./, what: 'a webhook of Feishu' },
  { host: 'open.larksuite.com', path: /^\/open-apis\/bot\/(?:v2\/)?hook\/./, what: 'a webhook of Lark' },
  { host: 'events.pagerduty.com', path: /^\/integration\/./, what: 'a key of PagerDuty' },
  { host: 'alert.victorops.com', path: /^\/integrations\/./, what: 'a key of Splunk On-Call' },
  { host: 'webhook.site', path: /^\/[0-9a-f]{8}-[0-9a-f-]{27}/i, what: 'a webhook' },
  { host: 'm.pipedream.net', path: /^\//, what: 'a webhook of Pipedream' },
  { host: 'infura.io', path: /^\/(?:ws\/)?v3\/./, what: 'a key of Infura' },
  { host: 'alchemy.com', path: /^\/v2\/./, what: 'a key of Alchemy' },
  { host: 'hooks.airtable.com', path: /^\/workflows\/./, what: 'a webhook of Airtable' },
  { host: 'hc-ping.com', path: /^\/[0-9a-f]{8}-/i, what: 'a check of Healthchecks' },
];

const byHost = new Map<string, SecretPath[]>();
for (const entry of SECRET_PATHS) byHost.set(entry.host, [...(byHost.get(entry.host) ?? []), entry]);

/** Mattermost, Rocket.Chat, n8n and their like, wherever they run. */
const ANYWHERE = /\/(?:web)?hooks?(?:-test)?\/(?:[a-z-]{1,20}\/)?([A-Za-z0-9/_-]{20,})$/;

/** What an address is, if knowing it is all that it takes to use it. `path`: normalised. */
export function secretPath(host: string, path: string): string | undefined {
  for (let at = 0; at !== -1; at = host.indexOf('.', at + 1)) {
    const found = byHost.get(at === 0 ? host : host.slice(at + 1))?.find((entry) => entry.path.test(path));
    if (found !== undefined) return found.what;
  }
  const token = path.includes('hook') ? ANYWHERE.exec(path)?.[1] : undefined;
  return token !== undefined && looksRandom(token) ? 'a webhook' : undefined;
}
