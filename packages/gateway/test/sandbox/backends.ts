import { join } from 'node:path';
import { createBubblewrapBackend } from '../../src/sandbox/bubblewrap-backend.ts';
import type { SandboxBackend } from '../../src/sandbox/index.ts';
import { createSubprocessBackend } from '../../src/sandbox/subprocess-backend.ts';

/** An environment like a gateway's: with a secret in it. */
export const HOST_ENV = { ...process.env, GATEWAY_SECRET: 'sekret' };

export function openBubblewrap(folder: string): SandboxBackend {
  return createBubblewrapBackend({
    gatewayHome: join(folder, 'gateway'),
    userHome: join(folder, 'home'),
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: 'agent' },
  });
}

export function openSubprocess(): SandboxBackend {
  return createSubprocessBackend({ hostEnv: HOST_ENV });
}
