import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fetchItems } from './fetch-items.ts';
import type { Mailbox } from './mailbox.ts';
import { matches } from './search-keys.ts';
import { type Token, tokenize } from './tokens.ts';

const LINE_AT_MOST = 65_536;

export interface SessionOptions {
  readonly mailbox: Mailbox;
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly implicit?: boolean;
  readonly user: { readonly name: string; readonly password: string };
  readonly withoutIdle?: boolean;
  readonly onCommand: (name: string) => void;
}

/** One connection: RFC 3501 as far as a client of one folder needs it, each command in its states only. */
export class ImapSession {
  readonly #options: SessionOptions;
  #socket: Socket;
  #isSecure: boolean;
  #state: 'greeted' | 'authenticated' | 'selected' | 'closed' = 'greeted';
  #isReadOnly = false;
  #idleTag: string | undefined;
  #loginTag: string | undefined;
  #input = '';
  #told = 0;

  constructor(socket: Socket, options: SessionOptions) {
    this.#options = options;
    this.#socket = socket;
    this.#isSecure = options.implicit === true;
    this.#listen(socket);
    this.#send(`* OK [CAPABILITY ${this.#capabilities()}] ready`);
  }

  get isIdle(): boolean {
    return this.#idleTag !== undefined;
  }

  /** News for a client that waits for them; the others hear them with their next command. */
  tellExists(): void {
    if (!this.isIdle || this.#told === this.#options.mailbox.mails.length) return;
    this.#told = this.#options.mailbox.mails.length;
    this.#send(`* ${this.#told} EXISTS`);
  }

  cut(): void {
    this.#state = 'closed';
    this.#socket.destroy();
  }

  #listen(socket: Socket): void {
    socket.setEncoding('latin1');
    socket.on('data', (data: string) => {
      this.#input += data;
      if (this.#input.length > LINE_AT_MOST) this.cut();
      for (let end = this.#input.indexOf('\r\n'); end !== -1; end = this.#input.indexOf('\r\n')) {
        const line = this.#input.slice(0, end);
        this.#input = this.#input.slice(end + 2);
        this.#line(line);
      }
    });
  }

  #line(line: string): void {
    const answer = this.#answer(line);
    if (answer !== undefined) this.#send(answer);
  }

