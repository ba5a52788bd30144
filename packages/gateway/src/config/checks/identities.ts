import { didYouMean } from '../../shared/suggest.ts';
import type { ConfigProblem } from '../config-check.ts';
import type { Config } from '../schema.ts';
import { ADDRESS } from '../sections/channels.ts';

interface IdentityForm {
  readonly pattern: RegExp;
  /** what the pattern wants, for people */
  readonly form: string;
}

const ANY_NAME: IdentityForm = { pattern: /\S/, form: 'a name' };

/** How a person is named on each channel, and in the gateway's own terminal. A new channel does not compile without. */
const FORMS: Readonly<Record<keyof Config['channels'] | 'terminal', IdentityForm>> = {
  telegram: { pattern: /^[1-9]\d{0,19}$/, form: 'the numeric id of a person, like `"987654321"`' },
  email: { pattern: ADDRESS, form: 'a plain address like `ana@example.com`' },
  slack: { pattern: /^[UW][A-Z0-9]{2,20}$/, form: 'a member id like `U012AB3CD`' },
  discord: { pattern: /^[1-9]\d{0,20}$/, form: 'the numeric id of a user, like `"80351110224678912"`' },
  webhook: ANY_NAME,
  desktop: ANY_NAME,
  terminal: ANY_NAME,
};

/**
 * Each identity is on a channel that exists and has the form that the channel uses: a typo would otherwise show when
 * the first question reaches nobody.
 */
export function checkIdentities(config: Config): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [tenant, { users }] of Object.entries(config.tenants)) {
    for (const [user, { identities }] of Object.entries(users)) {
      for (const [channel, identity] of Object.entries(identities)) {
        const problem = problemOf(channel, identity);
        const path = ['tenants', tenant, 'users', user, 'identities', channel];
        if (problem !== undefined) problems.push({ severity: 'error', path, ...problem });
      }
    }
  }
  return problems;
}

function problemOf(channel: string, identity: string): Pick<ConfigProblem, 'message' | 'hint'> | undefined {
  const known = Object.keys(FORMS);
  const wanted = Object.entries(FORMS).find(([name]) => name === channel)?.[1];
  if (wanted === undefined)
    return {
      message: `there is no channel \`${channel}\``,
      hint: didYouMean(channel, known) ?? `the channels are ${known.map((name) => `\`${name}\``).join(', ')}`,
    };
  if (wanted.pattern.test(identity)) return undefined;
  return {
    message: `\`${identity}\` names nobody on ${channel}`,
    hint: `expected ${wanted.form}`,
  };
}
