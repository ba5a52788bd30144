import type { Variables } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Secret } from '../../shared/secret.ts';
import type { NamedSecretResolver } from './named-source.ts';

/** What sources of a tenant are made with. */
export interface SourceContext {
  readonly home: string;
  readonly env: Variables;
  readonly clock: Clock;
  readonly learn: (secret: Secret) => void;
  /** finds the value of another credential of the tenant */
  readonly named: NamedSecretResolver;
  /** changes when the value of that credential may have */
  readonly namedRevision: (name: string) => string;
}
