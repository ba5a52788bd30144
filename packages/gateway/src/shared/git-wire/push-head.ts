import { PacketReader } from './packet-reader.ts';

/** What one push wants to do to one ref, in the ids of its objects. */
export interface RefCommand {
  readonly from: string;
  readonly to: string;
  readonly ref: string;
}

/** Everything of a push that comes before its pack. */
export interface PushHead {
  readonly commands: readonly RefCommand[];
  readonly capabilities: readonly string[];
  /** lines of `--push-option` */
  readonly options: readonly string[];
  /** commits where the history of the sender ends */
  readonly shallow: readonly string[];
  /** all refs or none */
  readonly atomic: boolean;
  /** it came with a certificate, whose commands these are; nobody checked its signature */
  readonly signed: boolean;
}

export type PushState =
  | { readonly kind: 'more' }
  | { readonly kind: 'broken'; readonly reason: string }
  /** a flush and nothing else: git looks whether it may, before a large push; or there is nothing to push */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'whole'; readonly head: PushHead };

const COMMAND = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) (refs\/[^\0\n]+)$/;
const SHALLOW = /^shallow ([0-9a-f]{40}|[0-9a-f]{64})$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** A push of 10,000 refs has 2 MB; what has more is an attack on memory. */
const MOST_BYTES = 16_777_216;

type Part = 'commands' | 'certificate' | 'after certificate' | 'options' | 'done';

/**
 * Reads a push up to its pack. Bounded: at most 16 MB of commands, and nothing of the pack, which the caller takes from `rest`.
 *
 * SECURITY: what is not exactly a push (a ref twice, a delimiter of version 2, a
 * name that is not UTF-8, options that nobody announced) is broken: the server might read it otherwise.
 */
export class PushHeadReader {
  readonly #reader = new PacketReader();
  readonly #commands: RefCommand[] = [];
  readonly #refs = new Set<string>();
  readonly #shallow: string[] = [];
  readonly #options: string[] = [];
  readonly #certified: string[] = [];
  #capabilities: readonly string[] | undefined;
  #part: Part = 'commands';
  #bytes = 0;
  #signed = false;
  #certifiedOptions: readonly string[] = [];
  #state: PushState = { kind: 'more' };

  get commands(): readonly RefCommand[] {
    return this.#commands;
  }

  get options(): readonly string[] {
    return this.#options;
  }

  push(chunk: Uint8Array): PushState {
    if (this.#state.kind !== 'more') return this.#state;
    this.#reader.push(chunk);
    while (this.#state.kind === 'more') {
      const packet = this.#reader.next();
      if (packet === undefined) {
        if (this.#reader.problem !== undefined) this.#break(this.#reader.problem);
        break;
      }
      if (packet.kind === 'data') this.#take(packet.bytes);
      else if (packet.kind === 'flush') this.#flush();
      else this.#break('a push has no packets of version 2');
    }
    return this.#state;
  }

  /** The beginning of the pack, after a `whole` head. */
  rest(): Uint8Array {
    return this.#reader.rest();
  }

  #take(bytes: Uint8Array): void {
    this.#bytes += bytes.length + 4;
    if (this.#bytes > MOST_BYTES) {
      this.#break('more than 16 MB of commands');
      return;
    }
    const text = utf8(bytes);
    if (text === undefined) {
      this.#break('a name in it is not UTF-8');
      return;
    }
    if (this.#part === 'options') this.#options.push(text.replace(/\n$/, ''));
    else if (this.#part === 'certificate') this.#takeCertified(text);
    else this.#takeCommand(text);
  }

  #takeCommand(text: string): void {
    const nul = text.indexOf('\0');
    const line = (nul === -1 ? text : text.slice(0, nul)).replace(/\n$/, '');
    if (nul !== -1) {
      // SECURITY: git adds up the lists of all lines: what one of them announces counts.
      const words = text.slice(nul + 1).split(/[\s\0]+/);
      this.#capabilities = [...(this.#capabilities ?? []), ...words.filter((word) => word !== '')];
    }
    const [, shallow] = SHALLOW.exec(line) ?? [];
    if (shallow !== undefined) this.#shallow.push(shallow);
    else if (line === 'push-cert' && !this.#signed && this.#commands.length === 0) {
      this.#signed = true;
      this.#part = 'certificate';
    } else if (this.#part === 'after certificate') this.#break('it has commands beside its certificate');
    else this.#command(line);
  }

  #command(line: string): void {
    const [, from, to, ref] = COMMAND.exec(line) ?? [];
    if (from === undefined || to === undefined || ref === undefined || from.length !== to.length) {
      this.#break('a line of it is no command');
      return;
    }
    if (this.#refs.has(ref)) {
      this.#break('it names a ref twice');
      return;
    }
    this.#refs.add(ref);
    this.#commands.push({ from, to, ref });
  }

  #takeCertified(text: string): void {
    if (text.replace(/\n$/, '') !== 'push-cert-end') {
      this.#certified.push(text);
      return;
    }
    this.#part = 'after certificate';
    const [head = '', ...bodies] = this.#certified.join('').split('\n\n');
    if (!head.startsWith('certificate version 0.1\n')) {
      this.#break('a certificate of another version');
      return;
    }
    const body = bodies.join('\n\n').split(/^-----BEGIN /m)[0] ?? '';
    const announced = head.split('\n').flatMap((line) => /^push-option (.*)$/.exec(line)?.[1] ?? []);
    for (const line of body.split('\n')) if (line !== '') this.#command(line);
    this.#certifiedOptions = announced;
  }

  #flush(): void {
    if (this.#part === 'certificate') {
      this.#break('its certificate has no end');
      return;
    }
    if (this.#part === 'options') {
      this.#finish();
      return;
    }
    if (this.#commands.length === 0) {
      if (this.#signed || this.#capabilities !== undefined) {
        this.#break('it has no commands');
        return;
      }
      this.#state = { kind: 'nothing' };
      return;
    }
    if (this.#announces('push-options')) this.#part = 'options';
    else this.#finish();
  }

  #finish(): void {
    const certified = this.#certifiedOptions;
    // SECURITY: git refuses a push whose certificate has other options than it sends.
    if (this.#signed && certified.join('\0') !== this.#options.join('\0')) {
      this.#break('its certificate has other options');
      return;
    }
    this.#part = 'done';
    this.#state = {
      kind: 'whole',
      head: {
        commands: this.#commands,
        capabilities: this.#capabilities ?? [],
        options: this.#options,
        shallow: this.#shallow,
        atomic: this.#announces('atomic'),
        signed: this.#signed,
      },
    };
  }

  #announces(name: string): boolean {
    return this.#capabilities?.some((word) => word === name || word.startsWith(`${name}=`)) === true;
  }

  #break(reason: string): void {
    this.#state = { kind: 'broken', reason };
  }
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
