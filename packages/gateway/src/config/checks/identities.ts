import { didYouMean } from '../../shared/suggest.ts';
import { IDENTITY_FORMS, identityForm } from '../sections/channels.ts';
import type { Config } from '../sections/schema.ts';
import type { ConfigProblem } from './config-check.ts';

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
  const known = Object.keys(IDENTITY_FORMS);
  const wanted = identityForm(channel);
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
