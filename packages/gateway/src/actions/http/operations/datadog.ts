/** Datadog's API, versions 1 and 2. */
export const DATADOG_OPERATIONS = `
/api/v1
  GET    /validate Validate
  GET    /ip_ranges GetIPRanges
  POST   /check_run SubmitServiceCheck
  POST   /series SubmitMetrics
  POST   /distribution_points SubmitDistributionPoints
  GET    /query QueryMetrics
  GET    /search SearchMetrics
  GET    /metrics ListActiveMetrics
  GET    /metrics/{metric} GetMetricMetadata
  PUT    /metrics/{metric} UpdateMetricMetadata
  GET    /events ListEvents
  POST   /events CreateEvent
  GET    /events/{id} GetEvent
  GET    /graph/snapshot GetGraphSnapshot
  GET    /graph/embed ListEmbeddableGraphs
  GET    /hosts ListHosts
  GET    /hosts/totals GetHostTotals
  POST   /host/{host}/mute MuteHost
  POST   /host/{host}/unmute UnmuteHost
  GET    /tags/hosts ListHostTags
  GET    /tags/hosts/{host} GetHostTags
  POST   /tags/hosts/{host} CreateHostTags
  PUT    /tags/hosts/{host} UpdateHostTags
  DELETE /tags/hosts/{host} DeleteHostTags
  POST   /logs-queries/list ListLogs read
  GET    /service_dependencies ListServiceDependencies
/api/v1/dashboard
  GET    ListDashboards
  POST   CreateDashboard
  DELETE DeleteDashboards high
  PATCH  RestoreDashboards
  GET    /{id} GetDashboard
  PUT    /{id} UpdateDashboard
  DELETE /{id} DeleteDashboard
  GET    /lists/manual ListDashboardLists
  POST   /lists/manual CreateDashboardList
  GET    /lists/manual/{id} GetDashboardList
  PUT    /lists/manual/{id} UpdateDashboardList
  DELETE /lists/manual/{id} DeleteDashboardList
  POST   /public CreatePublicDashboard critical
  GET    /public/{token} GetPublicDashboard
  PUT    /public/{token} UpdatePublicDashboard critical
  DELETE /public/{token} DeletePublicDashboard critical
  POST   /public/{token}/invitation SendPublicDashboardInvitation critical
/api/v1/downtime
  GET    ListDowntimes
  POST   CreateDowntime
  GET    /{id} GetDowntime
  PUT    /{id} UpdateDowntime
  DELETE /{id} CancelDowntime
  POST   /cancel/by_scope CancelDowntimesByScope
/api/v1/monitor
  GET    ListMonitors
  POST   CreateMonitor
  GET    /{id} GetMonitor
  PUT    /{id} UpdateMonitor
  DELETE /{id} DeleteMonitor high
  GET    /{id}/downtimes ListMonitorDowntimes
  POST   /{id}/mute MuteMonitor
  POST   /{id}/unmute UnmuteMonitor
  POST   /{id}/validate ValidateExistingMonitor read
  GET    /can_delete CheckCanDeleteMonitor
  GET    /search SearchMonitors
  GET    /groups/search SearchMonitorGroups
  POST   /validate ValidateMonitor read
/api/v1/slo
  GET    ListSLOs
  POST   CreateSLO
  GET    /{id} GetSLO
  PUT    /{id} UpdateSLO
  DELETE /{id} DeleteSLO
  GET    /{id}/history GetSLOHistory
  GET    /{id}/corrections GetSLOCorrections
  GET    /can_delete CheckCanDeleteSLO
  GET    /search SearchSLO
  POST   /bulk_delete DeleteSLOTimeframeInBulk high
  GET    /correction ListSLOCorrection
  POST   /correction CreateSLOCorrection
/api/v1/notebooks
  GET    ListNotebooks
  POST   CreateNotebook
  GET    /{id} GetNotebook
  PUT    /{id} UpdateNotebook
  DELETE /{id} DeleteNotebook
/api/v1/synthetics
  GET    /tests ListTests
  GET    /tests/{id} GetTest
  GET    /tests/{id}/results GetAPITestLatestResults
  POST   /tests/api CreateSyntheticsAPITest
  GET    /tests/api/{id} GetAPITest
  PUT    /tests/api/{id} UpdateAPITest
  POST   /tests/browser CreateSyntheticsBrowserTest
  GET    /tests/browser/{id} GetBrowserTest
  PUT    /tests/browser/{id} UpdateBrowserTest
  PUT    /tests/{id}/status UpdateTestPauseStatus
  POST   /tests/delete DeleteTests high
  POST   /tests/trigger TriggerTests
  POST   /tests/trigger/ci TriggerCITests
  GET    /locations ListLocations
  GET    /variables ListGlobalVariables secret
  GET    /variables/{id} GetGlobalVariable secret
  POST   /variables CreateGlobalVariable critical
  PUT    /variables/{id} EditGlobalVariable critical
  DELETE /variables/{id} DeleteGlobalVariable critical
  POST   /private-locations CreatePrivateLocation secret
/api/v1/logs/config
  GET    /indexes ListLogIndexes
  POST   /indexes CreateLogsIndex critical
  GET    /indexes/{name} GetLogsIndex
  PUT    /indexes/{name} UpdateLogsIndex critical
  DELETE /indexes/{name} DeleteLogsIndex critical
  GET    /pipelines ListLogsPipelines
  POST   /pipelines CreateLogsPipeline
  GET    /pipelines/{id} GetLogsPipeline
  PUT    /pipelines/{id} UpdateLogsPipeline
  DELETE /pipelines/{id} DeleteLogsPipeline high
/api/v1/integration
  GET    /aws ListAWSAccounts
  POST   /aws CreateAWSAccount critical
  PUT    /aws UpdateAWSAccount critical
  DELETE /aws DeleteAWSAccount critical
  GET    /gcp ListGCPIntegration
  POST   /gcp CreateGCPIntegration critical
  GET    /azure ListAzureIntegration
  POST   /azure CreateAzureIntegration critical
  GET    /slack/configuration/accounts/{account}/channels GetSlackIntegrationChannels
  POST   /slack/configuration/accounts/{account}/channels CreateSlackIntegrationChannel critical
  GET    /webhooks/configuration/webhooks/{name} GetWebhooksIntegration secret
  POST   /webhooks/configuration/webhooks CreateWebhooksIntegration critical
  PUT    /webhooks/configuration/webhooks/{name} UpdateWebhooksIntegration critical
  DELETE /webhooks/configuration/webhooks/{name} DeleteWebhooksIntegration critical
/api/v1/user
  GET    ListUsers
  POST   CreateUser critical
  GET    /{handle} GetUser
  PUT    /{handle} UpdateUser critical
  DELETE /{handle} DisableUser critical
/api/v1/org
  GET    ListOrgs
  POST   CreateChildOrg secret
  GET    /{id} GetOrg
  PUT    /{id} UpdateOrg critical
  POST   /{id}/downgrade DowngradeOrg critical
/api/v1/usage
  GET    /summary GetUsageSummary
  GET    /billable-summary GetUsageBillableSummary
  GET    /hosts GetUsageHosts
  GET    /logs GetUsageLogs
/api/v2
  POST   /series SubmitMetrics
  GET    /metrics ListTagConfigurations
  GET    /metrics/{metric}/all-tags ListTagsByMetricName
  GET    /metrics/{metric}/tags ListTagConfigurationByName
  POST   /metrics/{metric}/tags CreateTagConfiguration
  GET    /metrics/{metric}/volumes ListVolumesByMetricName
  POST   /query/scalar QueryScalarData read
  POST   /query/timeseries QueryTimeseriesData read
  GET    /events ListEvents
  POST   /events CreateEvent
  POST   /events/search SearchEvents read
  GET    /logs/events ListLogsGet
  POST   /logs/events/search ListLogs read
  POST   /logs/analytics/aggregate AggregateLogs read
  GET    /logs/config/archives ListLogsArchives
  POST   /logs/config/archives CreateLogsArchive critical
  PUT    /logs/config/archives/{id} UpdateLogsArchive critical
  DELETE /logs/config/archives/{id} DeleteLogsArchive critical
  GET    /logs/config/metrics ListLogsMetrics
  POST   /logs/config/metrics CreateLogsMetric
  GET    /spans/events ListSpansGet
  POST   /spans/events/search ListSpans read
  POST   /spans/analytics/aggregate AggregateSpans read
  GET    /rum/events ListRUMEvents
  POST   /rum/events/search SearchRUMEvents read
  POST   /rum/analytics/aggregate AggregateRUMEvents read
  GET    /rum/applications GetRUMApplications
  GET    /audit/events ListAuditLogs
  POST   /audit/events/search SearchAuditLogs read
  GET    /ci/pipelines/events ListCIAppPipelineEvents
  POST   /ci/pipelines/events/search SearchCIAppPipelineEvents read
  POST   /ci/pipelines/analytics/aggregate AggregateCIAppPipelineEvents read
  GET    /ci/tests/events ListCIAppTestEvents
  POST   /ci/tests/events/search SearchCIAppTestEvents read
  POST   /ci/tests/analytics/aggregate AggregateCIAppTestEvents read
  POST   /ci/pipeline CreateCIAppPipelineEvent
  GET    /downtime ListDowntimes
  POST   /downtime CreateDowntime
  GET    /downtime/{id} GetDowntime
  PATCH  /downtime/{id} UpdateDowntime
  DELETE /downtime/{id} CancelDowntime
  GET    /monitor/{id}/downtime_matches ListMonitorDowntimes
  GET    /monitor/policy ListMonitorConfigPolicies
  POST   /monitor/policy CreateMonitorConfigPolicy critical
  GET    /incidents ListIncidents
  POST   /incidents CreateIncident
  GET    /incidents/{id} GetIncident
  PATCH  /incidents/{id} UpdateIncident
  DELETE /incidents/{id} DeleteIncident high
  GET    /incidents/search SearchIncidents
  GET    /cases SearchCases
  POST   /cases CreateCase
  GET    /cases/{id} GetCase
  GET    /catalog/entity ListCatalogEntity
  POST   /catalog/entity UpsertCatalogEntity
  DELETE /catalog/entity/{id} DeleteCatalogEntity
  GET    /services/definitions ListServiceDefinitions
  POST   /services/definitions CreateOrUpdateServiceDefinitions
  GET    /services/definitions/{name} GetServiceDefinition
  GET    /containers ListContainers
  GET    /container_images ListContainerImages
  GET    /processes ListProcesses
  GET    /current_user GetCurrentUser
  GET    /permissions ListPermissions
  GET    /team ListTeams
  POST   /team CreateTeam critical
  GET    /team/{id} GetTeam
  PATCH  /team/{id} UpdateTeam critical
  DELETE /team/{id} DeleteTeam critical
  GET    /team/{id}/memberships GetTeamMemberships
  POST   /team/{id}/memberships CreateTeamMembership critical
  DELETE /team/{id}/memberships/{user} DeleteTeamMembership critical
  GET    /usage/hourly_usage GetHourlyUsage
  GET    /usage/estimated_cost GetEstimatedCostByOrg
  GET    /restriction_policy/{id} GetRestrictionPolicy
  POST   /restriction_policy/{id} UpdateRestrictionPolicy critical
  DELETE /restriction_policy/{id} DeleteRestrictionPolicy critical
  GET    /ip_allowlist GetIPAllowlist
  PATCH  /ip_allowlist UpdateIPAllowlist critical
/api/v2/users
  GET    ListUsers
  POST   CreateUser critical
  GET    /{id} GetUser
  PATCH  /{id} UpdateUser critical
  DELETE /{id} DisableUser critical
  GET    /{id}/permissions ListUserPermissions
  GET    /{id}/orgs ListUserOrganizations
/api/v2/user_invitations
  POST   SendInvitations critical
  GET    /{id} GetInvitation
/api/v2/roles
  GET    ListRoles
  POST   CreateRole critical
  GET    /{id} GetRole
  PATCH  /{id} UpdateRole critical
  DELETE /{id} DeleteRole critical
  GET    /{id}/permissions ListRolePermissions
  POST   /{id}/permissions AddPermissionToRole critical
  DELETE /{id}/permissions RemovePermissionFromRole critical
  GET    /{id}/users ListRoleUsers
  POST   /{id}/users AddUserToRole critical
  DELETE /{id}/users RemoveUserFromRole critical
/api/v2/security_monitoring
  GET    /rules ListSecurityMonitoringRules
  POST   /rules CreateSecurityMonitoringRule critical
  GET    /rules/{id} GetSecurityMonitoringRule
  PUT    /rules/{id} UpdateSecurityMonitoringRule critical
  DELETE /rules/{id} DeleteSecurityMonitoringRule critical
  GET    /signals ListSecurityMonitoringSignals
  POST   /signals/search SearchSecurityMonitoringSignals read
  GET    /signals/{id} GetSecurityMonitoringSignal
  PATCH  /signals/{id}/state EditSecurityMonitoringSignalState
`;
