import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JailSpec } from '../../src/sandbox/jail/index.ts';
import { batchOutputs, batchScript } from '../sandbox/batch.ts';
import type { Escape } from '../sandbox/escapes/escape.ts';
import { FILE_ESCAPES } from '../sandbox/escapes/files.ts';
import { NETWORK_ESCAPES } from '../sandbox/escapes/network.ts';
import { PROCESS_ESCAPES } from '../sandbox/escapes/processes.ts';
import { type JailHost, startJailHost } from '../sandbox/jail-fixture.ts';

const bwrap = requireEngine('bubblewrap');
const REPO = join(import.meta.dirname, '../../../..');
const NODE = process.execPath;
const SECRET = 'key-of-the-worker';
const SHOWN = `grep -qa 'key[-]of-the-worker' && echo ESCAPED`;

/** What a command must not reach of the worker around it. */
const FROM_WORKER: readonly Escape[] = [
  {
    id: 'JA-4',
    why: "the worker's arguments",
    script: () => `cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | ${SHOWN}`,
  },
  { id: 'JA-4', why: "the worker's environment", script: () => `cat /proc/[0-9]*/environ | ${SHOWN}` },
  {
    id: 'JA-4',
    why: "the worker's memory",
    script: () => `for m in /proc/[0-9]*/maps; do grep -l nested-runner $m && echo ESCAPED; done`,
  },
  {
    id: 'JA-4',
    why: "the worker's files",
    script: () => `ls -l /proc/[0-9]*/exe /proc/[0-9]*/fd 2>/dev/null | grep -q 'bin/node' && echo ESCAPED`,
  },
  { id: 'JA-4', why: 'the namespaces around it', script: () => 'nsenter -t 1 -m -p true && echo ESCAPED' },
  {
    id: 'JA-4',
    why: 'a capability',
    script: () => `grep -q 'CapEff:.*[1-9a-f]' /proc/self/status && echo ESCAPED`,
  },
  {
    id: 'JA-4',
    why: 'another nest, which keeps more',
    script: () => 'bwrap --dev-bind / / --cap-add ALL true && echo ESCAPED',
  },
];

/** The environment of a command's first process is the one that the command has itself. */
const OWN = 'whoever started the jail leaves nothing of their environment in it';
const ESCAPES = [...FILE_ESCAPES, ...NETWORK_ESCAPES, ...PROCESS_ESCAPES, ...FROM_WORKER].filter(
  ({ why }) => why !== OWN,
);

describe.skipIf(bwrap.missing)(
  `[JA-1, JA-2, JA-3, JA-4] out of the jail of a command of our worker (${bwrap.install})`,
  () => {
    let host: JailHost;
    let outputs: readonly (string | undefined)[];
    beforeAll(async () => {
      host = await startJailHost();
      const over: Partial<JailSpec> = {
        nests: true,
        user: { uid: 0, gid: 0, name: 'agent' },
        programs: [
          ...[dirname(NODE), join(REPO, 'packages/worker'), join(REPO, 'node_modules/@sallyport')],
          ...[join(REPO, 'node_modules/canonicalize'), import.meta.dirname],
        ],
        command: [
          NODE,
          join(import.meta.dirname, 'nested-runner.ts'),
          batchScript(ESCAPES, host.places),
          SECRET,
        ],
      };
      const { output } = await host.run('', over);
      outputs = batchOutputs(output, ESCAPES.length);
    });
    afterAll(() => host[Symbol.asyncDispose]());

    test.each(ESCAPES.map((one, row) => ({ ...one, row })))('[$id] $why', ({ row }) => {
      expect(outputs[row]).toBeDefined();
      expect(outputs[row]).not.toContain('ESCAPED');
    });

    test('[JA-3] the folder beside the workspace is as it was', () => {
      expect(readdirSync(host.places.beside)).toEqual([]);
    });
  },
);
