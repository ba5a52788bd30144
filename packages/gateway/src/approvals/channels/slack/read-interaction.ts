import { z } from 'zod';
import { type ButtonOwner, type Form, formDecision, readButtonData } from '../answer-button.ts';
import type { ChannelAnswer } from '../channel.ts';
import { textOfForm } from './blocks.ts';

const UserSchema = z.object({ id: z.string(), is_bot: z.boolean().optional() });

const PressSchema = z.object({
  user: UserSchema,
  channel: z.object({ id: z.string() }).optional(),
  actions: z.tuple([z.object({ value: z.string().optional() })]),
  trigger_id: z.string().optional(),
});

const SubmissionSchema = z.object({
  user: UserSchema,
  view: z.object({ private_metadata: z.string(), state: z.object({ values: z.unknown() }) }),
});

/** What one interaction is for us. */
export type Incoming =
  | { readonly kind: 'answer'; readonly answer: ChannelAnswer }
  /** the person wants to write a text; `data` goes into the form and comes back with it */
  | {
      readonly kind: 'open-form';
      readonly form: Form;
      readonly approvalId: string;
      readonly trigger: string;
      readonly data: string;
    }
  | { readonly kind: 'bad' };

export interface ReadOptions {
  readonly key: ButtonOwner['key'];
  readonly isListed: (identity: string) => boolean;
}

/** A member of a workspace; bots that are members are refused by `conversations.open`, and so never asked. */
const MEMBER = /^[UW][A-Z0-9]{2,30}$/;

export function isMemberId(identity: string): boolean {
  return MEMBER.test(identity) && identity !== 'USLACKBOT';
}

/**
 * SECURITY: a press counts in a direct conversation, from a listed person, with data that was made for them [AP-2].
 * Slack says who pressed, over a socket that our app token opened; nobody else can write to it.
 */
export function readPress(body: unknown, options: ReadOptions): Incoming {
  const { data: press } = PressSchema.safeParse(body);
  if (press === undefined || !isPerson(press.user, options)) return BAD;
  if (press.channel?.id.startsWith('D') !== true) return BAD;
  const data = press.actions[0].value ?? '';
  const read = readButtonData(data, ownerOf(press.user.id, options));
  if (read === undefined) return BAD;
  const { approvalId } = read;
  if (read.kind === 'form') {
    return { kind: 'open-form', form: read.form, approvalId, trigger: press.trigger_id ?? '', data };
  }
  const answer = { kind: 'decision', decision: read.decision } as const;
  return { kind: 'answer', answer: { approvalId, identity: press.user.id, answer } };
}

/** SECURITY: what the form carries is checked again: a submission says nothing about how its form was opened. */
export function readSubmission(body: unknown, options: ReadOptions): Incoming {
  const { data: submission } = SubmissionSchema.safeParse(body);
  if (submission === undefined || !isPerson(submission.user, options)) return BAD;
  const { user, view } = submission;
  const read = readButtonData(view.private_metadata, ownerOf(user.id, options));
  if (read?.kind !== 'form') return BAD;
  const decision = formDecision(read.form, textOfForm(view.state.values));
  const answer = { kind: 'decision', decision } as const;
  return { kind: 'answer', answer: { approvalId: read.approvalId, identity: user.id, answer } };
}

const BAD: Incoming = { kind: 'bad' };

function isPerson(user: z.infer<typeof UserSchema>, { isListed }: ReadOptions): boolean {
  return isMemberId(user.id) && user.is_bot !== true && isListed(user.id);
}

function ownerOf(identity: string, { key }: ReadOptions): ButtonOwner {
  return { key, channel: 'slack', identity };
}
