import { type ReadsPreset, words } from './reads-preset.ts';

const ANY_ADDRESS = 'it goes to whatever address it is given: hosts are asked about';

/** Searches, documentation, browsers. What goes to an address of the agent's choice is in none of them. */
export const WEB_PRESETS = {
  'brave-search': {
    servers: ['brave-search-mcp-server', 'example-servers/brave-search'],
    docs: '@brave/brave-search-mcp-server, @modelcontextprotocol/server-brave-search',
    tools: words(`brave_web_search brave_local_search brave_video_search brave_image_search brave_news_search
      brave_summarizer`),
    arguments:
      words(`query count offset country search_lang ui_lang safesearch freshness text_decorations spellcheck
      result_filter goggles units extra_snippets summary key entity_info inline_references`),
    writesWith: [],
    leftOut: {},
  },
  tavily: {
    servers: ['tavily-mcp'],
    docs: 'tavily-mcp',
    tools: words('tavily_search'),
    arguments: words(`query search_depth topic time_range start_date end_date max_results include_images
      include_image_descriptions include_raw_content include_domains exclude_domains country include_favicon
      exact_match`),
    writesWith: [],
    leftOut: { tavily_extract: ANY_ADDRESS, tavily_crawl: ANY_ADDRESS, tavily_map: ANY_ADDRESS },
  },
  context7: {
    servers: ['Context7'],
    docs: '@upstash/context7-mcp',
    tools: words('resolve-library-id query-docs'),
    arguments: words('query libraryName libraryId'),
    writesWith: [],
    leftOut: {},
  },
  'google-maps': {
    servers: ['mcp-server/google-maps'],
    docs: '@modelcontextprotocol/server-google-maps',
    tools: words(`maps_geocode maps_reverse_geocode maps_search_places maps_place_details maps_distance_matrix
      maps_elevation maps_directions`),
    arguments: words(`address latitude longitude query location radius place_id origins destinations origin
      destination mode locations`),
    writesWith: [],
    leftOut: {},
  },
  time: {
    servers: ['mcp-time'],
    docs: 'mcp-server-time',
    tools: words('get_current_time convert_time'),
    arguments: words('timezone source_timezone target_timezone time'),
    writesWith: [],
    leftOut: {},
  },
  'sequential-thinking': {
    servers: ['sequential-thinking-server'],
    docs: '@modelcontextprotocol/server-sequential-thinking',
    tools: words('sequentialthinking'),
    arguments: words(`thought nextThoughtNeeded thoughtNumber totalThoughts isRevision revisesThought
      branchFromThought branchId needsMoreThoughts`),
    writesWith: [],
    leftOut: {},
  },
  fetch: {
    servers: ['mcp-fetch'],
    docs: 'mcp-server-fetch',
    tools: [],
    arguments: [],
    writesWith: [],
    leftOut: { fetch: ANY_ADDRESS },
  },
  playwright: {
    servers: ['Playwright'],
    docs: '@playwright/mcp',
    tools: words(
      'browser_snapshot browser_find browser_console_messages browser_network_requests browser_network_request browser_wait_for',
    ),
    arguments: words('target depth boxes text regex textGone time level all static filter index part'),
    writesWith: ['filename'],
    leftOut: {
      browser_navigate: ANY_ADDRESS,
      browser_take_screenshot: 'it writes to a file',
      browser_tabs: 'it opens tabs, too',
    },
  },
  puppeteer: {
    servers: ['example-servers/puppeteer'],
    docs: '@modelcontextprotocol/server-puppeteer',
    tools: words('puppeteer_screenshot'),
    arguments: words('name selector width height encoded'),
    writesWith: [],
    leftOut: { puppeteer_navigate: ANY_ADDRESS, puppeteer_evaluate: 'it runs code in the page' },
  },
  'chrome-devtools': {
    servers: ['chrome_devtools'],
    docs: 'chrome-devtools-mcp',
    tools:
      words(`list_pages list_console_messages get_console_message list_network_requests get_network_request
      get_css_styles take_snapshot take_screenshot performance_analyze_insight wait_for`),
    arguments:
      words(`pageId pageSize pageIdx types includePreservedMessages includeStackTraces serviceWorkerId msgid
      reqid resourceTypes includePreservedRequests uid verbose format quality fullPage insightSetId insightName text
      timeout`),
    writesWith: words('filePath requestFilePath responseFilePath'),
    leftOut: {
      navigate_page: ANY_ADDRESS,
      new_page: ANY_ADDRESS,
    },
  },
} as const satisfies Readonly<Record<string, ReadsPreset>>;
