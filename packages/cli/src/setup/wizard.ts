import { join } from 'node:path';
import type { FoundCredential } from '@sallyport/gateway';
import { firstConfigText, identityForm } from '@sallyport/gateway/config';
import type { HomePaths } from '@sallyport/gateway/home';
import { type ApprovalDetail, SallyportError } from '@sallyport/protocol';
import { questionLines } from '../approvals/describe-question.ts';
import type { Asker } from './asker.ts';
import { askForChannel, type ChannelAnswer } from './channel-step.ts';
import { readyPolicies, withChannel, withIdentity } from './config-draft.ts';
import { findAgents } from './found-agents.ts';
import { askTestQuestion } from './trial-gateway.ts';

/** What was answered; nothing is written yet. */
export interface Answers {
  /** `keep`: as it is */
  readonly agents: 'jail' | 'hook' | 'none' | 'keep';
  readonly found: readonly string[];
  /** undefined: in a terminal alone */
  readonly channel: ChannelAnswer | undefined;
  readonly credentials: readonly FoundCredential[];
  readonly policy: string;
  readonly service: boolean;
}

/** What was given as flags is not asked. */
export interface Given {
  readonly agents?: Answers['agents'];
  readonly channel?: string;
  readonly identity?: string;
  readonly set: Readonly<Record<string, string>>;
  readonly credentials?: 'all' | 'none' | readonly string[];
  readonly policy?: string;
  readonly service?: boolean;
  /** ask the test question */
  readonly test: boolean;
}

export interface WizardContext {
  readonly asker: Asker;
  readonly given: Given;
  readonly paths: HomePaths;
  readonly env: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly osUser: string;
  readonly width: number;
  readonly signal: AbortSignal;
  readonly hasConfig: boolean;
  /** names of credentials that the config has already */
  readonly known: readonly string[];
  /** a line about what a policy would have decided; undefined where nothing is recorded */
  readonly simulate: (policy: string) => Promise<string | undefined>;
}

const QUESTIONS = 6;

/** Asks its questions, tries what can be tried, and changes nothing. */
export async function askAll(context: WizardContext): Promise<Answers> {
  const { agents, found } = await askAgents(context);
  const channel = await askChannel(context);
  const credentials = await askCredentials(context);
  const policy = await askPolicy(context);
  const service =
    context.given.service ??
    (await context.asker.confirm(numbered(5, 'Start the gateway with every login, as a service?'), false));
  return { agents, found, channel, credentials, policy, service };
}

export function numbered(number: number, question: string): string {
  return `${number}/${QUESTIONS}  ${question}`;
}

async function askAgents({ asker, given, env }: WizardContext): Promise<Pick<Answers, 'agents' | 'found'>> {
  const found = findAgents(env);
  if (given.agents !== undefined) return { agents: given.agents, found };
  const names = found.length === 0 ? 'none found in the path' : found.join(', ');
  const agents = await asker.choose<Answers['agents']>(
    numbered(1, `Agents here: ${names}. How do they pass the gate?`),
    [
      { value: 'jail', label: 'In a jail', hint: 'an alias for each: nothing gets out but through the gate' },
      { value: 'hook', label: 'By their hooks', hint: 'each asks before a tool runs; they run as you' },
      { value: 'none', label: 'Neither, for now', hint: 'sallyport run -- AGENT is always there' },
    ],
    found.length === 0 ? 'none' : 'jail',
  );
  return { agents, found };
}

async function askChannel(context: WizardContext): Promise<ChannelAnswer | undefined> {
  const { asker, given } = context;
  const { CHANNELS } = await import('@sallyport/gateway');
  const offered = Object.entries(CHANNELS).flatMap(([name, definition]) =>
    'setup' in definition ? [{ name, definition, setup: definition.setup }] : [],
  );
  for (;;) {
    const chosen =
      given.channel ??
      (await asker.choose(
        numbered(2, 'Where are you asked?'),
        [
          { value: 'terminal', label: 'terminal', hint: 'sallyport watch, or where the gateway runs' },
          ...offered.map(({ name, definition }) => ({
            value: name,
            label: name,
            hint: definition.docs.needs,
          })),
        ],
        'terminal',
      ));
    const found = offered.find(({ name }) => name === chosen);
    if (found === undefined && chosen !== 'terminal')
      throw new SallyportError('BadRequest', {
        message: `there is no channel \`${chosen}\` that can be set up here`,
        hint: `one of terminal, ${offered.map(({ name }) => name).join(', ')}`,
      });
    try {
      if (found === undefined) {
        await testTerminal(context);
        return undefined;
      }
      return await tryChannel(context, found.name, found.setup);
    } catch (error) {
      // In a script, and when the person leaves, there is no second try.
      if (!(error instanceof SallyportError) || error.code === 'BadRequest' || given.channel !== undefined)
        throw error;
      context.signal.throwIfAborted();
      asker.say(`That did not work: ${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}`);
    }
  }
}

type Setup = Parameters<typeof askForChannel>[0]['setup'];

