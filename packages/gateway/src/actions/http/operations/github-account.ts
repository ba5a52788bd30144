/** Accounts, enterprises, gists, apps, and what belongs to nobody. By the published description of the REST API, version 2022-11-28. */
export const GITHUB_ACCOUNT = `
/
  GET    / meta/root
  GET    /advisories security-advisories/list-global-advisories
  GET    /advisories/{ghsa_id} security-advisories/get-global-advisory
  GET    /app apps/get-authenticated
  POST   /app-manifests/{code}/conversions apps/create-from-manifest secret
  GET    /apps/{app_slug} apps/get-by-slug
  GET    /codes_of_conduct codes-of-conduct/get-all-codes-of-conduct
  GET    /codes_of_conduct/{key} codes-of-conduct/get-conduct-code
  POST   /credentials/revoke credentials/revoke secret
  GET    /emojis emojis/get
  GET    /events activity/list-public-events
  GET    /feeds activity/get-feeds
  GET    /gitignore/templates gitignore/get-all-templates
  GET    /gitignore/templates/{name} gitignore/get-template
  GET    /installation/repositories apps/list-repos-accessible-to-installation
  DELETE /installation/token apps/revoke-installation-access-token secret
  GET    /issues issues/list
  GET    /licenses licenses/get-all-commonly-used
  GET    /licenses/{license} licenses/get
  POST   /markdown markdown/render read
  POST   /markdown/raw markdown/render-raw read
  GET    /meta meta/get
  GET    /networks/{owner}/{repo}/events activity/list-public-events-for-repo-network
  GET    /octocat meta/get-octocat
  GET    /organizations orgs/list
  GET    /rate_limit rate-limit/get
  GET    /repositories repos/list-public
  GET    /user users/get-authenticated
  PATCH  /user users/update-authenticated critical
  GET    /users users/list
  GET    /versions meta/get-all-versions
  GET    /zen meta/get-zen
/agents
  GET    /repos/{owner}/{repo}/tasks agent-tasks/list-tasks-for-repo
  POST   /repos/{owner}/{repo}/tasks agent-tasks/create-task-in-repo critical
  GET    /repos/{owner}/{repo}/tasks/{task_id} agent-tasks/get-task-by-repo-and-id
  GET    /tasks agent-tasks/list-tasks
  GET    /tasks/{task_id} agent-tasks/get-task-by-id
/app
  GET    /installation-requests apps/list-installation-requests-for-authenticated-app
/app/hook
  GET    /config apps/get-webhook-config-for-app secret
  PATCH  /config apps/update-webhook-config-for-app secret
  GET    /deliveries apps/list-webhook-deliveries secret
  GET    /deliveries/{delivery_id} apps/get-webhook-delivery secret
  POST   /deliveries/{delivery_id}/attempts apps/redeliver-webhook-delivery secret
/app/installations
  GET    apps/list-installations
  GET    /{installation_id} apps/get-installation
  DELETE /{installation_id} apps/delete-installation critical
  POST   /{installation_id}/access_tokens apps/create-installation-access-token secret
  PUT    /{installation_id}/suspended apps/suspend-installation critical
  DELETE /{installation_id}/suspended apps/unsuspend-installation critical
/applications
  DELETE /{client_id}/grant apps/delete-authorization secret
  POST   /{client_id}/token apps/check-token secret
  DELETE /{client_id}/token apps/delete-token secret
  PATCH  /{client_id}/token apps/reset-token secret
  POST   /{client_id}/token/scoped apps/scope-token secret
/assignments
  GET    /{assignment_id} classroom/get-an-assignment
  GET    /{assignment_id}/accepted_assignments classroom/list-accepted-assignments-for-an-assignment
  GET    /{assignment_id}/grades classroom/get-assignment-grades
/classrooms
  GET    classroom/list-classrooms
  GET    /{classroom_id} classroom/get-a-classroom
  GET    /{classroom_id}/assignments classroom/list-assignments-for-a-classroom
/enterprises/{enterprise}/actions
  GET    /cache/retention-limit actions/get-actions-cache-retention-limit-for-enterprise
  PUT    /cache/retention-limit actions/set-actions-cache-retention-limit-for-enterprise critical
  GET    /cache/storage-limit actions/get-actions-cache-storage-limit-for-enterprise
  PUT    /cache/storage-limit actions/set-actions-cache-storage-limit-for-enterprise critical
  GET    /oidc/customization/properties/repo oidc/list-oidc-custom-property-inclusions-for-enterprise
  POST   /oidc/customization/properties/repo oidc/create-oidc-custom-property-inclusion-for-enterprise critical
  DELETE /oidc/customization/properties/repo/{custom_property_name} oidc/delete-oidc-custom-property-inclusion-for-enterprise critical
/enterprises/{enterprise}/code-security
  GET    /configurations code-security/get-configurations-for-enterprise
  POST   /configurations code-security/create-configuration-for-enterprise critical
  GET    /configurations/defaults code-security/get-default-configurations-for-enterprise
  GET    /configurations/{configuration_id} code-security/get-single-configuration-for-enterprise
  DELETE /configurations/{configuration_id} code-security/delete-configuration-for-enterprise critical
  PATCH  /configurations/{configuration_id} code-security/update-enterprise-configuration critical
  POST   /configurations/{configuration_id}/attach code-security/attach-enterprise-configuration critical
  PUT    /configurations/{configuration_id}/defaults code-security/set-configuration-as-default-for-enterprise critical
  GET    /configurations/{configuration_id}/repositories code-security/get-repositories-for-enterprise-configuration
/enterprises/{enterprise}/copilot
  GET    /metrics/reports/enterprise-1-day copilot/copilot-enterprise-one-day-usage-metrics
  GET    /metrics/reports/enterprise-28-day/latest copilot/copilot-enterprise-usage-metrics
  GET    /metrics/reports/repos-1-day copilot/copilot-enterprise-repos-one-day-report
  GET    /metrics/reports/user-teams-1-day copilot/copilot-enterprise-user-teams-one-day-report
  GET    /metrics/reports/users-1-day copilot/copilot-users-one-day-usage-metrics
  GET    /metrics/reports/users-28-day/latest copilot/copilot-users-usage-metrics
  PUT    /policies/coding_agent copilot/set-enterprise-coding-agent-policy critical
  POST   /policies/coding_agent/organizations copilot/add-organizations-to-enterprise-coding-agent-policy critical
  DELETE /policies/coding_agent/organizations copilot/remove-organizations-from-enterprise-coding-agent-policy critical
/enterprises/{enterprise}/dependabot
  GET    /alerts dependabot/list-alerts-for-enterprise
  GET    /repository-access dependabot/repository-access-for-enterprise
  PATCH  /repository-access dependabot/update-repository-access-for-enterprise critical
  PUT    /repository-access/default-level dependabot/set-repository-access-default-level-for-enterprise critical
/enterprises/{enterprise}/teams
  GET    enterprise-teams/list
  POST   enterprise-teams/create critical
  GET    /{enterprise-team}/memberships enterprise-team-memberships/list
  POST   /{enterprise-team}/memberships/add enterprise-team-memberships/bulk-add critical
  POST   /{enterprise-team}/memberships/remove enterprise-team-memberships/bulk-remove critical
  GET    /{enterprise-team}/memberships/{username} enterprise-team-memberships/get
  PUT    /{enterprise-team}/memberships/{username} enterprise-team-memberships/add critical
  DELETE /{enterprise-team}/memberships/{username} enterprise-team-memberships/remove critical
  GET    /{enterprise-team}/organizations enterprise-team-organizations/get-assignments
  POST   /{enterprise-team}/organizations/add enterprise-team-organizations/bulk-add critical
  POST   /{enterprise-team}/organizations/remove enterprise-team-organizations/bulk-remove critical
  GET    /{enterprise-team}/organizations/{org} enterprise-team-organizations/get-assignment
  PUT    /{enterprise-team}/organizations/{org} enterprise-team-organizations/add critical
  DELETE /{enterprise-team}/organizations/{org} enterprise-team-organizations/delete critical
  GET    /{team_slug} enterprise-teams/get
  DELETE /{team_slug} enterprise-teams/delete critical
  PATCH  /{team_slug} enterprise-teams/update critical
/gists
  GET    gists/list
  POST   gists/create
  GET    /public gists/list-public
  GET    /starred gists/list-starred
  GET    /{gist_id} gists/get
  DELETE /{gist_id} gists/delete
  PATCH  /{gist_id} gists/update
  GET    /{gist_id}/comments gists/list-comments
  POST   /{gist_id}/comments gists/create-comment
  GET    /{gist_id}/comments/{comment_id} gists/get-comment
  DELETE /{gist_id}/comments/{comment_id} gists/delete-comment
  PATCH  /{gist_id}/comments/{comment_id} gists/update-comment
  GET    /{gist_id}/commits gists/list-commits
  GET    /{gist_id}/forks gists/list-forks
  POST   /{gist_id}/forks gists/fork
  GET    /{gist_id}/star gists/check-is-starred
  PUT    /{gist_id}/star gists/star
  DELETE /{gist_id}/star gists/unstar
  GET    /{gist_id}/{sha} gists/get-revision
/marketplace_listing
  GET    /accounts/{account_id} apps/get-subscription-plan-for-account
  GET    /plans apps/list-plans
  GET    /plans/{plan_id}/accounts apps/list-accounts-for-plan
  GET    /stubbed/accounts/{account_id} apps/get-subscription-plan-for-account-stubbed
  GET    /stubbed/plans apps/list-plans-stubbed
  GET    /stubbed/plans/{plan_id}/accounts apps/list-accounts-for-plan-stubbed
/notifications
  GET    activity/list-notifications-for-authenticated-user
  PUT    activity/mark-notifications-as-read
  GET    /threads/{thread_id} activity/get-thread
  DELETE /threads/{thread_id} activity/mark-thread-as-done
  PATCH  /threads/{thread_id} activity/mark-thread-as-read
  GET    /threads/{thread_id}/subscription activity/get-thread-subscription-for-authenticated-user
  PUT    /threads/{thread_id}/subscription activity/set-thread-subscription
  DELETE /threads/{thread_id}/subscription activity/delete-thread-subscription
/organizations/{org}/actions
  GET    /cache/retention-limit actions/get-actions-cache-retention-limit-for-organization
  PUT    /cache/retention-limit actions/set-actions-cache-retention-limit-for-organization critical
  GET    /cache/storage-limit actions/get-actions-cache-storage-limit-for-organization
  PUT    /cache/storage-limit actions/set-actions-cache-storage-limit-for-organization critical
/organizations/{org}/settings
  GET    /billing/ai_credit/usage billing/get-github-billing-ai-credit-usage-report-org
  GET    /billing/budgets billing/get-all-budgets-org
  POST   /billing/budgets billing/create-organization-budget critical
  GET    /billing/budgets/{budget_id} billing/get-budget-org
  DELETE /billing/budgets/{budget_id} billing/delete-budget-org critical
  PATCH  /billing/budgets/{budget_id} billing/update-budget-org critical
  GET    /billing/premium_request/usage billing/get-github-billing-premium-request-usage-report-org
  GET    /billing/usage billing/get-github-billing-usage-report-org
  GET    /billing/usage/summary billing/get-github-billing-usage-summary-report-org
/search
  GET    /code search/code
  GET    /commits search/commits
  GET    /issues search/issues-and-pull-requests
  GET    /labels search/labels
  GET    /repositories search/repos
  GET    /topics search/topics
  GET    /users search/users
/teams
  GET    /{team_id} teams/get-legacy
  DELETE /{team_id} teams/delete-legacy critical
  PATCH  /{team_id} teams/update-legacy critical
  GET    /{team_id}/invitations teams/list-pending-invitations-legacy
  GET    /{team_id}/members teams/list-members-legacy
  GET    /{team_id}/members/{username} teams/get-member-legacy
  PUT    /{team_id}/members/{username} teams/add-member-legacy critical
  DELETE /{team_id}/members/{username} teams/remove-member-legacy critical
  GET    /{team_id}/memberships/{username} teams/get-membership-for-user-legacy
  PUT    /{team_id}/memberships/{username} teams/add-or-update-membership-for-user-legacy critical
  DELETE /{team_id}/memberships/{username} teams/remove-membership-for-user-legacy critical
  GET    /{team_id}/repos teams/list-repos-legacy
  GET    /{team_id}/repos/{owner}/{repo} teams/check-permissions-for-repo-legacy
  PUT    /{team_id}/repos/{owner}/{repo} teams/add-or-update-repo-permissions-legacy critical
  DELETE /{team_id}/repos/{owner}/{repo} teams/remove-repo-legacy critical
  GET    /{team_id}/teams teams/list-child-legacy
/user
  GET    /docker/conflicts packages/list-docker-migration-conflicting-packages-for-authenticated-user
  PATCH  /email/visibility users/set-primary-email-visibility-for-authenticated-user critical
  GET    /followers users/list-followers-for-authenticated-user
  GET    /issues issues/list-for-authenticated-user
  GET    /marketplace_purchases apps/list-subscriptions-for-authenticated-user
  GET    /marketplace_purchases/stubbed apps/list-subscriptions-for-authenticated-user-stubbed
  GET    /orgs orgs/list-for-authenticated-user
  GET    /public_emails users/list-public-emails-for-authenticated-user
  GET    /repos repos/list-for-authenticated-user
  POST   /repos repos/create-for-authenticated-user
  GET    /subscriptions activity/list-watched-repos-for-authenticated-user
  GET    /teams teams/list-for-authenticated-user
  GET    /{account_id} users/get-by-id
  POST   /{user_id}/projectsV2/{project_number}/drafts projects/create-draft-item-for-authenticated-user
/user/blocks
  GET    users/list-blocked-by-authenticated-user
  GET    /{username} users/check-blocked
  PUT    /{username} users/block critical
  DELETE /{username} users/unblock critical
/user/codespaces
  GET    codespaces/list-for-authenticated-user
  POST   codespaces/create-for-authenticated-user critical
  GET    /secrets codespaces/list-secrets-for-authenticated-user
  GET    /secrets/public-key codespaces/get-public-key-for-authenticated-user
  GET    /secrets/{secret_name} codespaces/get-secret-for-authenticated-user
  PUT    /secrets/{secret_name} codespaces/create-or-update-secret-for-authenticated-user critical
  DELETE /secrets/{secret_name} codespaces/delete-secret-for-authenticated-user critical
  GET    /secrets/{secret_name}/repositories codespaces/list-repositories-for-secret-for-authenticated-user
  PUT    /secrets/{secret_name}/repositories codespaces/set-repositories-for-secret-for-authenticated-user critical
  PUT    /secrets/{secret_name}/repositories/{repository_id} codespaces/add-repository-for-secret-for-authenticated-user critical
  DELETE /secrets/{secret_name}/repositories/{repository_id} codespaces/remove-repository-for-secret-for-authenticated-user critical
  GET    /{codespace_name} codespaces/get-for-authenticated-user
  DELETE /{codespace_name} codespaces/delete-for-authenticated-user critical
  PATCH  /{codespace_name} codespaces/update-for-authenticated-user critical
  POST   /{codespace_name}/exports codespaces/export-for-authenticated-user critical
  GET    /{codespace_name}/exports/{export_id} codespaces/get-export-details-for-authenticated-user
  GET    /{codespace_name}/machines codespaces/codespace-machines-for-authenticated-user
  POST   /{codespace_name}/publish codespaces/publish-for-authenticated-user critical
  POST   /{codespace_name}/start codespaces/start-for-authenticated-user critical
  POST   /{codespace_name}/stop codespaces/stop-for-authenticated-user critical
/user/emails
  GET    users/list-emails-for-authenticated-user
  POST   users/add-email-for-authenticated-user critical
  DELETE users/delete-email-for-authenticated-user critical
/user/following
  GET    users/list-followed-by-authenticated-user
  GET    /{username} users/check-person-is-followed-by-authenticated
  PUT    /{username} users/follow
  DELETE /{username} users/unfollow
/user/gpg_keys
  GET    users/list-gpg-keys-for-authenticated-user
  POST   users/create-gpg-key-for-authenticated-user critical
  GET    /{gpg_key_id} users/get-gpg-key-for-authenticated-user
  DELETE /{gpg_key_id} users/delete-gpg-key-for-authenticated-user critical
/user/installations
  GET    apps/list-installations-for-authenticated-user
  GET    /{installation_id}/repositories apps/list-installation-repos-for-authenticated-user
  PUT    /{installation_id}/repositories/{repository_id} apps/add-repo-to-installation-for-authenticated-user critical
  DELETE /{installation_id}/repositories/{repository_id} apps/remove-repo-from-installation-for-authenticated-user critical
/user/interaction-limits
  GET    interactions/get-restrictions-for-authenticated-user
  PUT    interactions/set-restrictions-for-authenticated-user critical
  DELETE interactions/remove-restrictions-for-authenticated-user critical
/user/keys
  GET    users/list-public-ssh-keys-for-authenticated-user
  POST   users/create-public-ssh-key-for-authenticated-user critical
  GET    /{key_id} users/get-public-ssh-key-for-authenticated-user
  DELETE /{key_id} users/delete-public-ssh-key-for-authenticated-user critical
/user/memberships
  GET    /orgs orgs/list-memberships-for-authenticated-user
  GET    /orgs/{org} orgs/get-membership-for-authenticated-user
  PATCH  /orgs/{org} orgs/update-membership-for-authenticated-user critical
/user/migrations
  GET    migrations/list-for-authenticated-user
  POST   migrations/start-for-authenticated-user critical
  GET    /{migration_id} migrations/get-status-for-authenticated-user
  GET    /{migration_id}/archive migrations/get-archive-for-authenticated-user
  DELETE /{migration_id}/archive migrations/delete-archive-for-authenticated-user critical
  DELETE /{migration_id}/repos/{repo_name}/lock migrations/unlock-repo-for-authenticated-user critical
  GET    /{migration_id}/repositories migrations/list-repos-for-authenticated-user
/user/packages
  GET    packages/list-packages-for-authenticated-user
  GET    /{package_type}/{package_name} packages/get-package-for-authenticated-user
  DELETE /{package_type}/{package_name} packages/delete-package-for-authenticated-user critical
  POST   /{package_type}/{package_name}/restore packages/restore-package-for-authenticated-user critical
  GET    /{package_type}/{package_name}/versions packages/get-all-package-versions-for-package-owned-by-authenticated-user
  GET    /{package_type}/{package_name}/versions/{package_version_id} packages/get-package-version-for-authenticated-user
  DELETE /{package_type}/{package_name}/versions/{package_version_id} packages/delete-package-version-for-authenticated-user critical
  POST   /{package_type}/{package_name}/versions/{package_version_id}/restore packages/restore-package-version-for-authenticated-user critical
/user/repository_invitations
  GET    repos/list-invitations-for-authenticated-user
  DELETE /{invitation_id} repos/decline-invitation-for-authenticated-user critical
  PATCH  /{invitation_id} repos/accept-invitation-for-authenticated-user critical
/user/social_accounts
  GET    users/list-social-accounts-for-authenticated-user
  POST   users/add-social-account-for-authenticated-user
  DELETE users/delete-social-account-for-authenticated-user
/user/ssh_signing_keys
  GET    users/list-ssh-signing-keys-for-authenticated-user
  POST   users/create-ssh-signing-key-for-authenticated-user critical
  GET    /{ssh_signing_key_id} users/get-ssh-signing-key-for-authenticated-user
  DELETE /{ssh_signing_key_id} users/delete-ssh-signing-key-for-authenticated-user critical
/user/starred
  GET    activity/list-repos-starred-by-authenticated-user
  GET    /{owner}/{repo} activity/check-repo-is-starred-by-authenticated-user
  PUT    /{owner}/{repo} activity/star-repo-for-authenticated-user
  DELETE /{owner}/{repo} activity/unstar-repo-for-authenticated-user
/users/{user_id}
  POST   /projectsV2/{project_number}/views projects/create-view-for-user
/users/{username}
  GET    users/get-by-username
  GET    /docker/conflicts packages/list-docker-migration-conflicting-packages-for-user
  GET    /followers users/list-followers-for-user
  GET    /following users/list-following-for-user
  GET    /following/{target_user} users/check-following-for-user
  GET    /gists gists/list-for-user
  GET    /gpg_keys users/list-gpg-keys-for-user
  GET    /hovercard users/get-context-for-user
  GET    /installation apps/get-user-installation
  GET    /keys users/list-public-keys-for-user
  GET    /orgs orgs/list-for-user
  GET    /received_events activity/list-received-events-for-user
  GET    /received_events/public activity/list-received-public-events-for-user
  GET    /repos repos/list-for-user
  GET    /social_accounts users/list-social-accounts-for-user
  GET    /ssh_signing_keys users/list-ssh-signing-keys-for-user
  GET    /starred activity/list-repos-starred-by-user
  GET    /subscriptions activity/list-repos-watched-by-user
/users/{username}/attestations
  POST   /bulk-list users/list-attestations-bulk read
  POST   /delete-request users/delete-attestations-bulk critical
  DELETE /digest/{subject_digest} users/delete-attestations-by-subject-digest critical
  DELETE /{attestation_id} users/delete-attestations-by-id critical
  GET    /{subject_digest} users/list-attestations
/users/{username}/copilot-spaces
  GET    copilot-spaces/list-for-user
  POST   copilot-spaces/create-for-user
  GET    /{space_number} copilot-spaces/get-for-user
  PUT    /{space_number} copilot-spaces/update-for-user
  DELETE /{space_number} copilot-spaces/delete-for-user
  GET    /{space_number}/collaborators copilot-spaces/list-collaborators-for-user
  POST   /{space_number}/collaborators copilot-spaces/add-collaborator-for-user critical
  PUT    /{space_number}/collaborators/{actor_type}/{actor_identifier} copilot-spaces/update-collaborator-for-user critical
  DELETE /{space_number}/collaborators/{actor_type}/{actor_identifier} copilot-spaces/remove-collaborator-for-user critical
  GET    /{space_number}/resources copilot-spaces/list-resources-for-user
  POST   /{space_number}/resources copilot-spaces/create-resource-for-user
  GET    /{space_number}/resources/{space_resource_id} copilot-spaces/get-resource-for-user
  PUT    /{space_number}/resources/{space_resource_id} copilot-spaces/update-resource-for-user
  DELETE /{space_number}/resources/{space_resource_id} copilot-spaces/delete-resource-for-user
/users/{username}/events
  GET    activity/list-events-for-authenticated-user
  GET    /orgs/{org} activity/list-org-events-for-authenticated-user
  GET    /public activity/list-public-events-for-user
/users/{username}/packages
  GET    packages/list-packages-for-user
  GET    /{package_type}/{package_name} packages/get-package-for-user
  DELETE /{package_type}/{package_name} packages/delete-package-for-user critical
  POST   /{package_type}/{package_name}/restore packages/restore-package-for-user critical
  GET    /{package_type}/{package_name}/versions packages/get-all-package-versions-for-package-owned-by-user
  GET    /{package_type}/{package_name}/versions/{package_version_id} packages/get-package-version-for-user
  DELETE /{package_type}/{package_name}/versions/{package_version_id} packages/delete-package-version-for-user critical
  POST   /{package_type}/{package_name}/versions/{package_version_id}/restore packages/restore-package-version-for-user critical
/users/{username}/projectsV2
  GET    projects/list-for-user
  GET    /{project_number} projects/get-for-user
  GET    /{project_number}/fields projects/list-fields-for-user
  POST   /{project_number}/fields projects/add-field-for-user
  GET    /{project_number}/fields/{field_id} projects/get-field-for-user
  GET    /{project_number}/items projects/list-items-for-user
  POST   /{project_number}/items projects/add-item-for-user
  GET    /{project_number}/items/{item_id} projects/get-user-item
  DELETE /{project_number}/items/{item_id} projects/delete-item-for-user
  PATCH  /{project_number}/items/{item_id} projects/update-item-for-user
  GET    /{project_number}/views/{view_number}/items projects/list-view-items-for-user
/users/{username}/settings
  GET    /billing/ai_credit/usage billing/get-github-billing-ai-credit-usage-report-user
  GET    /billing/premium_request/usage billing/get-github-billing-premium-request-usage-report-user
  GET    /billing/usage billing/get-github-billing-usage-report-user
  GET    /billing/usage/summary billing/get-github-billing-usage-summary-report-user
`;