  /** What a line is answered with; undefined while the command goes on. */
  #answer(line: string): string | undefined {
    if (this.#idleTag !== undefined) {
      const tag = this.#idleTag;
      this.#idleTag = undefined;
      return /^DONE$/i.test(line) ? `${tag} OK IDLE ended` : `${tag} BAD expected DONE`;
    }
    if (this.#loginTag !== undefined) {
      const tag = this.#loginTag;
      this.#loginTag = undefined;
      const [, name = '', password = ''] = Buffer.from(line, 'base64').toString('utf8').split('\0');
      return `${tag} ${this.#login(name, password)}`;
    }
    const tokens = tokenize(line);
    const [tag, name] = tokens ?? [];
    if (typeof tag !== 'string' || typeof name !== 'string' || tokens === undefined)
      return '* BAD not a command';
    const isUid = /^UID$/i.test(name);
    const command = (isUid ? `UID ${String(tokens[2])}` : name).toUpperCase();
    this.#options.onCommand(command);
    const answer = this.#run(tag, command, tokens.slice(isUid ? 3 : 2));
    return answer === undefined ? undefined : `${tag} ${answer}`;
  }

  #run(tag: string, command: string, args: readonly Token[]): string | undefined {
    switch (command) {
      case 'CAPABILITY':
        this.#send(`* CAPABILITY ${this.#capabilities()}`);
        return 'OK done';
      case 'NOOP':
        if (this.#state === 'selected') this.#send(`* ${this.#options.mailbox.mails.length} EXISTS`);
        return 'OK done';
      case 'LOGOUT':
        this.#send('* BYE bye');
        setImmediate(() => this.#socket.end());
        return 'OK done';
      case 'STARTTLS':
        return this.#startTls(tag);
      case 'LOGIN':
        return this.#login(String(args[0]), String(args[1]));
      case 'AUTHENTICATE':
        return this.#authenticate(tag, args);
    }
    if (this.#state === 'greeted') return 'NO log in first';
    return this.#runLoggedIn(tag, command, args);
  }

  #runLoggedIn(tag: string, command: string, args: readonly Token[]): string | undefined {
    switch (command) {
      case 'SELECT':
      case 'EXAMINE':
        return this.#select(String(args[0]), command === 'EXAMINE');
      case 'LIST':
      case 'LSUB':
        if (args[1] !== '') this.#send(`* ${command} () "/" INBOX`);
        return 'OK done';
      case 'IDLE':
        if (this.#options.withoutIdle === true) return 'BAD unknown command';
        this.#idleTag = tag;
        this.#send('+ idling');
        this.tellExists();
        return undefined;
    }
    if (this.#state !== 'selected') return 'BAD select a folder first';
    const isUid = command.startsWith('UID ');
    switch (isUid ? command.slice(4) : command) {
      case 'SEARCH':
        return this.#search(args, isUid);
      case 'FETCH':
        return this.#fetch(args, isUid);
      case 'STORE':
        return this.#store(args, isUid);
      // open: any command
      default:
        return 'BAD unknown command';
    }
  }

  #authenticate(tag: string, [mechanism, initial]: readonly Token[]): string | undefined {
    if (String(mechanism).toUpperCase() !== 'PLAIN') return 'NO unknown mechanism';
    this.#loginTag = tag;
    if (typeof initial === 'string') this.#line(initial);
    else this.#send('+ ');
    return undefined;
  }

  #login(name: string, password: string): string {
    const { user, tls } = this.#options;
    if (tls !== undefined && !this.#isSecure) return 'NO [PRIVACYREQUIRED] only after STARTTLS';
    if (this.#state !== 'greeted') return 'BAD logged in already';
    // As some real servers do: the answer quotes what was sent.
    if (name !== user.name || password !== user.password)
      return `NO [AUTHENTICATIONFAILED] wrong password ${password} for ${name}`;
    this.#state = 'authenticated';
    return `OK [CAPABILITY ${this.#capabilities()}] welcome`;
  }

  #startTls(tag: string): string | undefined {
    const { tls } = this.#options;
    if (tls === undefined || this.#isSecure || this.#state !== 'greeted') return 'BAD no STARTTLS now';
    this.#send(`${tag} OK begin`);
    // What came before the handshake was not protected by it.
    this.#input = '';
    this.#socket.removeAllListeners('data');
    const secure = new TLSSocket(this.#socket, { isServer: true, ...tls });
    secure.on('error', () => {});
    this.#isSecure = true;
    this.#socket = secure;
    this.#listen(secure);
    return undefined;
  }

  #select(name: string, isReadOnly: boolean): string {
    if (name.toUpperCase() !== 'INBOX') return 'NO [NONEXISTENT] no such folder';
    const { mailbox } = this.#options;
    this.#state = 'selected';
    this.#isReadOnly = isReadOnly;
    this.#told = mailbox.mails.length;
    this.#send('* FLAGS (\\Seen \\Deleted)');
    this.#send('* OK [PERMANENTFLAGS (\\Seen \\Deleted)] kept');
    this.#send(`* ${this.#told} EXISTS`);
    this.#send('* 0 RECENT');
    this.#send(`* OK [UIDVALIDITY ${mailbox.uidValidity}] valid`);
    this.#send(`* OK [UIDNEXT ${mailbox.uidNext}] next`);
    return `OK [READ-${isReadOnly ? 'ONLY' : 'WRITE'}] selected`;
  }

  #search(args: readonly Token[], isUid: boolean): string {
    const found = this.#options.mailbox.mails.map((mail, index) => ({ mail, place: index + 1 }));
    const hits = found.map(({ mail }) => matches(mail, args));
    if (hits.includes(undefined)) return 'BAD unknown search key';
    const numbers = found
      .filter((_, index) => hits[index] === true)
      .map(({ mail, place }) => (isUid ? mail.uid : place));
    this.#send(`* SEARCH${numbers.map((number) => ` ${number}`).join('')}`);
    return 'OK done';
  }

  #fetch([set, items]: readonly Token[], isUid: boolean): string {
    const wanted = typeof items === 'string' ? [items] : (items ?? []);
    for (const { place, mail } of this.#options.mailbox.inSet(String(set), isUid)) {
      const answer = fetchItems(mail, wanted);
      if (answer === undefined) return 'BAD unknown item';
      this.#socket.write(Buffer.concat([Buffer.from(`* ${place} FETCH (`), answer, Buffer.from(')\r\n')]));
    }
    return 'OK done';
  }

  #store([set, how, flags]: readonly Token[], isUid: boolean): string {
    if (this.#isReadOnly) return 'NO [READ-ONLY] nothing is stored here';
    if (!/^\+FLAGS(?:\.SILENT)?$/i.test(String(how)) || !Array.isArray(flags)) return 'BAD only +FLAGS';
    for (const { place, mail } of this.#options.mailbox.inSet(String(set), isUid)) {
      for (const flag of flags) mail.flags.add(String(flag));
      if (!/SILENT/i.test(String(how)))
        this.#send(`* ${place} FETCH (UID ${mail.uid} FLAGS (${[...mail.flags].join(' ')}))`);
    }
    return 'OK done';
  }

  #capabilities(): string {
    const { tls, withoutIdle } = this.#options;
    const needsTls = tls !== undefined && !this.#isSecure;
    const login = needsTls ? 'STARTTLS LOGINDISABLED' : 'AUTH=PLAIN';
    return `IMAP4rev1 ${login}${withoutIdle === true ? '' : ' IDLE'}`;
  }

  #send(line: string): void {
    if (this.#socket.writable) this.#socket.write(`${line}\r\n`, 'latin1');
  }
}
