import { parameterCertainty } from './names.ts';
import { isContract } from './plain-values.ts';
import { isUuid, looksRandom } from './values.ts';

interface SecretPath {
  /** the host, and every host below it */
  readonly host: string;
  /** what follows the host, when it lets in whoever knows it; what is in the first group must look like a token */
  readonly path: RegExp;
  readonly what: string;
  /** only hosts like this */
  readonly at?: RegExp;
}

const TOKEN_FIRST = /^\/([^/]+)/;
const UUID_LABEL = /^[0-9a-f]{8}-[0-9a-f-]{27}\./i;
/** Not documentation, nor the pages of the service. */
const API = /^(?!(?:docs?|www|support|help|dashboard|app|status|blog|developers?|learn|community)\.)/;

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
  { host: 'webhook.site', path: /^\/token\/./, what: 'a webhook' },
  { host: 'webhook.site', path: /^/, what: 'a webhook', at: UUID_LABEL },
  { host: 'emailhook.site', path: /^/, what: 'a webhook', at: UUID_LABEL },
  { host: 'dnshook.site', path: /^/, what: 'a webhook', at: UUID_LABEL },
  { host: 'api.netlify.com', path: /^\/build_hooks\/./, what: 'a build hook of Netlify' },
  { host: 'api.vercel.com', path: /^\/v1\/integrations\/deploy\/[^/]+\/./, what: 'a deploy hook of Vercel' },
  { host: 'uptime.betterstack.com', path: /^\/api\/v1\/heartbeat\/./, what: 'a heartbeat of Better Stack' },
  { host: 'betteruptime.com', path: /^\/api\/v1\/heartbeat\/./, what: 'a heartbeat of Better Stack' },
  { host: 'heartbeat.uptimerobot.com', path: /^\/./, what: 'a heartbeat of UptimeRobot' },
  { host: 'nosnch.in', path: /^\/./, what: 'a snitch' },
  { host: 'cronitor.link', path: /^\/./, what: 'a key of Cronitor' },
  { host: 'api.day.app', path: TOKEN_FIRST, what: 'a key of Bark' },
  { host: 'sctapi.ftqq.com', path: /^\/./, what: 'a key of ServerChan' },
  // packages
  { host: 'anaconda.org', path: /^\/t\/./, what: 'a token of Anaconda' },
  { host: 'anaconda.cloud', path: /\/t\/./, what: 'a token of Anaconda' },
  { host: 'cloudsmith.io', path: TOKEN_FIRST, what: 'a token of Cloudsmith' },
  { host: 'fury.io', path: TOKEN_FIRST, what: 'a token of Gemfury' },
  { host: 'packagecloud.io', path: /^\/priv\/./, what: 'a token of packagecloud' },
  { host: 'packagecloud.io', path: TOKEN_FIRST, what: 'a token of packagecloud' },
  { host: 'myget.org', path: /\/auth\/./, what: 'a key of MyGet' },
  // where logs go
  { host: 'datadoghq.com', path: /^\/(?:api\/)?v\d\/input\/./, what: 'a key of Datadog' },
  { host: 'datadoghq.eu', path: /^\/(?:api\/)?v\d\/input\/./, what: 'a key of Datadog' },
  { host: 'ddog-gov.com', path: /^\/(?:api\/)?v\d\/input\/./, what: 'a key of Datadog' },
  { host: 'loggly.com', path: /^\/(?:inputs|bulk)\/./, what: 'a token of Loggly', at: API },
  { host: 'sumologic.com', path: /^\/receiver\/v\d\/[a-z]+\/./, what: 'a token of Sumo Logic' },
  { host: 'sumologic.net', path: /^\/receiver\/v\d\/[a-z]+\/./, what: 'a token of Sumo Logic' },
  { host: 'sematext.com', path: TOKEN_FIRST, what: 'a token of Sematext', at: /receiver/ },
  // calendars
  {
    host: 'calendar.google.com',
    path: /^\/calendar\/(?:ical|feeds)\/[^/]+\/private-./,
    what: 'a private calendar',
  },
  { host: 'outlook.office365.com', path: /^\/owa\/calendar\/./, what: 'a private calendar' },
  { host: 'outlook.office.com', path: /^\/owa\/calendar\/./, what: 'a private calendar' },
  { host: 'outlook.live.com', path: /^\/owa\/calendar\/./, what: 'a private calendar' },
  { host: 'user.fm', path: /^\/calendar\/v\d-./, what: 'a private calendar' },
  { host: 'ics.teamup.com', path: /^\/feed\/./, what: 'a private calendar' },
  { host: 'tripit.com', path: /^\/feed\/ical\/private\/./, what: 'a private calendar' },
  // chains
  { host: 'infura.io', path: /^\/(?:ws\/)?v3\/./, what: 'a key of Infura', at: API },
  { host: 'alchemy.com', path: /^\/(?:nft\/)?v[23]\/./, what: 'a key of Alchemy', at: API },
  { host: 'alchemyapi.io', path: /^\/(?:nft\/)?v[23]\/./, what: 'a key of Alchemy', at: API },
  { host: 'quiknode.pro', path: /^\/./, what: 'a key of QuickNode' },
  { host: 'rpc.ankr.com', path: /^\/(?:[a-z_-]+\/)*([0-9a-zA-Z]{20,})/, what: 'a key of Ankr' },
  { host: 'getblock.io', path: TOKEN_FIRST, what: 'a key of GetBlock', at: API },
  { host: 'p2pify.com', path: TOKEN_FIRST, what: 'a key of Chainstack' },
  { host: 'chainstack.com', path: TOKEN_FIRST, what: 'a key of Chainstack', at: API },
  { host: 'blastapi.io', path: TOKEN_FIRST, what: 'a key of Blast', at: API },
  { host: 'nodereal.io', path: /^\/v1\/([^/]+)/, what: 'a key of NodeReal', at: API },
  { host: 'moralis-nodes.com', path: /^\/[a-z-]+\/([^/]+)/, what: 'a key of Moralis' },
  { host: 'gateway.tenderly.co', path: TOKEN_FIRST, what: 'a key of Tenderly' },
  { host: 'gateway.pokt.network', path: /^\/v1\/(?:lb\/)?([^/]+)/, what: 'a key of Pocket' },
  { host: 'hooks.airtable.com', path: /^\/workflows\/./, what: 'a webhook of Airtable' },
  { host: 'hc-ping.com', path: /^\/[0-9a-f]{8}-/i, what: 'a check of Healthchecks' },
];

