import { requireEngine } from '@sallyport/testkit';
import { describe } from 'vitest';
import { runGroup } from './run-group.ts';
import { sshGroup } from './ssh.ts';

const needs = requireEngine('bubblewrap', 'ssh');

describe.skipIf(needs.missing)(`with ssh (${needs.install})`, () => runGroup(sshGroup));
