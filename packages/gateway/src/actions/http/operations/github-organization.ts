/** Organisations: members, teams, roles, rules, packages, projects. By the published description of the REST API, version 2022-11-28. */
export const GITHUB_ORGANIZATION = `
/orgs/{org}
  GET    orgs/get
  DELETE orgs/delete critical
  PATCH  orgs/update critical
  GET    /docker/conflicts packages/list-docker-migration-conflicting-packages-for-organization
  GET    /events activity/list-public-org-events
  GET    /failed_invitations orgs/list-failed-invitations
  GET    /installation apps/get-org-installation
  GET    /installations orgs/list-app-installations
  GET    /issues issues/list-for-org
  GET    /organization-fine-grained-permissions orgs/list-organization-fine-grained-permissions
  GET    /repos repos/list-for-org
  POST   /repos repos/create-in-org critical
  GET    /security-advisories security-advisories/list-org-repository-advisories
  POST   /{security_product}/{enablement} orgs/enable-or-disable-security-product-on-all-org-repos critical
/orgs/{org}/artifacts
  POST   /metadata/deployment-record orgs/create-artifact-deployment-record critical
  POST   /metadata/deployment-record/cluster/{cluster} orgs/set-cluster-deployment-records critical
  POST   /metadata/deployment-record/cluster/{cluster}/jobs orgs/create-cluster-deployment-records-job critical
  GET    /metadata/deployment-record/cluster/{cluster}/jobs/{job_id} orgs/get-cluster-deployment-records-job
  POST   /metadata/storage-record orgs/create-artifact-storage-record critical
  GET    /{subject_digest}/metadata/deployment-records orgs/list-artifact-deployment-records
  GET    /{subject_digest}/metadata/storage-records orgs/list-artifact-storage-records
/orgs/{org}/attestations
  POST   /bulk-list orgs/list-attestations-bulk read
  POST   /delete-request orgs/delete-attestations-bulk critical
  DELETE /digest/{subject_digest} orgs/delete-attestations-by-subject-digest critical
  GET    /repositories orgs/list-attestation-repositories
  DELETE /{attestation_id} orgs/delete-attestations-by-id critical
  GET    /{subject_digest} orgs/list-attestations
/orgs/{org}/blocks
  GET    orgs/list-blocked-users
  GET    /{username} orgs/check-blocked-user
  PUT    /{username} orgs/block-user critical
  DELETE /{username} orgs/unblock-user critical
/orgs/{org}/campaigns
  GET    campaigns/list-org-campaigns
  POST   campaigns/create-campaign critical
  GET    /{campaign_number} campaigns/get-campaign-summary
  DELETE /{campaign_number} campaigns/delete-campaign critical
  PATCH  /{campaign_number} campaigns/update-campaign critical
/orgs/{org}/hooks
  GET    orgs/list-webhooks
  POST   orgs/create-webhook critical
  GET    /{hook_id} orgs/get-webhook
  DELETE /{hook_id} orgs/delete-webhook critical
  PATCH  /{hook_id} orgs/update-webhook critical
  GET    /{hook_id}/config orgs/get-webhook-config-for-org
  PATCH  /{hook_id}/config orgs/update-webhook-config-for-org critical
  GET    /{hook_id}/deliveries orgs/list-webhook-deliveries
  GET    /{hook_id}/deliveries/{delivery_id} orgs/get-webhook-delivery
  POST   /{hook_id}/deliveries/{delivery_id}/attempts orgs/redeliver-webhook-delivery critical
  POST   /{hook_id}/pings orgs/ping-webhook critical
/orgs/{org}/insights
  GET    /api/route-stats/{actor_type}/{actor_id} api-insights/get-route-stats-by-actor
  GET    /api/subject-stats api-insights/get-subject-stats
  GET    /api/summary-stats api-insights/get-summary-stats
  GET    /api/summary-stats/users/{user_id} api-insights/get-summary-stats-by-user
  GET    /api/summary-stats/{actor_type}/{actor_id} api-insights/get-summary-stats-by-actor
  GET    /api/time-stats api-insights/get-time-stats
  GET    /api/time-stats/users/{user_id} api-insights/get-time-stats-by-user
  GET    /api/time-stats/{actor_type}/{actor_id} api-insights/get-time-stats-by-actor
  GET    /api/user-stats/{user_id} api-insights/get-user-stats
/orgs/{org}/interaction-limits
  GET    interactions/get-restrictions-for-org
  PUT    interactions/set-restrictions-for-org critical
  DELETE interactions/remove-restrictions-for-org critical
  GET    /pulls/creation-cap interactions/get-pull-request-creation-cap-for-org
  PATCH  /pulls/creation-cap interactions/update-pull-request-creation-cap-for-org critical
/orgs/{org}/invitations
  GET    orgs/list-pending-invitations
  POST   orgs/create-invitation critical
  DELETE /{invitation_id} orgs/cancel-invitation critical
  GET    /{invitation_id}/teams orgs/list-invitation-teams
/orgs/{org}/issue-fields
  GET    orgs/list-issue-fields
  POST   orgs/create-issue-field critical
  DELETE /{issue_field_id} orgs/delete-issue-field critical
  PATCH  /{issue_field_id} orgs/update-issue-field critical
/orgs/{org}/issue-types
  GET    orgs/list-issue-types
  POST   orgs/create-issue-type critical
  PUT    /{issue_type_id} orgs/update-issue-type critical
  DELETE /{issue_type_id} orgs/delete-issue-type critical
/orgs/{org}/members
  GET    orgs/list-members
  GET    /{username} orgs/check-membership-for-user
  DELETE /{username} orgs/remove-member critical
  GET    /{username}/codespaces codespaces/get-codespaces-for-user-in-org
  DELETE /{username}/codespaces/{codespace_name} codespaces/delete-from-organization critical
  POST   /{username}/codespaces/{codespace_name}/stop codespaces/stop-in-organization critical
  GET    /{username}/copilot copilot/get-copilot-seat-details-for-user
/orgs/{org}/memberships
  GET    /{username} orgs/get-membership-for-user
  PUT    /{username} orgs/set-membership-for-user critical
  DELETE /{username} orgs/remove-membership-for-user critical
/orgs/{org}/migrations
  GET    migrations/list-for-org
  POST   migrations/start-for-org critical
  GET    /{migration_id} migrations/get-status-for-org
  GET    /{migration_id}/archive migrations/download-archive-for-org
  DELETE /{migration_id}/archive migrations/delete-archive-for-org critical
  DELETE /{migration_id}/repos/{repo_name}/lock migrations/unlock-repo-for-org critical
  GET    /{migration_id}/repositories migrations/list-repos-for-org
/orgs/{org}/organization-roles
  GET    orgs/list-org-roles
  DELETE /teams/{team_slug} orgs/revoke-all-org-roles-team critical
  PUT    /teams/{team_slug}/{role_id} orgs/assign-team-to-org-role critical
  DELETE /teams/{team_slug}/{role_id} orgs/revoke-org-role-team critical
  DELETE /users/{username} orgs/revoke-all-org-roles-user critical
  PUT    /users/{username}/{role_id} orgs/assign-user-to-org-role critical
  DELETE /users/{username}/{role_id} orgs/revoke-org-role-user critical
  GET    /{role_id} orgs/get-org-role
  GET    /{role_id}/teams orgs/list-org-role-teams
  GET    /{role_id}/users orgs/list-org-role-users
/orgs/{org}/outside_collaborators
  GET    orgs/list-outside-collaborators
  PUT    /{username} orgs/convert-member-to-outside-collaborator critical
  DELETE /{username} orgs/remove-outside-collaborator critical
/orgs/{org}/packages
  GET    packages/list-packages-for-organization
  GET    /{package_type}/{package_name} packages/get-package-for-organization
  DELETE /{package_type}/{package_name} packages/delete-package-for-org critical
  POST   /{package_type}/{package_name}/restore packages/restore-package-for-org critical
  GET    /{package_type}/{package_name}/versions packages/get-all-package-versions-for-package-owned-by-org
  GET    /{package_type}/{package_name}/versions/{package_version_id} packages/get-package-version-for-organization
  DELETE /{package_type}/{package_name}/versions/{package_version_id} packages/delete-package-version-for-org critical
  POST   /{package_type}/{package_name}/versions/{package_version_id}/restore packages/restore-package-version-for-org critical
/orgs/{org}/personal-access-token-requests
  GET    orgs/list-pat-grant-requests secret
  POST   orgs/review-pat-grant-requests-in-bulk secret
  POST   /{pat_request_id} orgs/review-pat-grant-request secret
  GET    /{pat_request_id}/repositories orgs/list-pat-grant-request-repositories secret
/orgs/{org}/personal-access-tokens
  GET    orgs/list-pat-grants secret
  POST   orgs/update-pat-accesses secret
  POST   /{pat_id} orgs/update-pat-access secret
  GET    /{pat_id}/repositories orgs/list-pat-grant-repositories secret
/orgs/{org}/projectsV2
  GET    projects/list-for-org
  GET    /{project_number} projects/get-for-org
  POST   /{project_number}/drafts projects/create-draft-item-for-org
  GET    /{project_number}/fields projects/list-fields-for-org
  POST   /{project_number}/fields projects/add-field-for-org
  GET    /{project_number}/fields/{field_id} projects/get-field-for-org
  GET    /{project_number}/items projects/list-items-for-org
  POST   /{project_number}/items projects/add-item-for-org
  GET    /{project_number}/items/{item_id} projects/get-org-item
  DELETE /{project_number}/items/{item_id} projects/delete-item-for-org
  PATCH  /{project_number}/items/{item_id} projects/update-item-for-org
  POST   /{project_number}/views projects/create-view-for-org
  GET    /{project_number}/views/{view_number}/items projects/list-view-items-for-org
/orgs/{org}/properties
  GET    /schema orgs/custom-properties-for-repos-get-organization-definitions
  PATCH  /schema orgs/custom-properties-for-repos-create-or-update-organization-definitions critical
  GET    /schema/{custom_property_name} orgs/custom-properties-for-repos-get-organization-definition
  PUT    /schema/{custom_property_name} orgs/custom-properties-for-repos-create-or-update-organization-definition critical
  DELETE /schema/{custom_property_name} orgs/custom-properties-for-repos-delete-organization-definition critical
  GET    /values orgs/custom-properties-for-repos-get-organization-values
  PATCH  /values orgs/custom-properties-for-repos-create-or-update-organization-values critical
/orgs/{org}/public_members
  GET    orgs/list-public-members
  GET    /{username} orgs/check-public-membership-for-user
  PUT    /{username} orgs/set-public-membership-for-authenticated-user critical
  DELETE /{username} orgs/remove-public-membership-for-authenticated-user critical
/orgs/{org}/rulesets
  GET    repos/get-org-rulesets
  POST   repos/create-org-ruleset critical
  GET    /rule-suites repos/get-org-rule-suites
  GET    /rule-suites/{rule_suite_id} repos/get-org-rule-suite
  GET    /{ruleset_id} repos/get-org-ruleset
  PUT    /{ruleset_id} repos/update-org-ruleset critical
  DELETE /{ruleset_id} repos/delete-org-ruleset critical
  GET    /{ruleset_id}/history orgs/get-org-ruleset-history
  GET    /{ruleset_id}/history/{version_id} orgs/get-org-ruleset-version
/orgs/{org}/security-managers
  GET    orgs/list-security-manager-teams
  PUT    /teams/{team_slug} orgs/add-security-manager-team critical
  DELETE /teams/{team_slug} orgs/remove-security-manager-team critical
/orgs/{org}/settings
  GET    /immutable-releases orgs/get-immutable-releases-settings
  PUT    /immutable-releases orgs/set-immutable-releases-settings critical
  GET    /immutable-releases/repositories orgs/get-immutable-releases-settings-repositories
  PUT    /immutable-releases/repositories orgs/set-immutable-releases-settings-repositories critical
  PUT    /immutable-releases/repositories/{repository_id} orgs/enable-selected-repository-immutable-releases-organization critical
  DELETE /immutable-releases/repositories/{repository_id} orgs/disable-selected-repository-immutable-releases-organization critical
  GET    /network-configurations hosted-compute/list-network-configurations-for-org
  POST   /network-configurations hosted-compute/create-network-configuration-for-org critical
  GET    /network-configurations/{network_configuration_id} hosted-compute/get-network-configuration-for-org
  DELETE /network-configurations/{network_configuration_id} hosted-compute/delete-network-configuration-from-org critical
  PATCH  /network-configurations/{network_configuration_id} hosted-compute/update-network-configuration-for-org critical
  GET    /network-settings/{network_settings_id} hosted-compute/get-network-settings-for-org
/orgs/{org}/teams
  GET    teams/list
  POST   teams/create critical
  GET    /{team_slug} teams/get-by-name
  DELETE /{team_slug} teams/delete-in-org critical
  PATCH  /{team_slug} teams/update-in-org critical
  GET    /{team_slug}/invitations teams/list-pending-invitations-in-org
  GET    /{team_slug}/members teams/list-members-in-org
  GET    /{team_slug}/memberships/{username} teams/get-membership-for-user-in-org
  PUT    /{team_slug}/memberships/{username} teams/add-or-update-membership-for-user-in-org critical
  DELETE /{team_slug}/memberships/{username} teams/remove-membership-for-user-in-org critical
  GET    /{team_slug}/repos teams/list-repos-in-org
  GET    /{team_slug}/repos/{owner}/{repo} teams/check-permissions-for-repo-in-org
  PUT    /{team_slug}/repos/{owner}/{repo} teams/add-or-update-repo-permissions-in-org critical
  DELETE /{team_slug}/repos/{owner}/{repo} teams/remove-repo-in-org critical
  GET    /{team_slug}/teams teams/list-child-in-org
`;
