import { PassThrough, Writable } from 'node:stream';
import { runCli } from '../src/commands/program.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  json<Shape>(): Shape;
}

/** Runs one command line in this process, and keeps what a person would have seen. */
export function runCommand(home: string, ...argv: readonly string[]): Promise<Ran> {
  return runOn({}, home, ...argv);
}

/** A terminal, as far as a command looks at it: how wide it is, and what its person types. */
export interface Place {
  readonly columns?: number;
  /** a line for each time that something is asked */
  readonly typed?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The same on a terminal, where `columns` are given. */
export async function runOn(place: Place, home: string, ...argv: readonly string[]): Promise<Ran> {
  const stdout = new Collector(place.columns);
  const stderr = new Collector(place.columns);
  const stdin = Object.assign(new PassThrough(), { isTTY: place.typed !== undefined });
  const lines = [...(place.typed ?? [])];
  stderr.on('asked', () => stdin.write(`${lines.shift() ?? ''}\n`));
  const before = process.exitCode;
  process.exitCode = undefined;
  const returned = await runCli({
    argv,
    env: { SALLYPORT_HOME: home, HOME: home, NO_COLOR: '1', ...place.env },
    streams: { stdout, stderr, stdin },
    signal: AbortSignal.timeout(60_000),
  });
  const code = Number(process.exitCode ?? returned);
  process.exitCode = before;
  return { code, stdout: stdout.text, stderr: stderr.text, json: () => JSON.parse(stdout.text) };
}

class Collector extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  constructor(columns?: number) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const text = chunk.toString('utf8');
    this.text += text;
    done();
    if (/\) $/.test(text)) this.emit('asked');
  }
}
