/** GitLab's REST API, version 4: what belongs to a project. */
export const GITLAB_PROJECT_OPERATIONS = `
/api/v4/projects
  GET
  POST
  GET    /{id}
  PUT    /{id} critical
  DELETE /{id} critical
  POST   /{id}/restore critical
  PUT    /{id}/transfer critical
  POST   /{id}/archive critical
  POST   /{id}/unarchive critical
  POST   /{id}/share critical
  DELETE /{id}/share/{group_id} critical
  POST   /{id}/fork
  GET    /{id}/forks
  POST   /{id}/star
  POST   /{id}/unstar
  GET    /{id}/starrers
  GET    /{id}/languages
  GET    /{id}/users
  GET    /{id}/groups
  GET    /{id}/events
  GET    /{id}/search
  GET    /{id}/export
  GET    /{id}/export/download
  POST   /{id}/export critical
  POST   /import critical
  POST   /{id}/housekeeping
  POST   /{id}/uploads
  GET    /{id}/templates/{kind}
  GET    /{id}/templates/{kind}/{key}
  GET    /{id}/statistics
/api/v4/projects/{id}/issues
  GET
  POST
  GET    /{issue_iid}
  PUT    /{issue_iid}
  DELETE /{issue_iid} high
  PUT    /{issue_iid}/reorder
  POST   /{issue_iid}/move
  POST   /{issue_iid}/clone
  POST   /{issue_iid}/subscribe
  POST   /{issue_iid}/unsubscribe
  POST   /{issue_iid}/todo
  POST   /{issue_iid}/time_estimate
  POST   /{issue_iid}/reset_time_estimate
  POST   /{issue_iid}/add_spent_time
  POST   /{issue_iid}/reset_spent_time
  GET    /{issue_iid}/time_stats
  GET    /{issue_iid}/related_merge_requests
  GET    /{issue_iid}/closed_by
  GET    /{issue_iid}/participants
  GET    /{issue_iid}/links
  POST   /{issue_iid}/links
  DELETE /{issue_iid}/links/{issue_link_id}
  GET    /{issue_iid}/notes
  GET    /{issue_iid}/notes/{note_id}
  POST   /{issue_iid}/notes
  PUT    /{issue_iid}/notes/{note_id}
  DELETE /{issue_iid}/notes/{note_id}
  GET    /{issue_iid}/discussions
  GET    /{issue_iid}/discussions/{discussion_id}
  POST   /{issue_iid}/discussions
  POST   /{issue_iid}/discussions/{discussion_id}/notes
  GET    /{issue_iid}/award_emoji
  POST   /{issue_iid}/award_emoji
  DELETE /{issue_iid}/award_emoji/{award_id}
  GET    /{issue_iid}/resource_label_events
  GET    /{issue_iid}/resource_state_events
/api/v4/projects/{id}/merge_requests
  GET
  POST
  GET    /{merge_request_iid}
  PUT    /{merge_request_iid}
  DELETE /{merge_request_iid} high
  PUT    /{merge_request_iid}/merge vcs:push
  PUT    /{merge_request_iid}/rebase vcs:push
  POST   /{merge_request_iid}/cancel_merge_when_pipeline_succeeds
  GET    /{merge_request_iid}/merge_ref
  GET    /{merge_request_iid}/commits
  GET    /{merge_request_iid}/changes
  GET    /{merge_request_iid}/diffs
  GET    /{merge_request_iid}/raw_diffs
  GET    /{merge_request_iid}/versions
  GET    /{merge_request_iid}/versions/{version_id}
  GET    /{merge_request_iid}/pipelines
  POST   /{merge_request_iid}/pipelines critical
  GET    /{merge_request_iid}/participants
  GET    /{merge_request_iid}/reviewers
  GET    /{merge_request_iid}/closes_issues
  GET    /{merge_request_iid}/related_issues
  GET    /{merge_request_iid}/approvals
  POST   /{merge_request_iid}/approvals critical
  GET    /{merge_request_iid}/approval_state
  GET    /{merge_request_iid}/approval_rules
  POST   /{merge_request_iid}/approval_rules critical
  PUT    /{merge_request_iid}/approval_rules/{approval_rule_id} critical
  DELETE /{merge_request_iid}/approval_rules/{approval_rule_id} critical
  POST   /{merge_request_iid}/approve critical
  POST   /{merge_request_iid}/unapprove
  POST   /{merge_request_iid}/subscribe
  POST   /{merge_request_iid}/unsubscribe
  POST   /{merge_request_iid}/todo
  GET    /{merge_request_iid}/notes
  GET    /{merge_request_iid}/notes/{note_id}
  POST   /{merge_request_iid}/notes
  PUT    /{merge_request_iid}/notes/{note_id}
  DELETE /{merge_request_iid}/notes/{note_id}
  GET    /{merge_request_iid}/discussions
  GET    /{merge_request_iid}/discussions/{discussion_id}
  POST   /{merge_request_iid}/discussions
  PUT    /{merge_request_iid}/discussions/{discussion_id}
  POST   /{merge_request_iid}/discussions/{discussion_id}/notes
  GET    /{merge_request_iid}/draft_notes
  POST   /{merge_request_iid}/draft_notes
  POST   /{merge_request_iid}/draft_notes/bulk_publish
  GET    /{merge_request_iid}/award_emoji
  POST   /{merge_request_iid}/award_emoji
/api/v4/projects/{id}/repository
  GET    /tree vcs:read
  GET    /blobs/{sha} vcs:read
  GET    /blobs/{sha}/raw vcs:read
  GET    /archive vcs:read
  GET    /archive.tar.gz vcs:read
  GET    /archive.zip vcs:read
  GET    /compare vcs:read
  GET    /contributors vcs:read
  GET    /merge_base vcs:read
  GET    /changelog vcs:read
  POST   /changelog vcs:push
  GET    /files/{file_path} vcs:read
  GET    /files/{file_path}/raw vcs:read
  GET    /files/{file_path}/blame vcs:read
  POST   /files/{file_path} vcs:push
  PUT    /files/{file_path} vcs:push
  DELETE /files/{file_path} vcs:push
  GET    /branches vcs:read
  GET    /branches/{branch} vcs:read
  POST   /branches vcs:branch
  DELETE /branches/{branch} vcs:branch high
  DELETE /merged_branches vcs:branch high
  GET    /tags vcs:read
  GET    /tags/{tag_name} vcs:read
  POST   /tags vcs:push
  DELETE /tags/{tag_name} vcs:branch high
  GET    /commits vcs:read
  GET    /commits/{sha} vcs:read
  GET    /commits/{sha}/diff vcs:read
  GET    /commits/{sha}/refs vcs:read
  GET    /commits/{sha}/comments vcs:read
  GET    /commits/{sha}/discussions vcs:read
  GET    /commits/{sha}/statuses vcs:read
  GET    /commits/{sha}/merge_requests vcs:read
  GET    /commits/{sha}/signature vcs:read
  POST   /commits vcs:push
  POST   /commits/{sha}/comments
  POST   /commits/{sha}/discussions
  POST   /commits/{sha}/cherry_pick vcs:push
  POST   /commits/{sha}/revert vcs:push
  PUT    /submodules/{submodule} vcs:push
/api/v4/projects/{id}
  POST   /statuses/{sha}
  GET    /labels
  GET    /labels/{label_id}
  POST   /labels
  PUT    /labels/{label_id}
  DELETE /labels/{label_id}
  GET    /milestones
  GET    /milestones/{milestone_id}
  POST   /milestones
  PUT    /milestones/{milestone_id}
  DELETE /milestones/{milestone_id}
  GET    /boards
  GET    /boards/{board_id}
  GET    /boards/{board_id}/lists
  GET    /snippets
  GET    /snippets/{snippet_id}
  GET    /snippets/{snippet_id}/raw
  POST   /snippets
  PUT    /snippets/{snippet_id}
  DELETE /snippets/{snippet_id}
  GET    /wikis
  GET    /wikis/{slug}
  POST   /wikis
  PUT    /wikis/{slug}
  DELETE /wikis/{slug}
  GET    /releases
  GET    /releases/{tag_name}
  GET    /releases/permalink/latest
  POST   /releases vcs:push
  PUT    /releases/{tag_name}
  DELETE /releases/{tag_name} high
  GET    /releases/{tag_name}/assets/links
  POST   /releases/{tag_name}/assets/links
  GET    /packages
  GET    /packages/{package_id}
  GET    /packages/{package_id}/package_files
  DELETE /packages/{package_id} critical
  GET    /registry/repositories
  GET    /registry/repositories/{repository_id}/tags
  GET    /registry/repositories/{repository_id}/tags/{tag_name}
  DELETE /registry/repositories/{repository_id} critical
  DELETE /registry/repositories/{repository_id}/tags/{tag_name} critical
  DELETE /registry/repositories/{repository_id}/tags critical
  GET    /members
  GET    /members/all
  GET    /members/{user_id}
  GET    /members/all/{user_id}
  POST   /members critical
  PUT    /members/{user_id} critical
  DELETE /members/{user_id} critical
  GET    /invitations
  POST   /invitations critical
  DELETE /invitations/{email} critical
  GET    /access_requests
  PUT    /access_requests/{user_id}/approve critical
  GET    /protected_branches
  GET    /protected_branches/{name}
  POST   /protected_branches critical
  PATCH  /protected_branches/{name} critical
  DELETE /protected_branches/{name} critical
  GET    /protected_tags
  POST   /protected_tags critical
  DELETE /protected_tags/{name} critical
  GET    /push_rule
  POST   /push_rule critical
  PUT    /push_rule critical
  DELETE /push_rule critical
  GET    /approvals
  POST   /approvals critical
  GET    /approval_rules
  POST   /approval_rules critical
  PUT    /approval_rules/{approval_rule_id} critical
  DELETE /approval_rules/{approval_rule_id} critical
  GET    /hooks
  GET    /hooks/{hook_id}
  POST   /hooks critical
  PUT    /hooks/{hook_id} critical
  DELETE /hooks/{hook_id} critical
  POST   /hooks/{hook_id}/test/{trigger} critical
  GET    /deploy_keys
  GET    /deploy_keys/{key_id}
  POST   /deploy_keys critical
  PUT    /deploy_keys/{key_id} critical
  DELETE /deploy_keys/{key_id} critical
  POST   /deploy_keys/{key_id}/enable critical
  GET    /deploy_tokens secret
  POST   /deploy_tokens secret
  DELETE /deploy_tokens/{token_id} secret
  GET    /access_tokens secret
  POST   /access_tokens secret
  POST   /access_tokens/{token_id}/rotate secret
  DELETE /access_tokens/{token_id} secret
  GET    /integrations secret
  GET    /integrations/{slug} secret
  PUT    /integrations/{slug} critical
  DELETE /integrations/{slug} critical
  GET    /variables secret
  GET    /variables/{key} secret
  POST   /variables critical
  PUT    /variables/{key} critical
  DELETE /variables/{key} critical
  GET    /secure_files secret
  GET    /secure_files/{secure_file_id}/download secret
  POST   /secure_files critical
  DELETE /secure_files/{secure_file_id} critical
  GET    /triggers secret
  POST   /triggers secret
  PUT    /triggers/{trigger_id} critical
  DELETE /triggers/{trigger_id} critical
  POST   /trigger/pipeline critical
  POST   /ref/{ref}/trigger/pipeline critical
  GET    /pipeline_schedules
  GET    /pipeline_schedules/{pipeline_schedule_id} secret
  POST   /pipeline_schedules critical
  PUT    /pipeline_schedules/{pipeline_schedule_id} critical
  DELETE /pipeline_schedules/{pipeline_schedule_id} critical
  POST   /pipeline_schedules/{pipeline_schedule_id}/play critical
  POST   /pipeline_schedules/{pipeline_schedule_id}/take_ownership critical
  POST   /pipeline critical
  GET    /pipelines
  GET    /pipelines/latest
  GET    /pipelines/{pipeline_id}
  GET    /pipelines/{pipeline_id}/variables secret
  GET    /pipelines/{pipeline_id}/test_report
  GET    /pipelines/{pipeline_id}/test_report_summary
  GET    /pipelines/{pipeline_id}/jobs
  GET    /pipelines/{pipeline_id}/bridges
  POST   /pipelines/{pipeline_id}/retry critical
  POST   /pipelines/{pipeline_id}/cancel
  DELETE /pipelines/{pipeline_id} high
  GET    /jobs
  GET    /jobs/{job_id}
  GET    /jobs/{job_id}/trace
  GET    /jobs/{job_id}/artifacts
  GET    /jobs/{job_id}/artifacts/{path+}
  GET    /jobs/artifacts/{ref}/download
  GET    /jobs/artifacts/{ref}/raw/{path+}
  POST   /jobs/{job_id}/retry critical
  POST   /jobs/{job_id}/play critical
  POST   /jobs/{job_id}/cancel
  POST   /jobs/{job_id}/erase high
  GET    /ci/lint
  POST   /ci/lint read
  GET    /runners
  POST   /runners critical
  DELETE /runners/{runner_id} critical
  POST   /runners/reset_registration_token secret
  GET    /environments
  GET    /environments/{environment_id}
  POST   /environments critical
  PUT    /environments/{environment_id} critical
  DELETE /environments/{environment_id} critical
  POST   /environments/{environment_id}/stop critical
  GET    /protected_environments
  POST   /protected_environments critical
  DELETE /protected_environments/{name} critical
  GET    /deployments
  GET    /deployments/{deployment_id}
  POST   /deployments deploy:production
  PUT    /deployments/{deployment_id} deploy:production
  POST   /deployments/{deployment_id}/approval deploy:production
  GET    /pages
  PATCH  /pages critical
  DELETE /pages critical
  GET    /remote_mirrors secret
  POST   /remote_mirrors critical
  PUT    /remote_mirrors/{mirror_id} critical
  DELETE /remote_mirrors/{mirror_id} critical
  GET    /vulnerability_findings
  GET    /audit_events
`;
