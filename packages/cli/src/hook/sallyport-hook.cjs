'use strict';
// `node sallyport-hook.cjs claude-code|codex|pi [--enrollment file] [--wait seconds] [--shell pid]`: what clients start
// before a tool runs. Reads the client's JSON on stdin, asks the gateway, prints the answer in the client's own form.
// Plain JS with nothing but node:fs and node:net, because it is started for every tool call.
const fs = require('node:fs');
const net = require('node:net');

// SECURITY: 2 is the exit code that clients take for a no. It becomes 0 with an answer, and with nothing else [TO-8].
process.exitCode = 2;

const LARGEST_INPUT = 16 * 1024 * 1024;
const LARGEST_ANSWER = 32 * 1024 * 1024;
const SESSIONS_KEPT_MS = 7 * 24 * 3600 * 1000;
const START = 'start it with `sallyport start`, then try again';

const [client, ...words] = process.argv.slice(2);
const waitSeconds = Number(option('--wait') ?? 0);
const enrollmentFile = option('--enrollment');
// The shell that makes a no of whatever happens to us. Without it nobody hears us, and some clients take that for a yes.
const shell = Number(option('--shell') ?? process.ppid);
const SHELL_LOOKED_AT_MS = 500;

function option(name) {
  const at = words.indexOf(name);
  return at === -1 ? undefined : words[at + 1];
}

function block(message) {
  try {
    fs.writeSync(2, `sallyport: ${message}\n`);
  } catch {
    // Nobody reads it; the exit code says enough.
  }
  process.exit(2);
}

process.on('uncaughtException', (error) => block(`the hook failed: ${error.message}`));
process.on('unhandledRejection', (error) => block(`the hook failed: ${error?.message ?? error}`));

