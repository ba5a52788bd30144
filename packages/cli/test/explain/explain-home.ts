import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { firstConfigText } from '@sallyport/gateway/config';
import { tempDir } from '@sallyport/testkit';
import { runCli } from '../../src/commands/program.ts';

export interface ExplainHome {
  readonly config: string;
  /** what `sallyport …` prints, with the folder of this test written as `~` */
  run(...argv: readonly string[]): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The home of a first start by `ana`, without a gateway: the config alone answers. */
export async function openExplainHome(policy = firstConfigText({ osUser: 'ana' })): Promise<ExplainHome> {
  const dir = await tempDir();
  const home = join(dir.path, '.sallyport');
  const config = join(home, 'sallyport.yaml');
  mkdirSync(join(dir.path, 'app'));
  mkdirSync(home);
  writeFileSync(config, policy);
  return {
    config,
    run: async (...argv) => {
      const printed: string[] = [];
      const stream = () =>
        new Writable({
          write: (chunk, _encoding, done) => {
            printed.push(String(chunk));
            done();
          },
        });
      await runCli({
        argv: [...argv],
        env: { HOME: dir.path },
        streams: { stdout: stream(), stderr: stream() },
        signal: new AbortController().signal,
      });
      return printed.join('').replaceAll(dir.path, '~');
    },
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}
