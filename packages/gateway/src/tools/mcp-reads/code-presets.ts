import { type ReadsPreset, words } from './reads-preset.ts';

/** Files, repositories and where they are kept. */
export const CODE_PRESETS = {
  filesystem: {
    servers: ['secure-filesystem-server'],
    docs: '@modelcontextprotocol/server-filesystem',
    tools: words(`read_file read_text_file read_media_file read_multiple_files list_directory
      list_directory_with_sizes directory_tree search_files get_file_info list_allowed_directories`),
    arguments: words('path paths head tail sortBy pattern excludePatterns'),
    writesWith: [],
    leftOut: {},
  },
  git: {
    servers: ['mcp-git'],
    docs: 'mcp-server-git',
    tools: words('git_status git_diff_unstaged git_diff_staged git_log git_show git_branch'),
    arguments: words(`repo_path context_lines max_count start_timestamp end_timestamp revision branch_type
      contains not_contains`),
    writesWith: [],
    leftOut: {
      git_diff:
        'its `target` goes to git as it is: older versions take `--output=FILE`, with the same definition',
    },
  },
  github: {
    servers: ['github-mcp-server'],
    docs: "GitHub's own server, and @modelcontextprotocol/server-github",
    tools:
      words(`get_me get_teams get_team_members get_file_contents get_repository_tree get_commit list_commits
      list_branches list_tags get_tag list_releases get_latest_release get_release_by_tag search_code
      search_repositories search_users search_orgs search_issues search_pull_requests get_issue issue_read list_issues
      list_issue_types get_issue_comments list_sub_issues get_label list_label get_pull_request pull_request_read
      list_pull_requests get_pull_request_files get_pull_request_status get_pull_request_comments
      get_pull_request_reviews get_pull_request_diff list_workflows list_workflow_runs get_workflow_run
      list_workflow_jobs get_workflow_run_usage get_workflow_run_logs list_workflow_run_artifacts get_job_logs
      actions_get actions_list get_discussion get_discussion_comments list_discussions list_discussion_categories
      get_code_scanning_alert list_code_scanning_alerts get_dependabot_alert list_dependabot_alerts`),
    arguments:
      words(`owner repo path branch ref sha page perPage per_page after cursor query q sort order orderBy
      direction state labels since author issue_number pull_number pullNumber method base head tag name org team_slug
      user username include_diff minimal_output tree_sha recursive path_filter run_id job_id workflow_id resource_id
      workflow_jobs_filter workflow_runs_filter actor event status filter failed_only return_content tail_lines
      discussionNumber category alertNumber severity tool_name`),
    writesWith: [],
    leftOut: {
      list_secret_scanning_alerts: 'what it shows are secrets',
      get_secret_scanning_alert: 'what it shows are secrets',
      download_workflow_run_artifact: 'what it gives is an address that anybody can use',
    },
  },
  gitlab: {
    servers: ['zereight-gitlab-mcp-server'],
    docs: '@zereight/mcp-gitlab',
    tools: words(`whoami get_user get_users search_repositories get_project list_projects list_group_projects
      list_namespaces get_namespace get_file_contents get_file_blame get_repository_tree get_branch list_branches
      get_protected_branch list_protected_branches get_branch_diffs list_commits get_commit get_commit_diff
      list_commit_statuses get_issue list_issues my_issues list_issue_links get_issue_link list_issue_discussions
      list_labels get_label get_merge_request list_merge_requests list_group_merge_requests get_merge_request_diffs
      list_merge_request_diffs list_merge_request_changed_files get_merge_request_file_diff
      list_merge_request_versions get_merge_request_version get_merge_request_discussion get_merge_request_note
      get_merge_request_notes get_merge_request_approval_state get_merge_request_conflicts
      list_merge_request_pipelines`),
    arguments:
      words(`project_id group_id namespace_id user_id usernames search query path file_path file_paths ref
      ref_name sha branch_name page per_page page_token pagination recursive from to straight excluded_file_patterns
      issue_iid issue_link_id merge_request_iid source_branch target_branch include_summaries view unidiff version_id
      discussion_id note_id sort order order_by label_id include_ancestor_groups with_counts state scope labels
      milestone issue_type iteration_id assignee_id assignee_username author_id author_username reviewer_id
      reviewer_username approved_by_usernames confidential created_after created_before updated_after updated_before
      due_date with_labels_details wip full_response full_diff stats owned membership simple archived visibility
      search_namespaces with_issues_enabled with_merge_requests_enabled min_access_level topic include_subgroups
      with_programming_language starred statistics with_custom_attributes with_security_reports non_archived
      source_project_id since until author all with_stats first_parent trailers stage name pipeline_id range_start
      range_end`),
    writesWith: [],
    leftOut: {
      download_attachment: 'its `local_path` says where a file is written',
      validate_ci_lint: 'it sends what it is given',
    },
  },
} as const satisfies Readonly<Record<string, ReadsPreset>>;
