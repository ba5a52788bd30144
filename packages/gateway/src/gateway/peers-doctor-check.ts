import type { DoctorCheck } from '../config/index.ts';
import { nativeCalls } from '../shared/native-calls.ts';

/** Whether the operator side can tell a person's terminal from what an agent started. */
export const peersDoctorCheck: DoctorCheck = {
  id: 'identity.peers',
  title: 'operator side',
  async run() {
    if (nativeCalls() !== undefined)
      return { status: 'ok', message: 'the operator side refuses processes that an agent started' };
    return {
      status: 'warn',
      message:
        'nobody can tell who is at the operator socket: an unconfined agent with its token is not refused',
      fix: 'on Linux, use a Node with `node:ffi` (26.1 or newer, without --no-experimental-ffi); elsewhere run the gateway as a user of its own',
    };
  },
};
