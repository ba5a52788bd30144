import type { Action } from '@sallyport/protocol';
import { type ModelRequest, ScriptedModel, type ScriptedTurn } from '@sallyport/testkit';
import {
  type Channel,
  ModelClient,
  type Notice,
  Reviewer,
  SemanticJudge,
} from '../../src/approvals/index.ts';
import { Redactor } from '../../src/audit/index.ts';
import { ConfigSchema, type GatekeeperConfig } from '../../src/config/index.ts';
import { bash, fact } from '../../src/gate/gate.fixture.ts';
import type { GateParts } from '../../src/gate/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { CONFIG, openFixture } from '../approvals/approvals-fixture.ts';
import { FakeChannel } from '../approvals/fake-channel.ts';

export type Provider = 'anthropic' | 'openai-compatible';
export const PROVIDERS: readonly Provider[] = ['anthropic', 'openai-compatible'];
export const MODELS = { anthropic: 'claude-haiku-4-5', 'openai-compatible': 'qwen3:8b' } as const;
export const API_KEY = 'sk-test-9f3b7c1d5e2a4860';

/** A channel that can tell. */
export class TellingChannel extends FakeChannel {
  readonly told: { readonly notice: Notice; readonly user: string }[] = [];

  async tell(notice: Notice, { user }: Parameters<NonNullable<Channel['tell']>>[1]): Promise<void> {
    this.told.push({ notice, user });
  }
}

/** What one test changes; everything else is as in the beginning. */
export interface Scene {
  readonly provider?: Provider;
  readonly reply?: (request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>;
  /** over the gatekeeper that points at the scripted model */
  readonly gatekeeper?: object;
  readonly config?: object;
}

export interface ReviewFixtureOptions {
  readonly client?: Partial<ConstructorParameters<typeof ModelClient>[0]>;
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What `ask:*` for the agent leaves to a reviewer. */
export const ASKING = { ...CONFIG, agents: { dev: { permissions: ['deny:Bash(rm *)', 'ask:*'] } } };

/** A gate with a reviewer and a judge, through the real SDK, over a socket, to a scripted model. */
export async function openReview(options: ReviewFixtureOptions = {}) {
  const model = await ScriptedModel.start({ reply: () => rated('low'), apiKey: API_KEY });
  const chat = new TellingChannel('chat');
  const fixture = await openFixture({
    config: ASKING,
    channels: [chat],
    ...(options.delay === undefined ? {} : { delay: options.delay }),
  });
  const settings = (provider: Provider, over: object = {}): GatekeeperConfig | undefined =>
    ConfigSchema.parse({
      gatekeeper: {
        model: `${provider}:${MODELS[provider]}`,
        base_url: `${model.url}/v1`,
        api_key: 'env:MODEL_KEY',
        auto_approve: 'low',
        ...over,
      },
    }).gatekeeper;
  let scene: Scene = {};
  let gatekeeper = settings('openai-compatible');
  const redactor = new Redactor();
  redactor.learn(new Secret(API_KEY));
  const parts = {
    settingsOf: () => gatekeeper,
    client: new ModelClient({ readSecret: async () => new Secret(API_KEY), ...options.client }),
    redactor,
    trail: fixture.trail,
  };
  const reviewer = new Reviewer({
    ...parts,
    onApproved: (action, title, review) => fixture.open.notices.tell(action, title, review),
  });
  const judge = new SemanticJudge(parts);
  return {
    ...fixture,
    fixture,
    model,
    chat,
    redactor,
    settings: () => gatekeeper,
    reviewer,
    gate: fixture.gateWith({ reviewer, judge }),
    gateWith: (over: Partial<GateParts>) => fixture.gateWith({ reviewer, judge, ...over }),
    /** begins a test: nothing of the one before is left */
    async prepare(next: Scene = {}) {
      scene = next;
      gatekeeper = settings(scene.provider ?? 'openai-compatible', scene.gatekeeper);
      fixture.setPolicy(scene.config ?? ASKING);
      await fixture.open.approvals.withdrawAll();
      // Whoever comes back now asks anew.
      fixture.clock.advance(180_000);
      await fixture.open.delivered();
      model.reply = scene.reply ?? (() => rated('low'));
      for (const list of [model.requests, model.refusals, chat.told, fixture.errors]) list.length = 0;
    },
    /** changes the gatekeeper, as a reload of the config does */
    set(over: object | undefined) {
      gatekeeper =
        over === undefined
          ? undefined
          : settings(scene.provider ?? 'openai-compatible', { ...scene.gatekeeper, ...over });
    },
    /** admits, and leaves as soon as people are asked: the question, and the verdict of a caller that left */
    async asked(action: Action) {
      const leaving = new AbortController();
      const verdict = fixture.gateWith({ reviewer, judge }).admit(action, { signal: leaving.signal });
      const question = await Promise.race([fixture.question(), verdict.then(() => undefined)]);
      leaving.abort();
      return { question, verdict: await verdict };
    },
    /** events about an action with their data, oldest first */
    async events(action: Pick<Action, 'id'>) {
      const { items } = await fixture.trail.read({ actionId: action.id, limit: 100, order: 'asc' });
      return items.map(({ type, json }) => ({ type, data: JSON.parse(json).data, json }));
    },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

export type ReviewFixture = Awaited<ReturnType<typeof openReview>>;

/** A review as a model writes it. */
export function rated(risk: string, over: object = {}): ScriptedTurn {
  return { text: JSON.stringify({ risk, summary: 'it does a thing', reasons: ['because'], ...over }) };
}

export function verdict(word: 'pass' | 'refuse', reason = 'because of the criteria'): ScriptedTurn {
  return { text: JSON.stringify({ verdict: word, reason }) };
}

/** What the model got as data. */
export function dataOf(request: ModelRequest | undefined): Readonly<Record<string, unknown>> {
  const messages = request?.body.messages as readonly { readonly role: string; readonly content: unknown }[];
  const users = messages.filter(({ role }) => role === 'user');
  if (users.length !== 1) throw new Error('expected one user message');
  const content = users[0]?.content;
  const text =
    typeof content === 'string' ? content : (content as readonly { readonly text: string }[])[0]?.text;
  return JSON.parse(text ?? '');
}

let made = 0;

/** A local command that a rule asks about: of strength `review`. Every one has an id of its own. */
export function local(line = 'make test', over: Parameters<typeof bash>[1] = {}): Action {
  made += 1;
  return bash([fact(line)], {
    id: `act_review${made}`,
    effect: 'write',
    input: { command: line },
    preview: line,
    binding: `b${made}`,
    fingerprint: `f${made}`,
    ...over,
  });
}
