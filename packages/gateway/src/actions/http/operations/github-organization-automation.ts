/** Organisations: runners, secrets, and what runs by itself. By the published description of the REST API, version 2022-11-28. */
export const GITHUB_ORGANIZATION_AUTOMATION = `
/orgs/{org}
  GET    /code-scanning/alerts code-scanning/list-alerts-for-org
/orgs/{org}/actions
  GET    /cache/usage actions/get-actions-cache-usage-for-org
  GET    /cache/usage-by-repository actions/get-actions-cache-usage-by-repo-for-org
  GET    /hosted-runners actions/list-hosted-runners-for-org
  POST   /hosted-runners actions/create-hosted-runner-for-org critical
  GET    /hosted-runners/images/custom actions/list-custom-images-for-org
  GET    /hosted-runners/images/custom/{image_definition_id} actions/get-custom-image-for-org
  DELETE /hosted-runners/images/custom/{image_definition_id} actions/delete-custom-image-from-org critical
  GET    /hosted-runners/images/custom/{image_definition_id}/versions actions/list-custom-image-versions-for-org
  GET    /hosted-runners/images/custom/{image_definition_id}/versions/{version} actions/get-custom-image-version-for-org
  DELETE /hosted-runners/images/custom/{image_definition_id}/versions/{version} actions/delete-custom-image-version-from-org critical
  GET    /hosted-runners/images/github-owned actions/get-hosted-runners-github-owned-images-for-org
  GET    /hosted-runners/images/partner actions/get-hosted-runners-partner-images-for-org
  GET    /hosted-runners/limits actions/get-hosted-runners-limits-for-org
  GET    /hosted-runners/machine-sizes actions/get-hosted-runners-machine-specs-for-org
  GET    /hosted-runners/platforms actions/get-hosted-runners-platforms-for-org
  GET    /hosted-runners/{hosted_runner_id} actions/get-hosted-runner-for-org
  DELETE /hosted-runners/{hosted_runner_id} actions/delete-hosted-runner-for-org critical
  PATCH  /hosted-runners/{hosted_runner_id} actions/update-hosted-runner-for-org critical
  GET    /oidc/customization/properties/repo oidc/list-oidc-custom-property-inclusions-for-org
  POST   /oidc/customization/properties/repo oidc/create-oidc-custom-property-inclusion-for-org critical
  DELETE /oidc/customization/properties/repo/{custom_property_name} oidc/delete-oidc-custom-property-inclusion-for-org critical
  GET    /oidc/customization/sub oidc/get-oidc-custom-sub-template-for-org
  PUT    /oidc/customization/sub oidc/update-oidc-custom-sub-template-for-org critical
  GET    /permissions actions/get-github-actions-permissions-organization
  PUT    /permissions actions/set-github-actions-permissions-organization critical
  GET    /permissions/artifact-and-log-retention actions/get-artifact-and-log-retention-settings-organization
  PUT    /permissions/artifact-and-log-retention actions/set-artifact-and-log-retention-settings-organization critical
  GET    /permissions/fork-pr-contributor-approval actions/get-fork-pr-contributor-approval-permissions-organization
  PUT    /permissions/fork-pr-contributor-approval actions/set-fork-pr-contributor-approval-permissions-organization critical
  GET    /permissions/fork-pr-workflows-private-repos actions/get-private-repo-fork-pr-workflows-settings-organization
  PUT    /permissions/fork-pr-workflows-private-repos actions/set-private-repo-fork-pr-workflows-settings-organization critical
  GET    /permissions/repositories actions/list-selected-repositories-enabled-github-actions-organization
  PUT    /permissions/repositories actions/set-selected-repositories-enabled-github-actions-organization critical
  PUT    /permissions/repositories/{repository_id} actions/enable-selected-repository-github-actions-organization critical
  DELETE /permissions/repositories/{repository_id} actions/disable-selected-repository-github-actions-organization critical
  GET    /permissions/selected-actions actions/get-allowed-actions-organization
  PUT    /permissions/selected-actions actions/set-allowed-actions-organization critical
  GET    /permissions/self-hosted-runners actions/get-self-hosted-runners-permissions-organization
  PUT    /permissions/self-hosted-runners actions/set-self-hosted-runners-permissions-organization critical
  GET    /permissions/self-hosted-runners/repositories actions/list-selected-repositories-self-hosted-runners-organization
  PUT    /permissions/self-hosted-runners/repositories actions/set-selected-repositories-self-hosted-runners-organization critical
  PUT    /permissions/self-hosted-runners/repositories/{repository_id} actions/enable-selected-repository-self-hosted-runners-organization critical
  DELETE /permissions/self-hosted-runners/repositories/{repository_id} actions/disable-selected-repository-self-hosted-runners-organization critical
  GET    /permissions/workflow actions/get-github-actions-default-workflow-permissions-organization
  PUT    /permissions/workflow actions/set-github-actions-default-workflow-permissions-organization critical
  GET    /runner-groups actions/list-self-hosted-runner-groups-for-org
  POST   /runner-groups actions/create-self-hosted-runner-group-for-org critical
  GET    /runner-groups/{runner_group_id} actions/get-self-hosted-runner-group-for-org
  DELETE /runner-groups/{runner_group_id} actions/delete-self-hosted-runner-group-from-org critical
  PATCH  /runner-groups/{runner_group_id} actions/update-self-hosted-runner-group-for-org critical
  GET    /runner-groups/{runner_group_id}/hosted-runners actions/list-github-hosted-runners-in-group-for-org
  GET    /runner-groups/{runner_group_id}/repositories actions/list-repo-access-to-self-hosted-runner-group-in-org
  PUT    /runner-groups/{runner_group_id}/repositories actions/set-repo-access-to-self-hosted-runner-group-in-org critical
  PUT    /runner-groups/{runner_group_id}/repositories/{repository_id} actions/add-repo-access-to-self-hosted-runner-group-in-org critical
  DELETE /runner-groups/{runner_group_id}/repositories/{repository_id} actions/remove-repo-access-to-self-hosted-runner-group-in-org critical
  GET    /runner-groups/{runner_group_id}/runners actions/list-self-hosted-runners-in-group-for-org
  PUT    /runner-groups/{runner_group_id}/runners actions/set-self-hosted-runners-in-group-for-org critical
  PUT    /runner-groups/{runner_group_id}/runners/{runner_id} actions/add-self-hosted-runner-to-group-for-org critical
  DELETE /runner-groups/{runner_group_id}/runners/{runner_id} actions/remove-self-hosted-runner-from-group-for-org critical
  GET    /runners actions/list-self-hosted-runners-for-org
  GET    /runners/downloads actions/list-runner-applications-for-org
  POST   /runners/generate-jitconfig actions/generate-runner-jitconfig-for-org secret
  POST   /runners/registration-token actions/create-registration-token-for-org secret
  POST   /runners/remove-token actions/create-remove-token-for-org secret
  GET    /runners/{runner_id} actions/get-self-hosted-runner-for-org
  DELETE /runners/{runner_id} actions/delete-self-hosted-runner-from-org critical
  GET    /runners/{runner_id}/labels actions/list-labels-for-self-hosted-runner-for-org
  PUT    /runners/{runner_id}/labels actions/set-custom-labels-for-self-hosted-runner-for-org critical
  POST   /runners/{runner_id}/labels actions/add-custom-labels-to-self-hosted-runner-for-org critical
  DELETE /runners/{runner_id}/labels actions/remove-all-custom-labels-from-self-hosted-runner-for-org critical
  DELETE /runners/{runner_id}/labels/{name} actions/remove-custom-label-from-self-hosted-runner-for-org critical
  GET    /secrets actions/list-org-secrets
  GET    /secrets/public-key actions/get-org-public-key
  GET    /secrets/{secret_name} actions/get-org-secret
  PUT    /secrets/{secret_name} actions/create-or-update-org-secret critical
  DELETE /secrets/{secret_name} actions/delete-org-secret critical
  GET    /secrets/{secret_name}/repositories actions/list-selected-repos-for-org-secret
  PUT    /secrets/{secret_name}/repositories actions/set-selected-repos-for-org-secret critical
  PUT    /secrets/{secret_name}/repositories/{repository_id} actions/add-selected-repo-to-org-secret critical
  DELETE /secrets/{secret_name}/repositories/{repository_id} actions/remove-selected-repo-from-org-secret critical
  GET    /variables actions/list-org-variables
  POST   /variables actions/create-org-variable critical
  GET    /variables/{name} actions/get-org-variable
  DELETE /variables/{name} actions/delete-org-variable critical
  PATCH  /variables/{name} actions/update-org-variable critical
  GET    /variables/{name}/repositories actions/list-selected-repos-for-org-variable
  PUT    /variables/{name}/repositories actions/set-selected-repos-for-org-variable critical
  PUT    /variables/{name}/repositories/{repository_id} actions/add-selected-repo-to-org-variable critical
  DELETE /variables/{name}/repositories/{repository_id} actions/remove-selected-repo-from-org-variable critical
/orgs/{org}/agents
  GET    /secrets agents/list-org-secrets
  GET    /secrets/public-key agents/get-org-public-key
  GET    /secrets/{secret_name} agents/get-org-secret
  PUT    /secrets/{secret_name} agents/create-or-update-org-secret critical
  DELETE /secrets/{secret_name} agents/delete-org-secret critical
  GET    /secrets/{secret_name}/repositories agents/list-selected-repos-for-org-secret
  PUT    /secrets/{secret_name}/repositories agents/set-selected-repos-for-org-secret critical
  PUT    /secrets/{secret_name}/repositories/{repository_id} agents/add-selected-repo-to-org-secret critical
  DELETE /secrets/{secret_name}/repositories/{repository_id} agents/remove-selected-repo-from-org-secret critical
  GET    /variables agents/list-org-variables
  POST   /variables agents/create-org-variable critical
  GET    /variables/{name} agents/get-org-variable
  DELETE /variables/{name} agents/delete-org-variable critical
  PATCH  /variables/{name} agents/update-org-variable critical
  GET    /variables/{name}/repositories agents/list-selected-repos-for-org-variable
  PUT    /variables/{name}/repositories agents/set-selected-repos-for-org-variable critical
  PUT    /variables/{name}/repositories/{repository_id} agents/add-selected-repo-to-org-variable critical
  DELETE /variables/{name}/repositories/{repository_id} agents/remove-selected-repo-from-org-variable critical
/orgs/{org}/code-security
  GET    /configurations code-security/get-configurations-for-org
  POST   /configurations code-security/create-configuration critical
  GET    /configurations/defaults code-security/get-default-configurations
  DELETE /configurations/detach code-security/detach-configuration critical
  GET    /configurations/{configuration_id} code-security/get-configuration
  DELETE /configurations/{configuration_id} code-security/delete-configuration critical
  PATCH  /configurations/{configuration_id} code-security/update-configuration critical
  POST   /configurations/{configuration_id}/attach code-security/attach-configuration critical
  PUT    /configurations/{configuration_id}/defaults code-security/set-configuration-as-default critical
  GET    /configurations/{configuration_id}/repositories code-security/get-repositories-for-configuration
/orgs/{org}/codespaces
  GET    codespaces/list-in-organization
  PUT    /access codespaces/set-codespaces-access critical
  POST   /access/selected_users codespaces/set-codespaces-access-users critical
  DELETE /access/selected_users codespaces/delete-codespaces-access-users critical
  GET    /secrets codespaces/list-org-secrets
  GET    /secrets/public-key codespaces/get-org-public-key
  GET    /secrets/{secret_name} codespaces/get-org-secret
  PUT    /secrets/{secret_name} codespaces/create-or-update-org-secret critical
  DELETE /secrets/{secret_name} codespaces/delete-org-secret critical
  GET    /secrets/{secret_name}/repositories codespaces/list-selected-repos-for-org-secret
  PUT    /secrets/{secret_name}/repositories codespaces/set-selected-repos-for-org-secret critical
  PUT    /secrets/{secret_name}/repositories/{repository_id} codespaces/add-selected-repo-to-org-secret critical
  DELETE /secrets/{secret_name}/repositories/{repository_id} codespaces/remove-selected-repo-from-org-secret critical
/orgs/{org}/copilot
  GET    /billing copilot/get-copilot-organization-details
  GET    /billing/seats copilot/list-copilot-seats
  POST   /billing/selected_teams copilot/add-copilot-seats-for-teams critical
  DELETE /billing/selected_teams copilot/cancel-copilot-seat-assignment-for-teams critical
  POST   /billing/selected_users copilot/add-copilot-seats-for-users critical
  DELETE /billing/selected_users copilot/cancel-copilot-seat-assignment-for-users critical
  GET    /coding-agent/permissions copilot/get-copilot-coding-agent-permissions-organization
  PUT    /coding-agent/permissions copilot/set-copilot-coding-agent-permissions-organization critical
  GET    /coding-agent/permissions/repositories copilot/list-copilot-coding-agent-selected-repositories-for-organization
  PUT    /coding-agent/permissions/repositories copilot/set-copilot-coding-agent-selected-repositories-for-organization critical
  PUT    /coding-agent/permissions/repositories/{repository_id} copilot/enable-copilot-coding-agent-for-repository-in-organization critical
  DELETE /coding-agent/permissions/repositories/{repository_id} copilot/disable-copilot-coding-agent-for-repository-in-organization critical
  GET    /content_exclusion copilot/copilot-content-exclusion-for-organization
  PUT    /content_exclusion copilot/set-copilot-content-exclusion-for-organization critical
  GET    /metrics/reports/organization-1-day copilot/copilot-organization-one-day-usage-metrics
  GET    /metrics/reports/organization-28-day/latest copilot/copilot-organization-usage-metrics
  GET    /metrics/reports/repos-1-day copilot/copilot-organization-repos-one-day-report
  GET    /metrics/reports/user-teams-1-day copilot/copilot-organization-user-teams-one-day-report
  GET    /metrics/reports/users-1-day copilot/copilot-organization-users-one-day-usage-metrics
  GET    /metrics/reports/users-28-day/latest copilot/copilot-organization-users-usage-metrics
/orgs/{org}/copilot-spaces
  GET    copilot-spaces/list-for-org
  POST   copilot-spaces/create-for-org
  GET    /{space_number} copilot-spaces/get-for-org
  PUT    /{space_number} copilot-spaces/update-for-org
  DELETE /{space_number} copilot-spaces/delete-for-org
  GET    /{space_number}/collaborators copilot-spaces/list-collaborators-for-org
  POST   /{space_number}/collaborators copilot-spaces/add-collaborator-for-org critical
  PUT    /{space_number}/collaborators/{actor_type}/{actor_identifier} copilot-spaces/update-collaborator-for-org critical
  DELETE /{space_number}/collaborators/{actor_type}/{actor_identifier} copilot-spaces/remove-collaborator-for-org critical
  GET    /{space_number}/resources copilot-spaces/list-resources-for-org
  POST   /{space_number}/resources copilot-spaces/create-resource-for-org
  GET    /{space_number}/resources/{space_resource_id} copilot-spaces/get-resource-for-org
  PUT    /{space_number}/resources/{space_resource_id} copilot-spaces/update-resource-for-org
  DELETE /{space_number}/resources/{space_resource_id} copilot-spaces/delete-resource-for-org
/orgs/{org}/dependabot
  GET    /alerts dependabot/list-alerts-for-org
  GET    /repository-access dependabot/repository-access-for-org
  PATCH  /repository-access dependabot/update-repository-access-for-org critical
  PUT    /repository-access/default-level dependabot/set-repository-access-default-level critical
  GET    /secrets dependabot/list-org-secrets
  GET    /secrets/public-key dependabot/get-org-public-key
  GET    /secrets/{secret_name} dependabot/get-org-secret
  PUT    /secrets/{secret_name} dependabot/create-or-update-org-secret critical
  DELETE /secrets/{secret_name} dependabot/delete-org-secret critical
  GET    /secrets/{secret_name}/repositories dependabot/list-selected-repos-for-org-secret
  PUT    /secrets/{secret_name}/repositories dependabot/set-selected-repos-for-org-secret critical
  PUT    /secrets/{secret_name}/repositories/{repository_id} dependabot/add-selected-repo-to-org-secret critical
  DELETE /secrets/{secret_name}/repositories/{repository_id} dependabot/remove-selected-repo-from-org-secret critical
/orgs/{org}/private-registries
  GET    private-registries/list-org-private-registries
  POST   private-registries/create-org-private-registry critical
  GET    /public-key private-registries/get-org-public-key
  GET    /{secret_name} private-registries/get-org-private-registry
  DELETE /{secret_name} private-registries/delete-org-private-registry critical
  PATCH  /{secret_name} private-registries/update-org-private-registry critical
/orgs/{org}/secret-scanning
  GET    /alerts secret-scanning/list-alerts-for-org secret
  GET    /custom-patterns secret-scanning/list-org-custom-patterns secret
  POST   /custom-patterns secret-scanning/bulk-create-org-custom-patterns secret
  DELETE /custom-patterns secret-scanning/bulk-delete-org-custom-patterns secret
  PATCH  /custom-patterns/{pattern_id} secret-scanning/update-org-custom-pattern secret
  GET    /pattern-configurations secret-scanning/list-org-pattern-configs secret
  PATCH  /pattern-configurations secret-scanning/update-org-pattern-configs secret
`;
