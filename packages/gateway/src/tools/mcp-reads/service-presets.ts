import { type ReadsPreset, words } from './reads-preset.ts';

/** Databases, notes, trackers, chats. */
export const SERVICE_PRESETS = {
  memory: {
    servers: ['memory-server'],
    docs: '@modelcontextprotocol/server-memory',
    tools: words('read_graph search_nodes open_nodes'),
    arguments: words('query names'),
    writesWith: [],
    leftOut: {},
  },
  sqlite: {
    servers: ['sqlite', 'sqlite-server'],
    docs: 'mcp-server-sqlite, mcp-server-sqlite-npx',
    tools: words('list_tables describe_table'),
    arguments: words('table_name'),
    writesWith: [],
    leftOut: { read_query: 'that the text is a `SELECT` is looked at by its first word alone' },
  },
  postgres: {
    servers: ['example-servers/postgres'],
    docs: '@modelcontextprotocol/server-postgres',
    tools: [],
    arguments: [],
    writesWith: [],
    leftOut: { query: 'it ends its read-only transaction for whoever writes `COMMIT;` before a statement' },
  },
  slack: {
    servers: ['Slack MCP Server'],
    docs: '@modelcontextprotocol/server-slack',
    tools: words(`slack_list_channels slack_get_channel_history slack_get_thread_replies slack_get_users
      slack_get_user_profile`),
    arguments: words('limit cursor channel_id thread_ts user_id'),
    writesWith: [],
    leftOut: {},
  },
  linear: {
    servers: ['linear-mcp-server'],
    docs: 'linear-mcp-server',
    tools: words('linear_search_issues linear_get_user_issues'),
    arguments: words('query teamId status assigneeId userId labels priority estimate includeArchived limit'),
    writesWith: [],
    leftOut: {},
  },
  notion: {
    servers: ['Notion API'],
    docs: '@notionhq/notion-mcp-server',
    tools: words(`API-get-user API-get-users API-get-self API-post-search API-get-block-children
      API-retrieve-a-block API-retrieve-a-page API-retrieve-a-page-property API-retrieve-a-comment
      API-query-data-source API-retrieve-a-data-source API-list-data-source-templates API-retrieve-a-database
      API-retrieve-page-markdown`),
    arguments: words(`user_id block_id page_id property_id database_id data_source_id query sort sorts filter
      filter_properties start_cursor page_size archived in_trash include_transcript`),
    writesWith: [],
    leftOut: {},
  },
  sentry: {
    servers: ['Sentry MCP'],
    docs: '@sentry/mcp-server',
    tools: words(
      'find_organizations find_projects search_events search_issues search_sentry_tools get_sentry_resource',
    ),
    arguments: words(`organizationSlug query fields sort projectSlug projectSlugOrId dataset environment
      period limit includeExplanation resourceType resourceId`),
    // A host, and an address, of the agent's choice.
    writesWith: words('regionUrl url'),
    leftOut: {
      execute_sentry_tool: 'it does whatever its `name` says',
      analyze_issue_with_seer: 'it begins work at Sentry',
    },
  },
} as const satisfies Readonly<Record<string, ReadsPreset>>;
