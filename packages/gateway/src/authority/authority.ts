import type { SecureContext } from 'node:tls';
import { type CertificateAuthority, SallyportError } from '@sallyport/protocol';
import type { Clock } from '../shared/clock.ts';
import { type CaFiles, caFacts, openCaFiles, type RecordRotation, replaceCaFiles } from './ca-files.ts';
import { LeafShelf } from './leaf-shelf.ts';

const MOST_LEAVES = 1_000;

export interface AuthorityOptions extends CaFiles {
  readonly clock: Clock;
  /** hosts whose certificates are kept ready; 1,000 when absent */
  readonly mostLeaves?: number;
}

/** The local certificate authority: it vouches towards agents for the hosts that the proxy stands in for. */
export interface Authority {
  /** PEM: what agents must trust */
  readonly certificatePem: string;
  /** What everyone may know of it, and whether it runs out. */
  facts(): CertificateAuthority;
  /**
   * What to terminate TLS for a host with; `host` is canonical. At once when its certificate is at hand, which
   * is so for all but the first request. Throws or rejects with `AuthorityUnusable` when the authority has expired.
   */
  secureContextFor(host: string): SecureContext | Promise<SecureContext>;
  /**
   * A new authority with a new key. From then on no certificate of the old one is given out. `record` is told
   * before; when it rejects, the old one stays.
   */
  rotate(record?: RecordRotation): Promise<CertificateAuthority>;
}

/** Opens the authority, or makes one when there is none. See `openCaFiles` for what it refuses. */
export async function openAuthority(options: AuthorityOptions): Promise<Authority> {
  return new LocalAuthority(options, await openCaFiles(options, options.clock.now()));
}

class LocalAuthority implements Authority {
  readonly #options: AuthorityOptions;
  #shelf: LeafShelf;
  #rotating: Promise<CertificateAuthority> | undefined;

  constructor(options: AuthorityOptions, root: LeafShelf['root']) {
    this.#options = options;
    this.#shelf = new LeafShelf(root, options.mostLeaves ?? MOST_LEAVES);
  }

  get certificatePem(): string {
    return this.#shelf.root.certificate;
  }

  facts(): CertificateAuthority {
    return caFacts(this.certificatePem, this.#options.clock.now());
  }

  secureContextFor(host: string): SecureContext | Promise<SecureContext> {
    const now = this.#options.clock.now();
    if (now >= this.#shelf.end) throw expired();
    return this.#shelf.find(host, now) ?? this.#make(host, now);
  }

  async #make(host: string, now: number): Promise<SecureContext> {
    const shelf = this.#shelf;
    const context = await shelf.make(host, now);
    // Rotated meanwhile: what was made is of the old authority.
    return shelf === this.#shelf ? context : this.secureContextFor(host);
  }

  rotate(record?: RecordRotation): Promise<CertificateAuthority> {
    this.#rotating ??= this.#replace(record).finally(() => {
      this.#rotating = undefined;
    });
    return this.#rotating;
  }

  async #replace(record: RecordRotation | undefined): Promise<CertificateAuthority> {
    const { clock, mostLeaves = MOST_LEAVES } = this.#options;
    this.#shelf = new LeafShelf(await replaceCaFiles(this.#options, clock.now(), record), mostLeaves);
    return this.facts();
  }
}

function expired(): SallyportError {
  return new SallyportError('AuthorityUnusable', {
    message: 'the local certificate authority has expired',
    hint: 'the operator makes a new one with `sallyport ca rotate`, and installs it where agents run',
  });
}
