import type { DoorDefinition } from '../../servers/index.ts';
import { type Authority, caDoctorCheck, openAuthority } from './authority/index.ts';
import { caControl, caRoutes } from './ca-routes.ts';
import { createProxyDoor } from './proxy-door.ts';
import { createProxySettings } from './proxy-settings.ts';

/** Requests of the agent's programs, with the authority that vouches for the hosts that are looked into. */
export const proxyDoor = {
  name: 'proxy',
  targets: ['http'],
  doctor: [caDoctorCheck],
  async open(services) {
    const { sessions, gate, http, lending, trail, clock, log, config, paths, systemTenant } = services;
    const authority = await openAuthority({
      keyFile: paths.caKey,
      certificateFile: paths.caCertificate,
      clock,
    });
    warnOfEnd(authority, log);
    const listener = createProxyDoor({
      ...{ sessions, gate, authority, trail, clock, log, systemTenant, executor: http },
      ...lending,
      settings: createProxySettings(() => config.config),
      builderFor: services.httpBuilderFor,
      // SECURITY: what a crash left behind may hold bodies; nothing in here is ever needed again.
      spoolFolder: services.freshFolder('spool'),
    });
    const ca = caControl(authority, { trail, systemTenant });
    return { listener, operatorRoutes: (app) => caRoutes(app, ca) };
  },
} as const satisfies DoorDefinition<'proxy'>;

/** People must install a new authority before the old one ends: from then on no HTTPS passes the proxy. */
function warnOfEnd(
  authority: Pick<Authority, 'facts'>,
  log: { warn(fields: object, message: string): void },
): void {
  const { state, not_after: end } = authority.facts();
  if (state === 'valid') return;
  const what = state === 'expired' ? 'has expired' : 'expires soon';
  log.warn(
    { not_after: end },
    `the certificate authority ${what}: run \`sallyport ca rotate\`, then install it`,
  );
}
