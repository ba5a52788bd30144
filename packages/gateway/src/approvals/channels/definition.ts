import type { KeyObject } from 'node:crypto';
import type { ChannelName, Config, DoctorCheck, Variables } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Secret } from '../../shared/secret.ts';
import type { Approval } from '../approval/approval.ts';
import type { Channel } from './channel.ts';
import type { InboxHandler } from './inbox.ts';

/** Somebody answered, and what came does not prove who. */
export interface UnprovedAnswer {
  readonly approvalId: string;
  readonly identity: string;
  readonly reason: string;
}

/** What every channel is opened with. */
export interface ChannelTools {
  readonly env: Variables;
  readonly clock: Clock;
  /** key of the tokens on buttons and in links */
  readonly key: KeyObject;
  /** Reads a secret that the config names. */
  readonly read: (reference: string) => Promise<Secret>;
  /** Reads a file that the config names, relative to the home. */
  readonly readText: (path: string) => string;
  /** whether somebody in the config in force has this identity */
  readonly isListed: (identity: string) => boolean;
  /** the identities of everybody in the config in force */
  readonly identities: () => readonly string[];
  /** where the operator side is reached, once it listens */
  readonly operatorUrl: () => string;
  readonly find: (approvalId: string) => Promise<Approval | undefined>;
  /** identities that got this question on this channel */
  readonly asked: (approvalId: string) => Promise<readonly string[]>;
  /** somebody answered and could not be proved: nothing is decided, and the trail keeps it */
  readonly onUnproved: (answer: UnprovedAnswer) => void;
  readonly onProblem: (error: unknown) => void;
  readonly onHealthy: () => void;
}

/** What a channel is tried with. */
export interface ChannelTrial extends Pick<ChannelTools, 'env' | 'read' | 'readText'> {
  /** people that it must reach: their identities on this channel */
  readonly identities: readonly string[];
  readonly signal: AbortSignal;
}

/** One thing that `sallyport setup` asks for, to make the settings of a channel. */
export interface SetupField {
  readonly key: string;
  /** for people; a hint where it is found belongs into it */
  readonly ask: string;
  /** typed without an echo, and kept as a secret: the settings get a reference to it */
  readonly isSecret?: true;
  readonly pattern: RegExp;
  /** what the pattern wants, for people */
  readonly form: string;
}

export interface ChannelSetup<Name extends ChannelName = ChannelName> {
  /** what to do elsewhere first; a few short lines */
  readonly before: readonly string[];
  readonly fields: readonly SetupField[];
  /** `answers`: by key; for a secret the reference to it */
  settings(answers: Readonly<Record<string, string>>): SettingsInput<Name>;
}

/** Settings as somebody would write them: what has a default may be missing. */
export type SettingsInput<Name extends ChannelName> = Readonly<
  Partial<Record<keyof NonNullable<Config['channels'][Name]>, SettingValue>>
>;
type SettingValue = string | number | { readonly [key: string]: SettingValue };

/** The page behind a decision link: shown for GET, decided for POST only. */
export interface DecisionLinks {
  decide(request: {
    readonly method: 'GET' | 'POST';
    readonly approvalId: string;
    readonly who: string;
    readonly key: string;
    readonly fields: Readonly<Record<string, string | undefined>>;
  }): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }>;
}

/** Where Telegram posts updates; false when the secret token is not ours. */
export interface TelegramUpdates {
  receive(secretToken: string | undefined, update: never): Promise<boolean>;
}

/** A channel, and the way in that some of them need. */
export interface OpenedChannel {
  readonly channel: Channel;
  readonly onMail?: InboxHandler;
  readonly decisions?: DecisionLinks;
  readonly telegram?: TelegramUpdates;
}

/**
 * All that the gateway knows about one channel. Its settings and the form of its identities stand in
 * `config/sections/channels.ts`, below everything that reads the config; the rest stands here.
 */
export interface ChannelDefinition<Name extends ChannelName = ChannelName> {
  /** for people: what a person needs, and what proves that an answer is theirs; one sentence each */
  readonly docs: { readonly needs: string; readonly proof: string };
  /** what `sallyport doctor` looks at, besides that the config fits; ids begin with `channels.` */
  readonly doctor: readonly DoctorCheck[];
  /** how `sallyport setup` asks for it; absent: it is written by hand */
  readonly setup?: ChannelSetup<Name>;
  /**
   * Signs in as the channel would, and looks for the people, without asking them anything. Says as what in a few words;
   * rejects with a `SallyportError` whose hint mends it.
   */
  try(config: NonNullable<Config['channels'][Name]>, trial: ChannelTrial): Promise<string>;
  /**
   * Makes the channel of what the config says; its library is loaded only here. Throws for a secret or a file that
   * cannot be read. It is opened anew whenever its settings change, or a secret or file that it read through `tools`:
   * what it reads in another way is not noticed.
   */
  open(config: NonNullable<Config['channels'][Name]>, tools: ChannelTools): Promise<OpenedChannel>;
}

/** One for each key of the schema: one without the other does not compile. */
export type ChannelDefinitions = { readonly [Name in ChannelName]: ChannelDefinition<Name> };
