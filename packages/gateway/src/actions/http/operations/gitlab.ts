/**
 * GitLab's REST API, version 4. Its published names of operations are method and path run together, so a row has no
 * other name than those.
 */
export const GITLAB_OPERATIONS = `
/api/v4
  GET    /version
  GET    /metadata
  GET    /events
  GET    /search
  GET    /avatar
  GET    /issues
  GET    /issues/{id}
  GET    /issues_statistics
  GET    /merge_requests
  GET    /todos
  POST   /todos/{id}/mark_as_done
  POST   /todos/mark_as_done
  GET    /snippets
  GET    /snippets/all
  GET    /snippets/public
  GET    /snippets/{id}
  GET    /snippets/{id}/raw
  GET    /snippets/{id}/files/{ref}/{file_path}/raw
  POST   /snippets
  PUT    /snippets/{id}
  DELETE /snippets/{id}
  GET    /namespaces
  GET    /namespaces/{id}
  GET    /namespaces/{id}/exists
  GET    /templates/{kind}
  GET    /templates/{kind}/{key}
  GET    /broadcast_messages
  POST   /markdown read
  POST   /ci/lint read
/api/v4/user
  GET
  GET    /activities
  GET    /status
  PUT    /status
  GET    /preferences
  PUT    /preferences
  GET    /keys
  GET    /keys/{key_id}
  POST   /keys critical
  DELETE /keys/{key_id} critical
  GET    /gpg_keys
  POST   /gpg_keys critical
  DELETE /gpg_keys/{key_id} critical
  GET    /emails
  POST   /emails critical
  DELETE /emails/{email_id} critical
  POST   /runners secret
  POST   /personal_access_tokens secret
/api/v4/users
  GET
  GET    /{id}
  GET    /{id}/status
  GET    /{id}/projects
  GET    /{id}/starred_projects
  GET    /{id}/contributed_projects
  GET    /{id}/events
  GET    /{id}/keys
  GET    /{id}/gpg_keys
  GET    /{id}/followers
  GET    /{id}/following
  GET    /{id}/memberships
  POST   /{id}/follow
  POST   /{id}/unfollow
  POST   critical
  PUT    /{id} critical
  DELETE /{id} critical
  POST   /{id}/keys critical
  DELETE /{id}/keys/{key_id} critical
  POST   /{id}/block critical
  POST   /{id}/unblock critical
  POST   /{id}/deactivate critical
  POST   /{id}/activate critical
  POST   /{id}/approve critical
  GET    /{id}/impersonation_tokens secret
  POST   /{id}/impersonation_tokens secret
  DELETE /{id}/impersonation_tokens/{token_id} secret
  POST   /{id}/personal_access_tokens secret
/api/v4/personal_access_tokens
  GET    secret
  GET    /{id} secret
  DELETE /{id} secret
  POST   /{id}/rotate secret
/api/v4/runners
  GET
  GET    /all
  GET    /{id}
  GET    /{id}/jobs
  POST   secret
  PUT    /{id} critical
  DELETE /{id} critical
  DELETE critical
  POST   /verify critical
  POST   /reset_registration_token secret
  POST   /{id}/reset_authentication_token secret
/api/v4/hooks
  GET
  POST   critical
  DELETE /{id} critical
/api/v4/applications
  GET
  POST   secret
  DELETE /{id} critical
/api/v4/application
  GET    /settings secret
  PUT    /settings critical
  GET    /statistics
  GET    /appearance
/api/v4/groups
  GET
  POST
  GET    /{id}
  PUT    /{id} critical
  DELETE /{id} critical
  POST   /{id}/restore critical
  POST   /{id}/transfer critical
  POST   /{id}/share critical
  DELETE /{id}/share/{group_id} critical
  GET    /{id}/projects
  GET    /{id}/projects/shared
  POST   /{id}/projects/{project_id} critical
  GET    /{id}/subgroups
  GET    /{id}/descendant_groups
  GET    /{id}/issues
  GET    /{id}/issues_statistics
  GET    /{id}/merge_requests
  GET    /{id}/search
  GET    /{id}/events
  GET    /{id}/labels
  GET    /{id}/labels/{label_id}
  POST   /{id}/labels
  PUT    /{id}/labels/{label_id}
  DELETE /{id}/labels/{label_id}
  GET    /{id}/milestones
  GET    /{id}/milestones/{milestone_id}
  POST   /{id}/milestones
  PUT    /{id}/milestones/{milestone_id}
  DELETE /{id}/milestones/{milestone_id}
  GET    /{id}/epics
  GET    /{id}/epics/{epic_iid}
  POST   /{id}/epics
  PUT    /{id}/epics/{epic_iid}
  DELETE /{id}/epics/{epic_iid}
  GET    /{id}/epics/{epic_iid}/issues
  POST   /{id}/epics/{epic_iid}/issues/{issue_id}
  DELETE /{id}/epics/{epic_iid}/issues/{issue_id}
  GET    /{id}/epics/{epic_iid}/notes
  POST   /{id}/epics/{epic_iid}/notes
  GET    /{id}/iterations
  GET    /{id}/boards
  GET    /{id}/boards/{board_id}
  GET    /{id}/wikis
  GET    /{id}/wikis/{slug}
  POST   /{id}/wikis
  PUT    /{id}/wikis/{slug}
  DELETE /{id}/wikis/{slug}
  GET    /{id}/packages
  GET    /{id}/registry/repositories
  GET    /{id}/releases
  GET    /{id}/runners
  GET    /{id}/members
  GET    /{id}/members/all
  GET    /{id}/members/{user_id}
  GET    /{id}/members/all/{user_id}
  GET    /{id}/billable_members
  POST   /{id}/members critical
  PUT    /{id}/members/{user_id} critical
  DELETE /{id}/members/{user_id} critical
  GET    /{id}/invitations
  POST   /{id}/invitations critical
  PUT    /{id}/invitations/{email} critical
  DELETE /{id}/invitations/{email} critical
  GET    /{id}/access_requests
  POST   /{id}/access_requests critical
  PUT    /{id}/access_requests/{user_id}/approve critical
  DELETE /{id}/access_requests/{user_id} critical
  GET    /{id}/hooks
  GET    /{id}/hooks/{hook_id}
  POST   /{id}/hooks critical
  PUT    /{id}/hooks/{hook_id} critical
  DELETE /{id}/hooks/{hook_id} critical
  GET    /{id}/variables secret
  GET    /{id}/variables/{key} secret
  POST   /{id}/variables critical
  PUT    /{id}/variables/{key} critical
  DELETE /{id}/variables/{key} critical
  GET    /{id}/deploy_tokens secret
  POST   /{id}/deploy_tokens secret
  DELETE /{id}/deploy_tokens/{token_id} secret
  GET    /{id}/access_tokens secret
  POST   /{id}/access_tokens secret
  POST   /{id}/access_tokens/{token_id}/rotate secret
  DELETE /{id}/access_tokens/{token_id} secret
  POST   /{id}/runners/reset_registration_token secret
  GET    /{id}/integrations secret
  GET    /{id}/integrations/{slug} secret
  PUT    /{id}/integrations/{slug} critical
  DELETE /{id}/integrations/{slug} critical
`;
