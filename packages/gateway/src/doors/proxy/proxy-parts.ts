import type { HttpActionBuilder } from '../../actions/index.ts';
import type { AuditTrail, Logger } from '../../audit/index.ts';
import type { Broker, Placeholders, References } from '../../credentials/index.ts';
import type { HttpExecutor } from '../../executors/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { Sessions } from '../../identity/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Authority } from './authority/index.ts';
import type { ProxyLimits } from './proxy-limits.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** What the door is built from. Everything that a config may change is asked for anew with each request. */
export interface ProxyParts {
  readonly sessions: Pick<Sessions, 'authenticate' | 'signalOf'>;
  readonly settings: (tenant: string) => ProxySettings;
  readonly builderFor: (tenant: string) => HttpActionBuilder;
  readonly gate: Pick<Gate, 'admit' | 'decide'>;
  readonly executor: Pick<HttpExecutor, 'send' | 'connect' | 'upgrade'>;
  readonly broker: Pick<Broker, 'facts'>;
  readonly placeholders: Pick<Placeholders, 'resolve'>;
  readonly references: Pick<References, 'peek' | 'redeem'>;
  readonly authority: Pick<Authority, 'secureContextFor'>;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** where bodies wait while people are asked: a folder of the gateway's own, mode 0700 */
  readonly spoolFolder: string;
  /** chain of the trail for what no session is known of */
  readonly systemTenant: string;
  readonly limits?: Partial<ProxyLimits>;
}