const byHost = new Map<string, SecretPath[]>();
for (const entry of SECRET_PATHS) byHost.set(entry.host, [...(byHost.get(entry.host) ?? []), entry]);

/** Mattermost, Rocket.Chat, n8n and their like, wherever they run. */
const ANYWHERE =
  /\/(?:[a-z]{1,10}[_-]?)?(?:web)?hooks?(?:-test)?\/(?:[a-z-]{1,20}\/)?([A-Za-z0-9/_-]{20,512})$/;
/** What an API lists below one of its webhooks; the webhook is only named. */
const LISTED =
  /hooks\/[^/]+\/(?:deliveries|attempts|events|logs|requests|messages|history|pings?|tests?|stats|settings|edit)(?:\/[\w-]*)?$/;
/** Channels of conda behind a token, wherever they are served. */
const CHANNEL = /^(?:\/[\w.-]{1,40}){0,2}\/t\/([A-Za-z0-9_-]{16,200})\//;
/** `/v1/apikey/…/weather`, `/token/…`: a name, and a token in the next part. */
const NAMED = /\/([\w.-]{0,40}(?:key|token|secret))[/=:]([^/;]{16,512})/gi;
/** A commit below a repository of that name. */
const COMMIT = /^[0-9a-f]{40}$/;
const UUID_INSIDE = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** What an address is, if knowing it is all that it takes to use it. `path`: normalised. */
export function secretPath(host: string, path: string): string | undefined {
  for (let at = 0; at !== -1; at = host.indexOf('.', at + 1)) {
    const entries = byHost.get(at === 0 ? host : host.slice(at + 1));
    if (entries === undefined) continue;
    for (const entry of entries) if (isSecret(entry, host, path)) return entry.what;
  }
  if (path.includes('/t/') && isToken(CHANNEL.exec(path)?.[1])) return 'a token of conda';
  if (isNamed(path)) return 'a key';
  const token = path.includes('hook') && !LISTED.test(path) ? ANYWHERE.exec(path)?.[1] : undefined;
  return isToken(token) ? 'a webhook' : undefined;
}

function isSecret({ path: pattern, at }: SecretPath, host: string, path: string): boolean {
  const found = at?.test(host) === false ? null : pattern.exec(path);
  return found !== null && (found.length === 1 || isToken(found[1]));
}

function isNamed(path: string): boolean {
  // One look for most paths, which are short or have no such part.
  if (path.length < 20 || !/(?:key|token|secret)[/=:]/i.test(path)) return false;
  for (const [, name = '', token = ''] of path.matchAll(NAMED)) {
    if (COMMIT.test(token) || isContract(token) || isUuid(token) || !looksRandom(token)) continue;
    const certainty = parameterCertainty(name);
    if (certainty === 'certain' || certainty === 'likely' || name === 'key') return true;
  }
  return false;
}

function isToken(text: string | undefined): boolean {
  return text !== undefined && (looksRandom(text) || UUID_INSIDE.test(text));
}
