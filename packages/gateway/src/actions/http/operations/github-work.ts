/** Repositories: code, issues, pull requests, releases, checks. By the published description of the REST API, version 2022-11-28. */
export const GITHUB_WORK = `
/repos/{owner}/{repo}
  GET    /activity repos/list-activities
  GET    /assignees issues/list-assignees
  GET    /assignees/{assignee} issues/check-user-can-be-assigned
  GET    /codeowners/errors repos/codeowners-errors
  GET    /community/profile repos/get-community-profile-metrics
  GET    /compare/{basehead+} repos/compare-commits-with-basehead vcs:read
  GET    /contributors repos/list-contributors
  GET    /events activity/list-repo-events
  GET    /forks repos/list-forks
  POST   /forks repos/create-fork
  GET    /hash-algorithm repos/get-hash-algorithm
  GET    /issue-types repos/list-issue-types
  GET    /languages repos/list-languages
  GET    /license licenses/get-for-repo
  POST   /merge-upstream repos/merge-upstream vcs:push
  POST   /merges repos/merge vcs:push
  GET    /notifications activity/list-repo-notifications-for-authenticated-user
  PUT    /notifications activity/mark-repo-notifications-as-read
  GET    /readme repos/get-readme vcs:read
  GET    /readme/{dir+} repos/get-readme-in-directory vcs:read
  GET    /stargazers activity/list-stargazers-for-repo
  GET    /stargazers/count activity/get-stargazer-count-for-repo
  POST   /statuses/{sha} repos/create-commit-status
  GET    /subscribers activity/list-watchers-for-repo
  GET    /tags repos/list-tags vcs:read
  GET    /tarball/{ref+} repos/download-tarball-archive vcs:read
  GET    /topics repos/get-all-topics
  PUT    /topics repos/replace-all-topics
  GET    /zipball/{ref+} repos/download-zipball-archive vcs:read
/repos/{owner}/{repo}/autolinks
  GET    repos/list-autolinks
  POST   repos/create-autolink
  GET    /{autolink_id} repos/get-autolink
  DELETE /{autolink_id} repos/delete-autolink
/repos/{owner}/{repo}/check-runs
  POST   checks/create
  GET    /{check_run_id} checks/get
  PATCH  /{check_run_id} checks/update
  GET    /{check_run_id}/annotations checks/list-annotations
  POST   /{check_run_id}/rerequest checks/rerequest-run critical
/repos/{owner}/{repo}/check-suites
  POST   checks/create-suite
  PATCH  /preferences checks/set-suites-preferences critical
  GET    /{check_suite_id} checks/get-suite
  GET    /{check_suite_id}/check-runs checks/list-for-suite
  POST   /{check_suite_id}/rerequest checks/rerequest-suite critical
/repos/{owner}/{repo}/comments
  GET    repos/list-commit-comments-for-repo
  GET    /{comment_id} repos/get-commit-comment
  DELETE /{comment_id} repos/delete-commit-comment
  PATCH  /{comment_id} repos/update-commit-comment
  GET    /{comment_id}/reactions reactions/list-for-commit-comment
  POST   /{comment_id}/reactions reactions/create-for-commit-comment
  DELETE /{comment_id}/reactions/{reaction_id} reactions/delete-for-commit-comment
/repos/{owner}/{repo}/commits
  GET    repos/list-commits vcs:read
  GET    /{commit_sha}/branches-where-head repos/list-branches-for-head-commit vcs:read
  GET    /{commit_sha}/comments repos/list-comments-for-commit vcs:read
  POST   /{commit_sha}/comments repos/create-commit-comment
  GET    /{commit_sha}/pulls repos/list-pull-requests-associated-with-commit vcs:read
  GET    /{ref+} repos/get-commit vcs:read
  GET    /{ref+}/check-runs checks/list-for-ref vcs:read
  GET    /{ref+}/check-suites checks/list-suites-for-ref vcs:read
  GET    /{ref+}/status repos/get-combined-status-for-ref vcs:read
  GET    /{ref+}/statuses repos/list-commit-statuses-for-ref vcs:read
/repos/{owner}/{repo}/contents
  GET    repos/get-content vcs:read
  GET    /{path+} repos/get-content vcs:read
  PUT    /{path+} repos/create-or-update-file-contents vcs:push
  DELETE /{path+} repos/delete-file vcs:push
/repos/{owner}/{repo}/git
  POST   /blobs git/create-blob vcs:commit
  GET    /blobs/{file_sha} git/get-blob vcs:read
  POST   /commits git/create-commit vcs:commit
  GET    /commits/{commit_sha} git/get-commit vcs:read
  GET    /matching-refs/{ref+} git/list-matching-refs vcs:read
  GET    /ref/{ref+} git/get-ref vcs:read
  POST   /refs git/create-ref vcs:branch
  DELETE /refs/{ref+} git/delete-ref vcs:branch high
  PATCH  /refs/{ref+} git/update-ref vcs:push
  POST   /tags git/create-tag vcs:commit
  GET    /tags/{tag_sha} git/get-tag vcs:read
  POST   /trees git/create-tree vcs:commit
  GET    /trees/{tree_sha+} git/get-tree vcs:read
/repos/{owner}/{repo}/issues
  GET    issues/list-for-repo
  POST   issues/create
  GET    /comments issues/list-comments-for-repo
  GET    /comments/{comment_id} issues/get-comment
  DELETE /comments/{comment_id} issues/delete-comment
  PATCH  /comments/{comment_id} issues/update-comment
  PUT    /comments/{comment_id}/pin issues/pin-comment
  DELETE /comments/{comment_id}/pin issues/unpin-comment
  GET    /comments/{comment_id}/reactions reactions/list-for-issue-comment
  POST   /comments/{comment_id}/reactions reactions/create-for-issue-comment
  DELETE /comments/{comment_id}/reactions/{reaction_id} reactions/delete-for-issue-comment
  GET    /events issues/list-events-for-repo
  GET    /events/{event_id} issues/get-event
  GET    /{issue_number} issues/get
  PATCH  /{issue_number} issues/update
  POST   /{issue_number}/assignees issues/add-assignees
  DELETE /{issue_number}/assignees issues/remove-assignees
  GET    /{issue_number}/assignees/{assignee} issues/check-user-can-be-assigned-to-issue
  GET    /{issue_number}/comments issues/list-comments
  POST   /{issue_number}/comments issues/create-comment
  GET    /{issue_number}/dependencies/blocked_by issues/list-dependencies-blocked-by
  POST   /{issue_number}/dependencies/blocked_by issues/add-blocked-by-dependency
  DELETE /{issue_number}/dependencies/blocked_by/{issue_id} issues/remove-dependency-blocked-by
  GET    /{issue_number}/dependencies/blocking issues/list-dependencies-blocking
  GET    /{issue_number}/events issues/list-events
  GET    /{issue_number}/issue-field-values issues/list-issue-field-values-for-issue
  PUT    /{issue_number}/issue-field-values issues/set-issue-field-values
  POST   /{issue_number}/issue-field-values issues/add-issue-field-values
  DELETE /{issue_number}/issue-field-values/{issue_field_id} issues/delete-issue-field-value
  GET    /{issue_number}/labels issues/list-labels-on-issue
  PUT    /{issue_number}/labels issues/set-labels
  POST   /{issue_number}/labels issues/add-labels
  DELETE /{issue_number}/labels issues/remove-all-labels
  DELETE /{issue_number}/labels/{name} issues/remove-label
  PUT    /{issue_number}/lock issues/lock
  DELETE /{issue_number}/lock issues/unlock
  GET    /{issue_number}/parent issues/get-parent
  GET    /{issue_number}/reactions reactions/list-for-issue
  POST   /{issue_number}/reactions reactions/create-for-issue
  DELETE /{issue_number}/reactions/{reaction_id} reactions/delete-for-issue
  DELETE /{issue_number}/sub_issue issues/remove-sub-issue
  GET    /{issue_number}/sub_issues issues/list-sub-issues
  POST   /{issue_number}/sub_issues issues/add-sub-issue
  PATCH  /{issue_number}/sub_issues/priority issues/reprioritize-sub-issue
  GET    /{issue_number}/suggestions issues/list-suggestions
  POST   /{issue_number}/suggestions/{suggestion_id}/approve issues/approve-suggestion
  POST   /{issue_number}/suggestions/{suggestion_id}/dismiss issues/dismiss-suggestion
  GET    /{issue_number}/timeline issues/list-events-for-timeline
/repos/{owner}/{repo}/labels
  GET    issues/list-labels-for-repo
  POST   issues/create-label
  GET    /{name} issues/get-label
  DELETE /{name} issues/delete-label
  PATCH  /{name} issues/update-label
/repos/{owner}/{repo}/milestones
  GET    issues/list-milestones
  POST   issues/create-milestone
  GET    /{milestone_number} issues/get-milestone
  DELETE /{milestone_number} issues/delete-milestone
  PATCH  /{milestone_number} issues/update-milestone
  GET    /{milestone_number}/labels issues/list-labels-for-milestone
/repos/{owner}/{repo}/pulls
  GET    pulls/list
  POST   pulls/create
  GET    /comments pulls/list-review-comments-for-repo
  GET    /comments/{comment_id} pulls/get-review-comment
  DELETE /comments/{comment_id} pulls/delete-review-comment
  PATCH  /comments/{comment_id} pulls/update-review-comment
  GET    /comments/{comment_id}/reactions reactions/list-for-pull-request-review-comment
  POST   /comments/{comment_id}/reactions reactions/create-for-pull-request-review-comment
  DELETE /comments/{comment_id}/reactions/{reaction_id} reactions/delete-for-pull-request-comment
  GET    /{pull_number} pulls/get
  PATCH  /{pull_number} pulls/update
  POST   /{pull_number}/codespaces codespaces/create-with-pr-for-authenticated-user critical
  GET    /{pull_number}/comments pulls/list-review-comments
  POST   /{pull_number}/comments pulls/create-review-comment
  POST   /{pull_number}/comments/{comment_id}/replies pulls/create-reply-for-review-comment
  GET    /{pull_number}/commits pulls/list-commits
  GET    /{pull_number}/files pulls/list-files
  GET    /{pull_number}/merge pulls/check-if-merged
  PUT    /{pull_number}/merge pulls/merge vcs:push
  PUT    /{pull_number}/merge-async pulls/merge-async vcs:push
  GET    /{pull_number}/merge-async/{uuid} pulls/get-merge-async-result
  GET    /{pull_number}/requested_reviewers pulls/list-requested-reviewers
  POST   /{pull_number}/requested_reviewers pulls/request-reviewers
  DELETE /{pull_number}/requested_reviewers pulls/remove-requested-reviewers
  GET    /{pull_number}/reviews pulls/list-reviews
  POST   /{pull_number}/reviews pulls/create-review
  GET    /{pull_number}/reviews/{review_id} pulls/get-review
  PUT    /{pull_number}/reviews/{review_id} pulls/update-review
  DELETE /{pull_number}/reviews/{review_id} pulls/delete-pending-review
  GET    /{pull_number}/reviews/{review_id}/comments pulls/list-comments-for-review
  PUT    /{pull_number}/reviews/{review_id}/dismissals pulls/dismiss-review
  POST   /{pull_number}/reviews/{review_id}/events pulls/submit-review
  PUT    /{pull_number}/update-branch pulls/update-branch vcs:push
/repos/{owner}/{repo}/releases
  GET    repos/list-releases
  POST   repos/create-release vcs:push
  GET    /assets/{asset_id} repos/get-release-asset
  DELETE /assets/{asset_id} repos/delete-release-asset
  PATCH  /assets/{asset_id} repos/update-release-asset
  POST   /generate-notes repos/generate-release-notes read
  GET    /latest repos/get-latest-release
  GET    /tags/{tag} repos/get-release-by-tag
  GET    /{release_id} repos/get-release
  DELETE /{release_id} repos/delete-release
  PATCH  /{release_id} repos/update-release
  GET    /{release_id}/assets repos/list-release-assets
  POST   /{release_id}/assets repos/upload-release-asset
  GET    /{release_id}/reactions reactions/list-for-release
  POST   /{release_id}/reactions reactions/create-for-release
  DELETE /{release_id}/reactions/{reaction_id} reactions/delete-for-release
/repos/{owner}/{repo}/stacks
  GET    pull-request-stacks/list
  POST   pull-request-stacks/create
  GET    /{stack_number} pull-request-stacks/get
  POST   /{stack_number}/add pull-request-stacks/add
  POST   /{stack_number}/unstack pull-request-stacks/unstack
/repos/{owner}/{repo}/stats
  GET    /code_frequency repos/get-code-frequency-stats
  GET    /commit_activity repos/get-commit-activity-stats
  GET    /contributors repos/get-contributors-stats
  GET    /participation repos/get-participation-stats
  GET    /punch_card repos/get-punch-card-stats
/repos/{owner}/{repo}/subscription
  GET    activity/get-repo-subscription
  PUT    activity/set-repo-subscription
  DELETE activity/delete-repo-subscription
/repos/{template_owner}/{template_repo}
  POST   /generate repos/create-using-template
`;
