import { describe } from 'vitest';
import { NO_BWRAP, openBubblewrap, openSubprocess } from './backends.ts';
import { describeSandboxContract } from './sandbox.contract.ts';

describeSandboxContract('subprocess', openSubprocess);

describe.skipIf(NO_BWRAP)('with bwrap', () => {
  describeSandboxContract('bubblewrap', openBubblewrap);
});
