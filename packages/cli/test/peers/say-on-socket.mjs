// A request to the operator side, over its socket or its port, from wherever this is started; prints code and status.
//   node say-on-socket.mjs socket|port|handed-on|left   (left: makes a key over the port, and does not wait for the answer)
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';

const [how] = process.argv.slice(2);
const home = process.env.SALLYPORT_HOME;
const token = readFileSync(`${home}/operator.token`, 'utf8').trim();
const { ports } = JSON.parse(readFileSync(`${home}/runtime.json`, 'utf8'));
const request = `GET /v1/sessions HTTP/1.0\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;

function ask(socket) {
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  socket.once('end', () => {
    const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? 'none';
    process.stdout.write(`said ${answer.slice(9, 12)} ${code}\n`);
    socket.destroy();
  });
  socket.write(request);
}

if (how === 'left') {
  const body = JSON.stringify({ name: 'made-and-left' });
  const head = `POST /v1/keys HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`;
  const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const socket = connect(ports.operator, '127.0.0.1', () => socket.write(head + rest, () => process.exit()));
} else if (how === 'inherited') ask(new Socket({ fd: 3 }));
else if (how === 'handed-on') {
  const socket = connect(`${home}/operator.sock`, () => {
    // Its child has the connection, and nobody above it any more.
    const stdio = ['ignore', 'inherit', 'inherit', socket];
    spawn(process.execPath, [import.meta.filename, 'inherited'], { stdio, detached: true }).unref();
    process.exit();
  });
} else ask(how === 'port' ? connect(ports.operator, '127.0.0.1') : connect(`${home}/operator.sock`));