function readInput() {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    process.stdin.on('data', (chunk) => {
      size += chunk.length;
      if (size > LARGEST_INPUT) reject(new Error('the call is too large to be judged'));
      else chunks.push(chunk);
    });
    process.stdin.once('error', reject);
    process.stdin.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

// Where the gateway is, and who we are there. In a jail every connection is the session's, and no token is needed.
function findGateway() {
  let text;
  try {
    text = enrollmentFile === undefined ? undefined : fs.readFileSync(enrollmentFile, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const inJail = /^http:\/\/127\.0\.0\.1:(\d+)$/.exec(process.env.SALLYPORT_API ?? '');
  if (text === undefined) {
    if (inJail === null) throw new Error(`there is no enrollment: run \`sallyport install ${client}\``);
    return { port: Number(inJail[1]) };
  }
  const enrollment = JSON.parse(text);
  let ports;
  try {
    ({ ports } = JSON.parse(fs.readFileSync(`${enrollment.home}/runtime.json`, 'utf8')));
  } catch {
    throw new Error(`the gateway is not running: ${START}`);
  }
  return { port: ports.api, enrollment };
}

function dial(port) {
  // What goes wrong is told to whoever writes to it.
  return net.connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
}

// HTTP/1.0: the answer ends with the connection. `early`: one that was dialled before there was anything to say.
function post(port, path, body, token, early) {
  return new Promise((resolve, reject) => {
    const socket = early?.writable === true && !early.readableEnded ? early : dial(port);
    const bearer = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
    const length = Buffer.byteLength(body);
    const head = `POST ${path} HTTP/1.0\r\nhost: localhost\r\n${bearer}content-type: application/json\r\n`;
    socket.write(`${head}content-length: ${length}\r\n\r\n${body}`);
    const chunks = [];
    let size = 0;
    socket.on('data', (chunk) => {
      size += chunk.length;
      if (size > LARGEST_ANSWER) socket.destroy(new Error('the answer is too large'));
      else chunks.push(chunk);
    });
    socket.once('error', (error) =>
      reject(
        new Error(error.code === 'ECONNREFUSED' ? `the gateway is not running: ${START}` : error.message),
      ),
    );
    socket.once('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) reject(new Error(`the gateway hung up: ${START}`));
      else resolve({ status: Number(text.slice(9, 12)), body: text.slice(end + 4) });
    });
  });
}

function refusalOf({ status, body }) {
  try {
    const { code, message, hint } = JSON.parse(body).error;
    return new Error(`${code}: ${message}${hint === undefined ? '' : `; ${hint}`}`);
  } catch {
    return new Error(`the gateway answered with ${status}`);
  }
}

async function openSession(port, { tenant, agent, secret }, file) {
  // Clients start us in the folder that they work in.
  const place = { workspace: process.env.CLAUDE_PROJECT_DIR ?? process.cwd() };
  const request = {
    tenant_id: tenant,
    enrollment_secret: secret,
    ...place,
    ...(agent === undefined ? {} : { agent }),
  };
  const answer = await post(port, '/session/new', JSON.stringify(request));
  if (answer.status !== 201) {
    throw new Error(
      `${refusalOf(answer).message}; if the secret was rotated: \`sallyport install ${client}\``,
    );
  }
  const { session_token: token } = JSON.parse(answer.body);
  const folder = file.slice(0, file.lastIndexOf('/'));
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Whoever reads it sees a whole token or none.
  const fresh = `${file}.${process.pid}`;
  fs.writeFileSync(fresh, token, { mode: 0o600, flag: 'wx' });
  fs.renameSync(fresh, file);
  for (const name of fs.readdirSync(folder)) {
    const old = `${folder}/${name}`;
    if (Date.now() - fs.statSync(old).mtimeMs > SESSIONS_KEPT_MS) fs.rmSync(old, { force: true });
  }
  return token;
}

// One session of ours for each conversation of the client's, so that "for this session" means what people think.
function tokenFile(event) {
  const id = /"session_id"\s*:\s*"([\w.-]{1,128})"/.exec(event)?.[1] ?? 'none';
  return `${enrollmentFile}.sessions/${client}-${id}`;
}

function readToken(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

async function ask() {
  const { port, enrollment } = findGateway();
  // The connection is there by the time that the client's words are.
  const early = dial(port);
  const event = await readInput();
  JSON.parse(event);
  const home = JSON.stringify(process.env.HOME ?? '/');
  const { TMPDIR } = process.env;
  const temporary = TMPDIR === undefined ? '' : `,"temporary":${JSON.stringify(TMPDIR)}`;
  const body = `{"event":${event},"home":${home}${temporary},"wait_seconds":${waitSeconds}}`;
  const path = `/v1/hooks/${client}`;
  if (enrollment === undefined) return post(port, path, body, undefined, early);
  const file = tokenFile(event);
  const kept = readToken(file);
  const answer = kept === undefined ? undefined : await post(port, path, body, kept, early);
  if (answer !== undefined && answer.status !== 401) return answer;
  if (kept === undefined) early.destroy();
  return post(port, path, body, await openSession(port, enrollment, file));
}

async function main() {
  if (!['claude-code', 'codex', 'pi'].includes(client))
    throw new Error('name a client: claude-code, codex, pi');
  if (!Number.isSafeInteger(waitSeconds) || waitSeconds < 0)
    throw new Error('`--wait` is a number of seconds');
  const alone = () => process.ppid !== shell && block('the shell around the hook is gone');
  alone();
  setInterval(alone, SHELL_LOOKED_AT_MS).unref();
  // Late is a no as well: the gateway answers before, unless it hangs.
  const late = setTimeout(() => block('the gateway did not answer in time'), (waitSeconds + 10) * 1000);
  const answer = await ask();
  if (answer.status !== 200) throw refusalOf(answer);
  const { decision, output } = JSON.parse(answer.body);
  if (!['allow', 'deny', 'pass'].includes(decision)) throw new Error('the gateway gave no decision');
  // SECURITY: a no in no form at all would be a yes.
  if (decision === 'deny' && output === null) throw new Error('the gateway gave no reason');
  clearTimeout(late);
  if (output === null) process.exit(0);
  process.stdout.write(`${JSON.stringify(output)}\n`, (error) => process.exit(error ? 2 : 0));
}

main().catch((error) => block(error.message));
