import { randomInt } from 'node:crypto';
import { type Action, CONNECT } from '@sallyport/protocol';
import { finishAction, riskOf } from '../../../actions/index.ts';
import { visibleText } from '../../../shared/visible-text.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import type { Principal } from './oauth-parts.ts';

/** Letters that nobody takes for another one, and that spell no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;

/** `BCDF-GHJK`: shown in the browser and in the question, so that a person sees that the two belong together. */
export function newShortCode(): string {
  const half = (): string => Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${half()}-${half()}`;
}

export interface ConnectDetails extends Principal {
  readonly shortCode: string;
  /** address of the browser that asks */
  readonly from: string;
  /** how long it may go on, in days */
  readonly days: number;
}

/** "May this program work as that agent?", as an action: nobody's but the program's own, which nobody knows. */
export function connectAction(
  { client, redirectUri, resource }: AuthorizeRequest,
  { tenant, user, agent, shortCode, from, days }: ConnectDetails,
): Action {
  return finishAction({
    door: 'api',
    actor: { tenant, client: client.label, chain: [], confinement: 'unconfined' },
    tool: CONNECT.tool,
    type: CONNECT.type,
    effect: 'write',
    reach: 'remote',
    risk: riskOf(CONNECT.type, 'write'),
    target: { kind: 'plain' },
    input: {
      ...{ user, agent, resource, redirect_uri: redirectUri, client_name: client.name },
      code: shortCode,
    },
    preview: [
      `Code: ${shortCode}`,
      'Say yes only if you have just begun this, and the page in your browser shows this very code.',
      '',
      `A program at ${from} that calls itself ${quoted(client.name)} wants to work through Sallyport`,
      `as the agent \`${agent}\` of the user \`${user}\`, unconfined, at ${resource}.`,
      `It gets the answer at ${redirectUri}. The name is its own word: nothing has checked it.`,
      '',
      `A yes opens a session with all that this agent may do, for ${days} days at most.`,
      'Its calls are judged and asked about as ever; ending the session ends all of it.',
    ].join('\n'),
  });
}

/** SECURITY: one line, and nothing hidden: a name writes no line of ours [AP-6]. */
function quoted(name: string): string {
  return JSON.stringify(visibleText(name).replace(/[\n\t]/g, ' '));
}
