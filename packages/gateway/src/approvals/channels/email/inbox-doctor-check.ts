import { existsSync } from 'node:fs';
import { type DoctorCheck, loadConfig } from '../../../config/index.ts';

/** What a trusted forwarder gives up; silent about everything else that is wrong with the config. */
export const inboxDoctorCheck: DoctorCheck = {
  id: 'channels.inbox',
  title: 'replies by mail',
  async run({ paths, env }) {
    const config = existsSync(paths.config)
      ? loadConfig({ file: paths.config, env, checks: [] }).config
      : undefined;
    const { email } = config?.channels ?? {};
    if (email === undefined) return { status: 'ok', message: 'no mail channel is configured' };
    if (email.inbox?.trust !== 'forwarder')
      return {
        status: 'ok',
        message: 'a reply must bring the key of its question back from the address asked',
      };
    return {
      status: 'warn',
      message:
        'whoever holds `inbox.secret` answers for everyone who is asked by mail: no key, no sender and no signature is checked (`channels.email.inbox.trust: forwarder`)',
      fix: 'let the forwarder send `from`, and `raw` where it can, and take `trust: forwarder` out',
    };
  },
};
