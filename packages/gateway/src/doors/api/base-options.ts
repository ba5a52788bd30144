import type { CommonServices } from './api-services.ts';
import type { BaseAppOptions } from './base-app.ts';

/** How the services of one side become the options of its app. */
export function baseOptions(side: BaseAppOptions['side'], services: CommonServices): BaseAppOptions {
  const { version, config, log, metrics, limits, tls } = services;
  return {
    side,
    version,
    allowedHosts: () => [config.config.api.host, ...config.config.api.allowed_hosts],
    onInternalError: (error, request) =>
      log.error({ err: error, side, ...request }, 'a request failed inside'),
    onAnswered: (labels, seconds) => metrics.countRequest({ side, ...labels }, seconds),
    ...(limits === undefined ? {} : { limits }),
    ...(tls === undefined ? {} : { tls }),
  };
}
