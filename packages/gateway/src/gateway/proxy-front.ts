import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createHttpBuilder, type HttpActionBuilder } from '../actions/index.ts';
import type { Logger } from '../audit/index.ts';
import type { HomePaths } from '../config/index.ts';
import { createProxyDoor, createProxySettings, type ProxyDoor } from '../doors/proxy/index.ts';
import type { Gate, PolicySet } from '../gate/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { ConfigInForce } from './config-in-force.ts';
import type { PolicyParts } from './policy-parts.ts';
import { SYSTEM_TENANT } from './seed-identity.ts';
import type { GroundServices } from './services.ts';
import type { WayOut } from './way-out.ts';

export interface ProxyFrontOptions {
  readonly paths: HomePaths;
  readonly config: ConfigInForce;
  readonly ground: GroundServices;
  readonly policies: () => PolicySet;
  readonly parts: Pick<PolicyParts, 'telemetry' | 'registries'>;
  readonly gate: Gate;
  readonly wayOut: WayOut;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The proxy door of this gateway. It takes connections once somebody listens. */
export function buildProxyDoor(options: ProxyFrontOptions): ProxyDoor {
  const { paths, config, ground, wayOut, clock, log } = options;
  // SECURITY: what a crash left behind may hold bodies; nothing in here is ever needed again.
  const spoolFolder = join(paths.home, 'spool');
  rmSync(spoolFolder, { recursive: true, force: true });
  mkdirSync(spoolFolder, { mode: 0o700 });
  return createProxyDoor({
    sessions: ground.sessions,
    settings: createProxySettings(() => config.config),
    builderFor: createBuilders(options),
    gate: options.gate,
    executor: wayOut.http,
    broker: wayOut.broker,
    placeholders: wayOut.placeholders,
    references: wayOut.references,
    authority: wayOut.authority,
    trail: ground.trail,
    clock,
    log,
    spoolFolder,
    systemTenant: SYSTEM_TENANT,
  });
}

/** Builders by tenant, as long as the policies are the same. */
function createBuilders({ policies, parts }: ProxyFrontOptions): (tenant: string) => HttpActionBuilder {
  let current: PolicySet | undefined;
  let builders = new Map<string, HttpActionBuilder>();
  return (tenant) => {
    const now = policies();
    if (now !== current) {
      current = now;
      builders = new Map();
    }
    let builder = builders.get(tenant);
    if (builder === undefined) {
      const { telemetry } = parts;
      const providers = now.policyOf(tenant)?.providers ?? [];
      builder = createHttpBuilder({ providers, registries: parts.registries(), telemetry });
      builders.set(tenant, builder);
    }
    return builder;
  };
}
