import type { BackendName, DoctorCheck } from '../config/index.ts';
import { probeJail, readyJail } from './jail/index.ts';
import type { BackendDefinition } from './spec/backend-definition.ts';

/** Every backend that can be named. */
export const BACKENDS = {
  bubblewrap: {
    docs: {
      isolation: 'namespaces of its own: no network but the gateway, no files but what is bound',
      needs: 'Linux with `bwrap` and user namespaces; macOS uses `sandbox-exec` with the same rules',
    },
    probe: probeJail,
    // Loaded when the first command comes: `sallyport run` needs none of it.
    openCommands: async (host) => (await import('./bubblewrap-backend.ts')).createBubblewrapBackend(host),
    readyAgent: readyJail,
  },
} satisfies Readonly<Record<BackendName, BackendDefinition>>;

/** Whether agents can be jailed here: a jail is built and thrown away. */
export const jailDoctorCheck: DoctorCheck = {
  id: 'sandbox.jail',
  title: 'jail',
  async run() {
    const problem = BACKENDS.bubblewrap.probe();
    if (problem === undefined) return { status: 'ok', message: '`sallyport run` can jail agents here' };
    const { message, hint } = problem;
    return { status: 'fail', message, ...(hint === undefined ? {} : { fix: hint }) };
  },
};
