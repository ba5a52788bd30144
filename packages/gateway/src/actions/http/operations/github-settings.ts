/** Repositories: who may do what, what runs by itself, what is deployed. By the published description of the REST API, version 2022-11-28. */
export const GITHUB_SETTINGS = `
/repos/{owner}/{repo}
  GET    repos/get
  DELETE repos/delete critical
  PATCH  repos/update critical
  POST   /attestations repos/create-attestation
  GET    /attestations/{subject_digest} repos/list-attestations
  GET    /code-security-configuration code-security/get-configuration-for-repository
  GET    /copilot/cloud-agent/configuration copilot/get-copilot-cloud-agent-configuration
  POST   /dispatches repos/create-dispatch-event critical
  GET    /installation apps/get-repo-installation
  GET    /properties/values repos/custom-properties-for-repos-get-repository-values
  PATCH  /properties/values repos/custom-properties-for-repos-create-or-update-repository-values critical
  GET    /rules/branches/{branch+} repos/get-branch-rules
  GET    /teams repos/list-teams
  POST   /transfer repos/transfer critical
/repos/{owner}/{repo}/actions
  GET    /artifacts actions/list-artifacts-for-repo
  GET    /artifacts/{artifact_id} actions/get-artifact
  DELETE /artifacts/{artifact_id} actions/delete-artifact
  GET    /artifacts/{artifact_id}/{archive_format} actions/download-artifact
  GET    /cache/retention-limit actions/get-actions-cache-retention-limit-for-repository
  PUT    /cache/retention-limit actions/set-actions-cache-retention-limit-for-repository critical
  GET    /cache/storage-limit actions/get-actions-cache-storage-limit-for-repository
  PUT    /cache/storage-limit actions/set-actions-cache-storage-limit-for-repository critical
  GET    /cache/usage actions/get-actions-cache-usage
  GET    /caches actions/get-actions-cache-list
  DELETE /caches actions/delete-actions-cache-by-key
  DELETE /caches/{cache_id} actions/delete-actions-cache-by-id
  GET    /concurrency_groups actions/list-concurrency-groups-for-repository
  GET    /concurrency_groups/{concurrency_group_name} actions/get-concurrency-group-for-repository
  GET    /jobs/{job_id} actions/get-job-for-workflow-run
  GET    /jobs/{job_id}/logs actions/download-job-logs-for-workflow-run
  POST   /jobs/{job_id}/rerun actions/re-run-job-for-workflow-run critical
  GET    /oidc/customization/sub actions/get-custom-oidc-sub-claim-for-repo
  PUT    /oidc/customization/sub actions/set-custom-oidc-sub-claim-for-repo critical
  GET    /organization-secrets actions/list-repo-organization-secrets
  GET    /organization-variables actions/list-repo-organization-variables
  GET    /permissions actions/get-github-actions-permissions-repository
  PUT    /permissions actions/set-github-actions-permissions-repository critical
  GET    /permissions/access actions/get-workflow-access-to-repository
  PUT    /permissions/access actions/set-workflow-access-to-repository critical
  GET    /permissions/artifact-and-log-retention actions/get-artifact-and-log-retention-settings-repository
  PUT    /permissions/artifact-and-log-retention actions/set-artifact-and-log-retention-settings-repository critical
  GET    /permissions/fork-pr-contributor-approval actions/get-fork-pr-contributor-approval-permissions-repository
  PUT    /permissions/fork-pr-contributor-approval actions/set-fork-pr-contributor-approval-permissions-repository critical
  GET    /permissions/fork-pr-workflows-private-repos actions/get-private-repo-fork-pr-workflows-settings-repository
  PUT    /permissions/fork-pr-workflows-private-repos actions/set-private-repo-fork-pr-workflows-settings-repository critical
  GET    /permissions/selected-actions actions/get-allowed-actions-repository
  PUT    /permissions/selected-actions actions/set-allowed-actions-repository critical
  GET    /permissions/workflow actions/get-github-actions-default-workflow-permissions-repository
  PUT    /permissions/workflow actions/set-github-actions-default-workflow-permissions-repository critical
  GET    /runners actions/list-self-hosted-runners-for-repo
  GET    /runners/downloads actions/list-runner-applications-for-repo
  POST   /runners/generate-jitconfig actions/generate-runner-jitconfig-for-repo secret
  POST   /runners/registration-token actions/create-registration-token-for-repo secret
  POST   /runners/remove-token actions/create-remove-token-for-repo secret
  GET    /runners/{runner_id} actions/get-self-hosted-runner-for-repo
  DELETE /runners/{runner_id} actions/delete-self-hosted-runner-from-repo critical
  GET    /runners/{runner_id}/labels actions/list-labels-for-self-hosted-runner-for-repo
  PUT    /runners/{runner_id}/labels actions/set-custom-labels-for-self-hosted-runner-for-repo critical
  POST   /runners/{runner_id}/labels actions/add-custom-labels-to-self-hosted-runner-for-repo critical
  DELETE /runners/{runner_id}/labels actions/remove-all-custom-labels-from-self-hosted-runner-for-repo critical
  DELETE /runners/{runner_id}/labels/{name} actions/remove-custom-label-from-self-hosted-runner-for-repo critical
  GET    /runs actions/list-workflow-runs-for-repo
  GET    /runs/{run_id} actions/get-workflow-run
  DELETE /runs/{run_id} actions/delete-workflow-run
  GET    /runs/{run_id}/approvals actions/get-reviews-for-run
  POST   /runs/{run_id}/approve actions/approve-workflow-run critical
  GET    /runs/{run_id}/artifacts actions/list-workflow-run-artifacts
  GET    /runs/{run_id}/attempts/{attempt_number} actions/get-workflow-run-attempt
  GET    /runs/{run_id}/attempts/{attempt_number}/jobs actions/list-jobs-for-workflow-run-attempt
  GET    /runs/{run_id}/attempts/{attempt_number}/logs actions/download-workflow-run-attempt-logs
  POST   /runs/{run_id}/cancel actions/cancel-workflow-run
  GET    /runs/{run_id}/concurrency_groups actions/list-concurrency-groups-for-workflow-run
  POST   /runs/{run_id}/deployment_protection_rule actions/review-custom-gates-for-run critical
  POST   /runs/{run_id}/force-cancel actions/force-cancel-workflow-run
  GET    /runs/{run_id}/jobs actions/list-jobs-for-workflow-run
  GET    /runs/{run_id}/logs actions/download-workflow-run-logs
  DELETE /runs/{run_id}/logs actions/delete-workflow-run-logs
  GET    /runs/{run_id}/pending_deployments actions/get-pending-deployments-for-run
  POST   /runs/{run_id}/pending_deployments actions/review-pending-deployments-for-run critical
  POST   /runs/{run_id}/rerun actions/re-run-workflow critical
  POST   /runs/{run_id}/rerun-failed-jobs actions/re-run-workflow-failed-jobs critical
  GET    /runs/{run_id}/timing actions/get-workflow-run-usage
  GET    /secrets actions/list-repo-secrets
  GET    /secrets/public-key actions/get-repo-public-key
  GET    /secrets/{secret_name} actions/get-repo-secret
  PUT    /secrets/{secret_name} actions/create-or-update-repo-secret critical
  DELETE /secrets/{secret_name} actions/delete-repo-secret critical
  GET    /variables actions/list-repo-variables
  POST   /variables actions/create-repo-variable critical
  GET    /variables/{name} actions/get-repo-variable
  DELETE /variables/{name} actions/delete-repo-variable critical
  PATCH  /variables/{name} actions/update-repo-variable critical
  GET    /workflows actions/list-repo-workflows
  GET    /workflows/{workflow_id} actions/get-workflow
  PUT    /workflows/{workflow_id}/disable actions/disable-workflow critical
  POST   /workflows/{workflow_id}/dispatches actions/create-workflow-dispatch critical
  PUT    /workflows/{workflow_id}/enable actions/enable-workflow critical
  GET    /workflows/{workflow_id}/runs actions/list-workflow-runs
  GET    /workflows/{workflow_id}/timing actions/get-workflow-usage
/repos/{owner}/{repo}/agents
  GET    /organization-secrets agents/list-repo-organization-secrets
  GET    /organization-variables agents/list-repo-organization-variables
  GET    /secrets agents/list-repo-secrets
  GET    /secrets/public-key agents/get-repo-public-key
  GET    /secrets/{secret_name} agents/get-repo-secret
  PUT    /secrets/{secret_name} agents/create-or-update-repo-secret critical
  DELETE /secrets/{secret_name} agents/delete-repo-secret critical
  GET    /variables agents/list-repo-variables
  POST   /variables agents/create-repo-variable critical
  GET    /variables/{name} agents/get-repo-variable
  DELETE /variables/{name} agents/delete-repo-variable critical
  PATCH  /variables/{name} agents/update-repo-variable critical
/repos/{owner}/{repo}/automated-security-fixes
  GET    repos/check-automated-security-fixes
  PUT    repos/enable-automated-security-fixes critical
  DELETE repos/disable-automated-security-fixes critical
/repos/{owner}/{repo}/branches
  GET    repos/list-branches vcs:read
  GET    /{branch+} repos/get-branch vcs:read
  GET    /{branch+}/protection repos/get-branch-protection vcs:read
  PUT    /{branch+}/protection repos/update-branch-protection critical
  DELETE /{branch+}/protection repos/delete-branch-protection critical
  GET    /{branch+}/protection/enforce_admins repos/get-admin-branch-protection vcs:read
  POST   /{branch+}/protection/enforce_admins repos/set-admin-branch-protection critical
  DELETE /{branch+}/protection/enforce_admins repos/delete-admin-branch-protection critical
  GET    /{branch+}/protection/required_pull_request_reviews repos/get-pull-request-review-protection vcs:read
  DELETE /{branch+}/protection/required_pull_request_reviews repos/delete-pull-request-review-protection critical
  PATCH  /{branch+}/protection/required_pull_request_reviews repos/update-pull-request-review-protection critical
  GET    /{branch+}/protection/required_signatures repos/get-commit-signature-protection vcs:read
  POST   /{branch+}/protection/required_signatures repos/create-commit-signature-protection critical
  DELETE /{branch+}/protection/required_signatures repos/delete-commit-signature-protection critical
  GET    /{branch+}/protection/required_status_checks repos/get-status-checks-protection vcs:read
  DELETE /{branch+}/protection/required_status_checks repos/remove-status-check-protection critical
  PATCH  /{branch+}/protection/required_status_checks repos/update-status-check-protection critical
  GET    /{branch+}/protection/required_status_checks/contexts repos/get-all-status-check-contexts vcs:read
  PUT    /{branch+}/protection/required_status_checks/contexts repos/set-status-check-contexts critical
  POST   /{branch+}/protection/required_status_checks/contexts repos/add-status-check-contexts critical
  DELETE /{branch+}/protection/required_status_checks/contexts repos/remove-status-check-contexts critical
  GET    /{branch+}/protection/restrictions repos/get-access-restrictions vcs:read
  DELETE /{branch+}/protection/restrictions repos/delete-access-restrictions critical
  GET    /{branch+}/protection/restrictions/apps repos/get-apps-with-access-to-protected-branch vcs:read
  PUT    /{branch+}/protection/restrictions/apps repos/set-app-access-restrictions critical
  POST   /{branch+}/protection/restrictions/apps repos/add-app-access-restrictions critical
  DELETE /{branch+}/protection/restrictions/apps repos/remove-app-access-restrictions critical
  GET    /{branch+}/protection/restrictions/teams repos/get-teams-with-access-to-protected-branch vcs:read
  PUT    /{branch+}/protection/restrictions/teams repos/set-team-access-restrictions critical
  POST   /{branch+}/protection/restrictions/teams repos/add-team-access-restrictions critical
  DELETE /{branch+}/protection/restrictions/teams repos/remove-team-access-restrictions critical
  GET    /{branch+}/protection/restrictions/users repos/get-users-with-access-to-protected-branch vcs:read
  PUT    /{branch+}/protection/restrictions/users repos/set-user-access-restrictions critical
  POST   /{branch+}/protection/restrictions/users repos/add-user-access-restrictions critical
  DELETE /{branch+}/protection/restrictions/users repos/remove-user-access-restrictions critical
  POST   /{branch+}/rename repos/rename-branch vcs:branch high
/repos/{owner}/{repo}/code-quality
  GET    /findings code-quality/list-findings-for-repo
  GET    /findings/{finding_number} code-quality/get-finding
  GET    /setup code-quality/get-setup
  PATCH  /setup code-quality/update-setup
/repos/{owner}/{repo}/code-scanning
  GET    /alerts code-scanning/list-alerts-for-repo
  GET    /alerts/{alert_number} code-scanning/get-alert
  PATCH  /alerts/{alert_number} code-scanning/update-alert
  GET    /alerts/{alert_number}/autofix code-scanning/get-autofix
  POST   /alerts/{alert_number}/autofix code-scanning/create-autofix
  POST   /alerts/{alert_number}/autofix/commits code-scanning/commit-autofix vcs:push
  GET    /alerts/{alert_number}/instances code-scanning/list-alert-instances
  GET    /analyses code-scanning/list-recent-analyses
  GET    /analyses/{analysis_id} code-scanning/get-analysis
  DELETE /analyses/{analysis_id} code-scanning/delete-analysis
  GET    /codeql/databases code-scanning/list-codeql-databases
  GET    /codeql/databases/{language} code-scanning/get-codeql-database
  DELETE /codeql/databases/{language} code-scanning/delete-codeql-database critical
  POST   /codeql/variant-analyses code-scanning/create-variant-analysis
  GET    /codeql/variant-analyses/{codeql_variant_analysis_id} code-scanning/get-variant-analysis
  GET    /codeql/variant-analyses/{codeql_variant_analysis_id}/repos/{repo_owner}/{repo_name} code-scanning/get-variant-analysis-repo-task
  GET    /default-setup code-scanning/get-default-setup
  PATCH  /default-setup code-scanning/update-default-setup critical
  POST   /sarifs code-scanning/upload-sarif
  GET    /sarifs/{sarif_id} code-scanning/get-sarif
/repos/{owner}/{repo}/codespaces
  GET    codespaces/list-in-repository-for-authenticated-user
  POST   codespaces/create-with-repo-for-authenticated-user critical
  GET    /devcontainers codespaces/list-devcontainers-in-repository-for-authenticated-user
  GET    /machines codespaces/repo-machines-for-authenticated-user
  GET    /new codespaces/pre-flight-with-repo-for-authenticated-user
  GET    /permissions_check codespaces/check-permissions-for-devcontainer
  GET    /secrets codespaces/list-repo-secrets
  GET    /secrets/public-key codespaces/get-repo-public-key
  GET    /secrets/{secret_name} codespaces/get-repo-secret
  PUT    /secrets/{secret_name} codespaces/create-or-update-repo-secret critical
  DELETE /secrets/{secret_name} codespaces/delete-repo-secret critical
/repos/{owner}/{repo}/collaborators
  GET    repos/list-collaborators
  GET    /{username} repos/check-collaborator
  PUT    /{username} repos/add-collaborator critical
  DELETE /{username} repos/remove-collaborator critical
  GET    /{username}/permission repos/get-collaborator-permission-level
/repos/{owner}/{repo}/dependabot
  GET    /alerts dependabot/list-alerts-for-repo
  GET    /alerts/{alert_number} dependabot/get-alert
  PATCH  /alerts/{alert_number} dependabot/update-alert
  GET    /secrets dependabot/list-repo-secrets
  GET    /secrets/public-key dependabot/get-repo-public-key
  GET    /secrets/{secret_name} dependabot/get-repo-secret
  PUT    /secrets/{secret_name} dependabot/create-or-update-repo-secret critical
  DELETE /secrets/{secret_name} dependabot/delete-repo-secret critical
/repos/{owner}/{repo}/dependency-graph
  GET    /compare/{basehead+} dependency-graph/diff-range
  GET    /sbom dependency-graph/export-sbom
  GET    /sbom/fetch-report/{sbom_uuid} dependency-graph/fetch-sbom-report
  GET    /sbom/generate-report dependency-graph/generate-sbom-report
  POST   /snapshots dependency-graph/create-repository-snapshot
/repos/{owner}/{repo}/deployments
  GET    repos/list-deployments
  POST   repos/create-deployment deploy:production
  GET    /{deployment_id} repos/get-deployment
  DELETE /{deployment_id} repos/delete-deployment critical
  GET    /{deployment_id}/statuses repos/list-deployment-statuses
  POST   /{deployment_id}/statuses repos/create-deployment-status deploy:production
  GET    /{deployment_id}/statuses/{status_id} repos/get-deployment-status
/repos/{owner}/{repo}/environments
  GET    repos/get-all-environments
  GET    /{environment_name} repos/get-environment
  PUT    /{environment_name} repos/create-or-update-environment critical
  DELETE /{environment_name} repos/delete-an-environment critical
  GET    /{environment_name}/deployment-branch-policies repos/list-deployment-branch-policies
  POST   /{environment_name}/deployment-branch-policies repos/create-deployment-branch-policy critical
  GET    /{environment_name}/deployment-branch-policies/{branch_policy_id} repos/get-deployment-branch-policy
  PUT    /{environment_name}/deployment-branch-policies/{branch_policy_id} repos/update-deployment-branch-policy critical
  DELETE /{environment_name}/deployment-branch-policies/{branch_policy_id} repos/delete-deployment-branch-policy critical
  GET    /{environment_name}/deployment_protection_rules repos/get-all-deployment-protection-rules
  POST   /{environment_name}/deployment_protection_rules repos/create-deployment-protection-rule critical
  GET    /{environment_name}/deployment_protection_rules/apps repos/list-custom-deployment-rule-integrations
  GET    /{environment_name}/deployment_protection_rules/{protection_rule_id} repos/get-custom-deployment-protection-rule
  DELETE /{environment_name}/deployment_protection_rules/{protection_rule_id} repos/disable-deployment-protection-rule critical
  GET    /{environment_name}/secrets actions/list-environment-secrets
  GET    /{environment_name}/secrets/public-key actions/get-environment-public-key
  GET    /{environment_name}/secrets/{secret_name} actions/get-environment-secret
  PUT    /{environment_name}/secrets/{secret_name} actions/create-or-update-environment-secret critical
  DELETE /{environment_name}/secrets/{secret_name} actions/delete-environment-secret critical
  GET    /{environment_name}/variables actions/list-environment-variables
  POST   /{environment_name}/variables actions/create-environment-variable critical
  GET    /{environment_name}/variables/{name} actions/get-environment-variable
  DELETE /{environment_name}/variables/{name} actions/delete-environment-variable critical
  PATCH  /{environment_name}/variables/{name} actions/update-environment-variable critical
/repos/{owner}/{repo}/hooks
  GET    repos/list-webhooks
  POST   repos/create-webhook critical
  GET    /{hook_id} repos/get-webhook
  DELETE /{hook_id} repos/delete-webhook critical
  PATCH  /{hook_id} repos/update-webhook critical
  GET    /{hook_id}/config repos/get-webhook-config-for-repo
  PATCH  /{hook_id}/config repos/update-webhook-config-for-repo critical
  GET    /{hook_id}/deliveries repos/list-webhook-deliveries
  GET    /{hook_id}/deliveries/{delivery_id} repos/get-webhook-delivery
  POST   /{hook_id}/deliveries/{delivery_id}/attempts repos/redeliver-webhook-delivery critical
  POST   /{hook_id}/pings repos/ping-webhook critical
  POST   /{hook_id}/tests repos/test-push-webhook critical
/repos/{owner}/{repo}/immutable-releases
  GET    repos/check-immutable-releases
  PUT    repos/enable-immutable-releases critical
  DELETE repos/disable-immutable-releases critical
/repos/{owner}/{repo}/import
  GET    migrations/get-import-status
  PUT    migrations/start-import critical
  DELETE migrations/cancel-import critical
  PATCH  migrations/update-import critical
  GET    /authors migrations/get-commit-authors
  PATCH  /authors/{author_id} migrations/map-commit-author critical
  GET    /large_files migrations/get-large-files
  PATCH  /lfs migrations/set-lfs-preference critical
/repos/{owner}/{repo}/interaction-limits
  GET    interactions/get-restrictions-for-repo
  PUT    interactions/set-restrictions-for-repo critical
  DELETE interactions/remove-restrictions-for-repo critical
  GET    /pulls/bypass-list interactions/get-pull-request-bypass-list-for-repo
  PUT    /pulls/bypass-list interactions/set-pull-request-bypass-list-for-repo critical
  DELETE /pulls/bypass-list interactions/remove-pull-request-bypass-list-for-repo critical
  GET    /pulls/creation-cap interactions/get-pull-request-creation-cap-for-repo
  PATCH  /pulls/creation-cap interactions/update-pull-request-creation-cap-for-repo critical
/repos/{owner}/{repo}/invitations
  GET    repos/list-invitations
  DELETE /{invitation_id} repos/delete-invitation critical
  PATCH  /{invitation_id} repos/update-invitation critical
/repos/{owner}/{repo}/keys
  GET    repos/list-deploy-keys
  POST   repos/create-deploy-key critical
  GET    /{key_id} repos/get-deploy-key
  DELETE /{key_id} repos/delete-deploy-key critical
/repos/{owner}/{repo}/pages
  GET    repos/get-pages
  PUT    repos/update-information-about-pages-site critical
  POST   repos/create-pages-site critical
  DELETE repos/delete-pages-site critical
  GET    /builds repos/list-pages-builds
  POST   /builds repos/request-pages-build critical
  GET    /builds/latest repos/get-latest-pages-build
  GET    /builds/{build_id} repos/get-pages-build
  POST   /deployments repos/create-pages-deployment deploy:production
  GET    /deployments/{pages_deployment_id} repos/get-pages-deployment
  POST   /deployments/{pages_deployment_id}/cancel repos/cancel-pages-deployment critical
  GET    /health repos/get-pages-health-check
/repos/{owner}/{repo}/private-vulnerability-reporting
  GET    repos/check-private-vulnerability-reporting
  PUT    repos/enable-private-vulnerability-reporting critical
  DELETE repos/disable-private-vulnerability-reporting critical
/repos/{owner}/{repo}/rulesets
  GET    repos/get-repo-rulesets
  POST   repos/create-repo-ruleset critical
  GET    /rule-suites repos/get-repo-rule-suites
  GET    /rule-suites/{rule_suite_id} repos/get-repo-rule-suite
  GET    /{ruleset_id} repos/get-repo-ruleset
  PUT    /{ruleset_id} repos/update-repo-ruleset critical
  DELETE /{ruleset_id} repos/delete-repo-ruleset critical
  GET    /{ruleset_id}/history repos/get-repo-ruleset-history
  GET    /{ruleset_id}/history/{version_id} repos/get-repo-ruleset-version
/repos/{owner}/{repo}/secret-scanning
  GET    /alerts secret-scanning/list-alerts-for-repo secret
  GET    /alerts/{alert_number} secret-scanning/get-alert secret
  PATCH  /alerts/{alert_number} secret-scanning/update-alert secret
  GET    /alerts/{alert_number}/locations secret-scanning/list-locations-for-alert secret
  GET    /custom-patterns secret-scanning/list-repo-custom-patterns secret
  POST   /custom-patterns secret-scanning/bulk-create-repo-custom-patterns secret
  DELETE /custom-patterns secret-scanning/bulk-delete-repo-custom-patterns secret
  PATCH  /custom-patterns/{pattern_id} secret-scanning/update-repo-custom-pattern secret
  POST   /push-protection-bypasses secret-scanning/create-push-protection-bypass secret
  GET    /scan-history secret-scanning/get-scan-history secret
/repos/{owner}/{repo}/security-advisories
  GET    security-advisories/list-repository-advisories
  POST   security-advisories/create-repository-advisory
  POST   /reports security-advisories/create-private-vulnerability-report
  GET    /{ghsa_id} security-advisories/get-repository-advisory
  PATCH  /{ghsa_id} security-advisories/update-repository-advisory
  POST   /{ghsa_id}/cve security-advisories/create-repository-advisory-cve-request
  POST   /{ghsa_id}/forks security-advisories/create-fork
/repos/{owner}/{repo}/traffic
  GET    /clones repos/get-clones
  GET    /popular/paths repos/get-top-paths
  GET    /popular/referrers repos/get-top-referrers
  GET    /views repos/get-views
/repos/{owner}/{repo}/vulnerability-alerts
  GET    repos/check-vulnerability-alerts
  PUT    repos/enable-vulnerability-alerts critical
  DELETE repos/disable-vulnerability-alerts critical
`;
