import { type Finding, read, secret, unlisted } from '../finding.ts';
import { compileOperations, foundAs, once, readRows } from '../operation-table.ts';
import { DATADOG_OPERATIONS } from '../operations/datadog.ts';
import { compilePathTable } from '../path-table.ts';
import type { RequestView } from '../request-view.ts';

export const datadogOperations = once(() => readRows(DATADOG_OPERATIONS));

const operationOf = compileOperations(datadogOperations);

// Further areas of the published API, where a GET only answers.
const areas = compilePathTable(
  `v1/daily_custom_reports v1/events v1/graph v1/hosts v1/integration v1/logs v1/metrics v1/monitor
  v1/monthly_custom_reports v1/notebooks v1/pagerduty v1/security_analytics v1/slo v1/synthetics v1/tags v1/usage
  v2/agentless_scanning v2/apicatalog v2/apm v2/app-builder v2/audit v2/authn_mappings v2/cases v2/catalog v2/ci
  v2/cloud_security_management v2/container_images v2/containers v2/cost v2/cost_by_org v2/csm v2/current_user
  v2/dashboard v2/domain_allowlist v2/dora v2/downtime v2/error-tracking v2/estimated_cost v2/events
  v2/historical_cost v2/hourly_usage v2/incidents v2/integration v2/integrations v2/logs v2/metrics v2/monitor
  v2/network v2/on-call v2/org_configs v2/permissions v2/posture_management v2/powerpacks v2/processes v2/profiling
  v2/projected_cost v2/query v2/roles v2/rum v2/scorecard v2/security v2/security_monitoring
  v2/sensitive-data-scanner v2/services v2/slo v2/spans v2/synthetics v2/team v2/teams v2/usage v2/users v2/workflows`
    .split(/\s+/)
    .map((area) => `/api/${area}/**`),
);

// Answer with keys, or make them.
const secrets = compilePathTable([
  '/api/v1/api_key/**',
  '/api/v1/application_key/**',
  '/api/v2/api_keys/**',
  '/api/v2/application_keys/**',
  '/api/v2/current_user/application_keys/**',
  '/api/v2/service_accounts/**',
  '/api/v2/connection/**',
  '/api/v2/actions/**',
]);

/** Datadog: by its published operations; what a key reaches is one organisation at one site. */
export function classifyDatadog(view: RequestView): Finding {
  const { method, segments, host } = view;
  const object = host;
  // SECURITY: in whatever case: a router that does not mind case must not turn a secret into a plain read.
  const secretArea = secrets(segments.map((segment) => segment.toLowerCase()));
  if (secretArea !== undefined) return { ...secret(`${method} ${secretArea}`), object };
  const row = operationOf(method, segments);
  if (row !== undefined) return foundAs(row, object);
  const area = view.isSafe ? areas(segments) : undefined;
  return area === undefined
    ? unlisted(view, 'custom:http', { object })
    : read(`${method} ${area}`, 'custom:http', { object });
}
