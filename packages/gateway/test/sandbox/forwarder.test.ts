import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { requireEngine, type TempDir, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeInherited } from '../../src/sandbox/jail/close-inherited.ts';
import { type JailSpec, jailArgv, spawnJail, surveyJail } from '../../src/sandbox/jail/index.ts';

const bwrap = requireEngine('bubblewrap');
const PORT = 7181;
const MEGABYTES = 24;
/** A client in the jail that says something, ends its side and then listens. */
const CLIENT = `use Socket; socket(S, PF_INET, SOCK_STREAM, 0); connect(S, pack_sockaddr_in(${PORT}, inet_aton("127.0.0.1"))) or die "refused $!"; binmode S; $| = 1;`;

// Both do the same; which one a machine has is nobody's business.
describe.skipIf(bwrap.missing).each(['perl', 'node'] as const)(
  `the forwarder in %s (${bwrap.install})`,
  (kind) => {
    let dir: TempDir;
    let server: Server;
    let onConnection: (socket: Socket) => void;
    beforeAll(async () => {
      closeInherited();
      dir = await tempDir();
      for (const name of ['work', 'home', 'gate']) mkdirSync(join(dir.path, name));
      server = createServer({ allowHalfOpen: true }, (socket) => {
        socket.on('error', () => undefined);
        onConnection(socket);
      }).listen({ path: join(dir.path, 'gate/s'), backlog: 4 });
      await once(server, 'listening');
    });
    afterAll(async () => {
      server.close();
      await dir.remove();
    });

    async function run(script: string, env: Record<string, string> = {}) {
      const [work, home] = [join(dir.path, 'work'), join(dir.path, 'home')];
      const spec: JailSpec = {
        ...{ workspace: work, cwd: work, writable: [], readOnly: [], hidden: [], userHome: home },
        ...{ home: { path: home, files: [] }, envFiles: 'masked', allowHome: false, limits: {}, tty: false },
        ...{ gatewayHome: join(dir.path, 'gate'), hostname: 'jail', command: ['bash', '-c', script] },
        env: { PATH: '/usr/bin:/bin', HOME: home, ...env },
        sockets: [{ port: PORT, path: join(dir.path, 'gate/s') }],
        user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: 'agent' },
      };
      const around = surveyJail(spec);
      const perl = kind === 'perl' ? around.facts.perl : undefined;
      const child = spawnJail(jailArgv(spec, { ...around, facts: { ...around.facts, perl } }), [
        ...(['ignore', 'pipe', 'pipe'] as const),
      ]);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
      }
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, output };
    }

    test('lets a client end its side and still hear the answer', async () => {
      onConnection = (socket) => {
        let said = '';
        socket.on('data', (piece) => (said += String(piece)));
        socket.on('end', () => socket.end(`heard ${said}`));
      };
      const { output } = await run(
        `perl -e '${CLIENT} print S "hello"; S->flush; shutdown(S, 1); print <S>'`,
      );
      expect(output).toBe('heard hello');
    });

    test('carries megabytes both ways, at the pace of the slower side', async () => {
      const sent = Buffer.alloc(MEGABYTES << 20, 'a pattern that shows every slip ');
      const heard = createHash('md5');
      onConnection = (socket) => {
        socket.on('data', (piece: Buffer) => heard.update(piece));
        socket.on('end', () => socket.end(sent));
      };
      const { output } = await run(
        `perl -MDigest::MD5 -e '${CLIENT} my $all = "xyz-" x (${MEGABYTES} << 18); print S $all; S->flush; shutdown(S, 1); select(undef, undef, undef, 0.2); my $md5 = Digest::MD5->new; $md5->addfile(*S); print $md5->hexdigest'`,
      );
      expect(output).toBe(createHash('md5').update(sent).digest('hex'));
      expect(heard.digest('hex')).toBe(
        createHash('md5')
          .update('xyz-'.repeat(MEGABYTES << 18))
          .digest('hex'),
      );
    });

    test('holds hundreds of connections, more than the gateway’s queue takes at once', async () => {
      onConnection = (socket) => void socket.on('data', (piece) => socket.end(`${piece}`));
      const { output } = await run(
        `perl -MSocket -e 'for my $n (1 .. 300) { socket(my $s, PF_INET, SOCK_STREAM, 0); connect($s, pack_sockaddr_in(${PORT}, inet_aton("127.0.0.1"))) or die "refused $!"; push @all, $s } for my $n (1 .. 300) { syswrite($all[$n - 1], "$n,") } for my $s (@all) { print <$s> }'`,
      );
      expect(output).toBe(Array.from({ length: 300 }, (_, n) => `${n + 1},`).join(''));
    });

    test('tells a client that the gateway hung up, and the gateway that a client did', async () => {
      const gone: Promise<unknown>[] = [];
      onConnection = (socket) => {
        gone.push(once(socket, 'close'));
        if (gone.length === 1) socket.destroy();
        else socket.on('end', () => socket.end()).resume();
      };
      const one = `perl -e '${CLIENT} my $got = sysread(S, my $x, 1); print defined $got ? "end" : "reset"'`;
      const { output } = await run(`${one}; perl -e '${CLIENT} syswrite(S, "x")'; echo`);
      expect(output).toMatch(/^(?:end|reset)\n$/);
      await Promise.all(gone);
      expect(gone).toHaveLength(2);
    });

    test('leaves no trace in what the command is: variables, descriptors, signals, children, words', async () => {
      const facts = `opendir D, "/proc/self/fd"; print "fds ", (map { "$_ " } sort grep { /\\d/ && readlink("/proc/self/fd/$_") !~ /^\\/proc/ } readdir D), "\\n", "child ", wait, "\\n"; exit 7`;
      expect(await run(`exec perl -e '${facts}'`)).toEqual({ code: 7, output: 'fds 0 1 2 \nchild -1\n' });
      expect((await run('exec grep SigIgn /proc/self/status')).output).toBe('SigIgn:\t0000000000000000\n');
      const words = { LANG: 'xx_YY.UTF-8', EMPTY: '', ODD: 'a\nb = ü' };
      expect((await run('/usr/bin/env -0 | tr "\\0" "|"', words)).output.split('|').sort()).toEqual(
        expect.arrayContaining(Object.entries(words).map(([name, value]) => `${name}=${value}`)),
      );
      expect((await run('env')).output).not.toContain('PERL');
    });

    test('says nothing of a language that the machine does not have', async () => {
      expect(await run('exec /bin/true', { LC_ALL: 'xx_YY.UTF-8' })).toEqual({
        ...{ code: 0, output: expect.not.stringContaining('perl') },
      });
    });

    test('a command that is killed ends the jail with its signal, and one that is not there says so', async () => {
      expect((await run('kill -9 $$')).code).toBe(137);
      expect(await run('exec no-such-program')).toMatchObject({ code: 127 });
    });
  },
);
