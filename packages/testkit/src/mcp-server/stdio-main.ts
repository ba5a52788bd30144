import { createInterface } from 'node:readline';
import { FixtureSession } from './fixture-session.ts';

// The fixture server over its standard streams: `node stdio-main.ts [file with the description of `changing`]`.
const session = new FixtureSession(
  {
    send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
    closeStream: () => {},
  },
  { descriptionFile: process.argv[2] },
);
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void session.receive(JSON.parse(line)));
lines.on('close', () => process.exit(0));
