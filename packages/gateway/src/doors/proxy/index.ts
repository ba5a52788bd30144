import { type Authority, caDoctorCheck, openAuthority } from '../../authority/index.ts';
import type { DoorDefinition } from '../../servers/index.ts';
import { caControl, caRoutes } from './ca-routes.ts';
import { createProxyDoor } from './proxy-door.ts';
import { createProxySettings } from './proxy-settings.ts';

/** Requests of the agent's programs, with the authority that vouches for the hosts that are looked into. */
export const proxyDoor = {
  name: 'proxy',
  targets: ['http'],
  doctor: [caDoctorCheck],
  async open(services) {
    const { sessions, gate, http, lending, trail, clock, log, config, paths, systemTenant, spools } =
      services;
    const authority = await openAuthority({
      keyFile: paths.caKey,
      certificateFile: paths.caCertificate,
      clock,
    });
    warnOfEnd(authority, log);
    const listener = createProxyDoor({
      ...{ sessions, gate, authority, trail, clock, log, systemTenant, spools, executor: http },
      ...lending,
      settings: createProxySettings(() => config.config),
      builderFor: services.httpBuilderFor,
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
