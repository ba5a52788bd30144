import type { BackendName } from '../config/index.ts';
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
