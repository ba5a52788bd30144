import type { HttpActionBuilder } from '../../actions/index.ts';
import type { AuditTrail, Logger } from '../../audit/index.ts';
import type { Authority } from '../../authority/index.ts';
import type { CarryOutParts } from '../../calls/index.ts';
import type { Broker, Placeholders, References } from '../../credentials/index.ts';
import type { HttpExecutor } from '../../executors/index.ts';
import type { Gate } from '../../gate/index.ts';
import type { Sessions } from '../../identity/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Spools } from '../../shared/spool.ts';
import type { Handed } from './handed.ts';
import type { ProxyLimits } from './proxy-limits.ts';
import type { ProxySettings } from './proxy-settings.ts';
import type { QuietHosts } from './quiet-hosts.ts';
import type { BlockedRequests } from './request-events.ts';

/** What the door is built from. Everything that a config may change is asked for anew with each request. */
export interface ProxyParts {
  readonly sessions: Pick<Sessions, 'authenticate' | 'signalOf'>;
  readonly settings: (tenant: string) => ProxySettings;
  readonly builderFor: (tenant: string) => HttpActionBuilder;
  readonly gate: Pick<Gate, 'decide'>;
  readonly executor: Pick<HttpExecutor, 'send' | 'connect' | 'upgrade'>;
  readonly broker: Pick<Broker, 'facts'>;
  readonly placeholders: Pick<Placeholders, 'resolve'>;
  readonly references: Pick<References, 'peek' | 'redeem'>;
  readonly authority: Pick<Authority, 'secureContextFor'>;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** where bodies wait while people are asked */
  readonly spools: Pick<Spools, 'open'>;
  /** chain of the trail for what no session is known of */
  readonly systemTenant: string;
  readonly limits?: Partial<ProxyLimits>;
}

/** What every request at this door is handled with. */
export interface ProxyTools {
  readonly parts: ProxyParts;
  readonly limits: ProxyLimits;
  /** what actions are carried out with */
  readonly carryOut: CarryOutParts;
  readonly blocked: BlockedRequests;
  readonly quiet: QuietHosts;
  readonly handed: Handed;
}