async function tryChannel(context: WizardContext, channel: string, setup: Setup): Promise<ChannelAnswer> {
  const { asker, given, env, osUser, signal, paths } = context;
  const { configChecks, tryConfig } = await import('@sallyport/gateway');
  const {
    kept,
    trial,
    env: more,
  } = await askForChannel({
    ...{ asker, channel, setup, given: given.set, identity: given.identity ?? ownName(channel, osUser) },
    askIdentity: identityForm(channel) ?? { pattern: /\S/, form: 'a name' },
  });
  const text = withIdentity(withChannel(firstConfigText({ osUser }), channel, trial), channel, kept.identity);
  const config = await parseTrial(text, { ...env, ...more }, configChecks(paths, env));
  asker.say(`Trying ${channel} …`);
  const reports = await tryConfig(config, { paths, env: { ...env, ...more }, signal });
  const failed = reports.find(({ status }) => status !== 'ok');
  if (failed !== undefined)
    throw new SallyportError('Unavailable', {
      message: failed.message,
      ...(failed.fix === undefined ? {} : { hint: failed.fix }),
    });
  for (const { title, message } of reports) asker.say(`${title}: ${message}`);
  // What only tells cannot be answered there.
  if (!given.test || channel === 'desktop') return kept;
  asker.say(`A test question is on its way to you on ${channel}. Answer it there; Ctrl-C leaves.`);
  const answer = await askTestQuestion({ config: text, env: { ...env, ...more }, signal });
  asker.say(`You answered: ${answer}. ${channel} works.`);
  return kept;
}

/** On a desktop everybody is who they are. */
function ownName(channel: string, osUser: string): string | undefined {
  return channel === 'desktop' ? osUser || 'me' : undefined;
}

async function parseTrial(
  text: string,
  env: NodeJS.ProcessEnv,
  checks: ReturnType<typeof import('@sallyport/gateway')['configChecks']>,
) {
  const { loadConfig } = await import('@sallyport/gateway/config');
  const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-setup-'));
  try {
    const file = join(folder, 'sallyport.yaml');
    writeFileSync(file, text, { mode: 0o600 });
    return loadConfig({ file, env, checks }).config;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function testTerminal({ asker, given, env, osUser, width, signal }: WizardContext): Promise<void> {
  if (!given.test) return;
  const answer = async (question: ApprovalDetail): Promise<boolean> => {
    asker.show('This is how a question looks:', questionLines(question, width, Date.now()));
    const options = [
      { value: 'yes', label: 'Allow once' },
      { value: 'no', label: 'Deny' },
    ] as const;
    return (await asker.choose('Your answer?', options, 'yes')) === 'yes';
  };
  const status = await askTestQuestion({ config: firstConfigText({ osUser }), env, signal, answer });
  asker.say(`You answered: ${status}. The terminal works.`);
}

async function askCredentials({
  asker,
  given,
  env,
  userHome,
  known,
}: WizardContext): Promise<readonly FoundCredential[]> {
  const { findCredentials } = await import('@sallyport/gateway');
  const found = findCredentials({ env, userHome }).filter(({ name }) => !known.includes(name));
  if (given.credentials !== undefined) {
    if (given.credentials === 'none') return [];
    if (given.credentials === 'all') return found;
    const missing = given.credentials.find((name) => !found.some((one) => one.name === name));
    if (missing !== undefined)
      throw new SallyportError('NotFound', {
        message: `no credential \`${missing}\` was found here, or the config has it already`,
        hint: `found: ${found.map(({ name }) => name).join(', ') || 'none'}`,
      });
    return found.filter(({ name }) => given.credentials?.includes(name) === true);
  }
  if (found.length === 0) {
    asker.say(numbered(3, 'Credentials: none found; `sallyport credentials add` takes one.'));
    return [];
  }
  const picked = await asker.pick(
    numbered(3, 'Credentials found here. Which may agents use, without seeing them? (space picks)'),
    found.map(({ name, where }) => ({ value: name, label: name, hint: where })),
    [],
  );
  return found.filter(({ name }) => picked.includes(name));
}

async function askPolicy({ asker, given, hasConfig, simulate }: WizardContext): Promise<string> {
  const policies = readyPolicies();
  const first = hasConfig
    ? { value: 'keep', label: 'keep', hint: 'what your config says now' }
    : { value: 'standard', label: 'standard', hint: 'writes outside ask; own branches are free' };
  const options = [first, ...policies.map(({ name, means }) => ({ value: name, label: name, hint: means }))];
  if (given.policy !== undefined) {
    if (options.some(({ value }) => value === given.policy)) return given.policy;
    throw new SallyportError('BadRequest', {
      message: `there is no policy \`${given.policy}\``,
      hint: `one of ${options.map(({ value }) => value).join(', ')}`,
    });
  }
  const policy = await asker.choose(numbered(4, 'Which policy?'), options, first.value);
  const past = policy === 'keep' ? undefined : await simulate(policy);
  if (past !== undefined) asker.say(past);
  return policy;
}
