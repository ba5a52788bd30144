import type { Readable } from 'node:stream';
import { SallyportError } from '@sallyport/protocol';
import type { CliContext } from './context.ts';

const MOST_CHARACTERS = 65_536;

/** Reads a secret: typed without an echo on a terminal, or all of what is piped in. Never from an argument. */
export async function readHidden(question: string, context: CliContext): Promise<string> {
  const stdin = context.streams.stdin ?? process.stdin;
  if (!('setRawMode' in stdin) || stdin.isTTY !== true) return readAll(stdin);
  context.streams.stderr.write(`${question}: `);
  stdin.setRawMode(true);
  stdin.resume();
  stdin.setEncoding('utf8');
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = '';
      stdin.on('data', (text: string) => {
        for (const key of text) {
          if (key === '\r' || key === '\n') return resolve(typed);
          if (key === '\u0003' || key === '\u0004')
            return reject(new SallyportError('BadRequest', { message: 'nothing was changed' }));
          typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key;
        }
      });
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stdin.removeAllListeners('data');
    context.streams.stderr.write('\n');
  }
}

async function readAll(stdin: NodeJS.ReadableStream | Readable): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > MOST_CHARACTERS) {
      throw new SallyportError('BadRequest', { message: 'a value of more than 64 KiB is not taken' });
    }
  }
  return text;
}
