import { type Finding, read, secret, unknown, write } from '../finding.ts';
import { compilePathTable } from '../path-table.ts';
import type { RequestView } from '../request-view.ts';

// Areas of Datadog's published API v1 and v2.
const areas = compilePathTable(
  `v1/check_run v1/daily_custom_reports v1/dashboard v1/downtime v1/events v1/graph v1/host v1/hosts v1/integration
  v1/ip_ranges v1/logs v1/logs-queries v1/metrics v1/monitor v1/monthly_custom_reports v1/notebooks v1/org
  v1/pagerduty v1/query v1/search v1/security_analytics v1/series v1/service_dependencies v1/slo v1/synthetics
  v1/tags v1/usage v1/user v1/validate v1/distribution_points v2/agentless_scanning v2/apicatalog v2/apm v2/app-builder
  v2/audit v2/authn_mappings v2/cases v2/catalog v2/ci v2/cloud_security_management v2/container_images v2/containers
  v2/cost v2/cost_by_org v2/csm v2/current_user v2/dashboard v2/domain_allowlist v2/dora v2/downtime v2/error-tracking
  v2/estimated_cost v2/events v2/historical_cost v2/hourly_usage v2/incidents v2/integration v2/integrations
  v2/ip_allowlist v2/logs v2/metrics v2/monitor v2/network v2/on-call v2/org_configs v2/permissions
  v2/posture_management v2/powerpacks v2/processes v2/profiling v2/projected_cost v2/query v2/restriction_policy
  v2/roles v2/rum v2/scorecard v2/security v2/security_monitoring v2/sensitive-data-scanner v2/series v2/services
  v2/slo v2/spans v2/synthetics v2/team v2/teams v2/usage v2/users v2/validate v2/workflows`
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

const postReads = compilePathTable([
  '/api/v1/logs-queries/list',
  '/api/v2/logs/events/search',
  '/api/v2/logs/analytics/aggregate',
  '/api/v2/spans/events/search',
  '/api/v2/spans/analytics/aggregate',
  '/api/v2/rum/events/search',
  '/api/v2/rum/analytics/aggregate',
  '/api/v2/audit/events/search',
  '/api/v2/events/search',
  '/api/v2/ci/pipelines/events/search',
  '/api/v2/ci/pipelines/analytics/aggregate',
  '/api/v2/ci/tests/events/search',
  '/api/v2/ci/tests/analytics/aggregate',
  '/api/v2/query/scalar',
  '/api/v2/query/timeseries',
  '/api/v2/security_monitoring/signals/search',
  '/api/v1/monitor/validate',
]);

/** Datadog: by path; a POST reads only where it is a published search. */
export function classifyDatadog(view: RequestView): Finding {
  const { method, segments } = view;
  const secretArea = secrets(segments);
  if (secretArea !== undefined) return secret(`${method} ${secretArea}`);
  const search = method === 'POST' ? postReads(segments) : undefined;
  if (search !== undefined) return read(`POST ${search}`);
  const area = areas(segments);
  if (area === undefined) return unknown('Datadog operation');
  return view.isSafe ? read(`${method} ${area}`) : write(`${method} ${area}`);
}
