import type { BaseAppOptions } from './base-app.ts';
import type { CommonServices } from './services.ts';

/** How the services of one side become the options of its app. */
export function baseOptions(side: BaseAppOptions['side'], services: CommonServices): BaseAppOptions {
  const { version, config, log, metrics, limits, tls } = services;
  return {
    side,
    version,
    allowedHosts: () => hostsOf(config),
    onInternalError: (error, request) =>
      log.error({ err: error, side, ...request }, 'a request failed inside'),
    onAnswered: (labels, seconds) => metrics.countRequest({ side, ...labels }, seconds),
    ...(limits === undefined ? {} : { limits }),
    ...(tls === undefined ? {} : { tls }),
  };
}

type ApiConfig = CommonServices['config']['config']['api'];

const known = new WeakMap<ApiConfig, readonly string[]>();

/**
 * One list as long as the config is the same: whoever was given it can tell that nothing has changed.
 * The listener has the address that it was opened with, whatever the config says by now.
 */
function hostsOf({ config: { api }, atStart }: CommonServices['config']): readonly string[] {
  const hosts = known.get(api) ?? [atStart.api.host, ...api.allowed_hosts];
  known.set(api, hosts);
  return hosts;
}
