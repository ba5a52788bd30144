import { Writable } from 'node:stream';
import { runCli } from '../src/commands/program.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  json<Shape>(): Shape;
}

/** Runs one command line in this process, and keeps what a person would have seen. */
export async function runCommand(home: string, ...argv: readonly string[]): Promise<Ran> {
  const stdout = new Collector();
  const stderr = new Collector();
  const before = process.exitCode;
  process.exitCode = undefined;
  const returned = await runCli({
    argv,
    env: { SALLYPORT_HOME: home, HOME: home },
    streams: { stdout, stderr },
    signal: AbortSignal.timeout(60_000),
  });
  const code = Number(process.exitCode ?? returned);
  process.exitCode = before;
  return { code, stdout: stdout.text, stderr: stderr.text, json: () => JSON.parse(stdout.text) };
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
