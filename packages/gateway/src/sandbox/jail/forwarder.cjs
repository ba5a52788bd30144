'use strict';
// Runs inside the jail as the parent of the command: `node forwarder.cjs 9 7181,7180 program args…`.
// Listens on the jail's own loopback and hands each connection to the socket `<port>.sock` beside this file,
// which the gateway accepts as this session. No dependencies: nothing of the host is there to load.
const { spawn } = require('node:child_process');
const net = require('node:net');
const { constants } = require('node:os');
const { join } = require('node:path');

const QUEUE_FULL_MS = 5;

const [lifeline, ports, program, ...args] = process.argv.slice(2);

// SECURITY: bwrap ties the jail to its caller only late in its start: when the caller dies before that, this is
// the only one who knows. Descriptor `lifeline` ends with the caller; then everything in the jail does.
new net.Socket({ fd: Number(lifeline) })
  .on('error', () => undefined)
  .on('close', () => {
    try {
      process.kill(-1, 'SIGKILL');
    } catch {
      // Nobody else is left.
    }
    process.exit(137);
  })
  .resume();

function forward(port) {
  const path = join(__dirname, `${port}.sock`);
  const connect = (inner) => {
    const outer = net.connect({ path, allowHalfOpen: true });
    const end = () => {
      inner.destroy();
      outer.destroy();
    };
    outer.on('error', (error) => {
      // The gateway has not come round to the others yet.
      if (error.code === 'EAGAIN' && !inner.destroyed) setTimeout(connect, QUEUE_FULL_MS, inner);
      else end();
    });
    outer.on('connect', () => {
      inner.on('error', end);
      inner.on('close', () => outer.destroyed || outer.writableFinished || outer.destroy());
      outer.on('close', () => inner.destroyed || inner.writableFinished || inner.destroy());
      inner.pipe(outer);
      outer.pipe(inner);
      inner.resume();
    });
  };
  const options = { allowHalfOpen: true, noDelay: true, pauseOnConnect: true };
  return net.createServer(options, (inner) => {
    inner.on('error', () => inner.destroy());
    connect(inner);
  });
}

function listen(port, host) {
  return new Promise((resolve, reject) => {
    const server = forward(port);
    server.once('error', (error) => {
      // A machine without IPv6 has no ::1; then 127.0.0.1 is all there is.
      if (host === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) resolve();
      else reject(error);
    });
    server.listen({ port, host, backlog: 511, exclusive: true }, resolve);
  });
}

function run() {
  // Signals come to the whole process group, so the command has them already: here they are only survived.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGPIPE']) {
    process.on(signal, () => undefined);
  }
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write(`sallyport: cannot run ${program}: ${error.code}\n`);
    process.exit(error.code === 'ENOENT' ? 127 : 126);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

Promise.all(
  ports.split(',').flatMap((port) => [listen(Number(port), '127.0.0.1'), listen(Number(port), '::1')]),
).then(run, (error) => {
  process.stderr.write(`sallyport: cannot listen in the jail: ${error.message}\n`);
  process.exit(125);
});
