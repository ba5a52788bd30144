/**
 * MCP servers behind the gateway.
 *
 * How clients and servers relate: **each MCP client of the gateway (a `McpPeer`) has a connection of its own to each
 * server that it uses, and the gateway has one of its own.** Most servers were written for one client: they keep state for
 * the connection (log level, subscriptions, a browser page), and send sampling, elicitation and roots requests back on
 * it, without saying whom they mean. Shared between agents, one agent would see what another left behind and be asked what
 * another should answer. So a peer's first request starts a connection (a process, or a session over HTTP) with the
 * capabilities that this client declared, as if the client had started the server itself; it ends with `dropPeer`. At most
 * `limits.peers` (32) are open for one server: then the idle one that was used longest ago makes room, and its client
 * gets a new one with its next request. The gateway's own connection declares no capabilities; it is the supervised
 * one: health, tool definitions and pins, and the calls of doors that have no MCP client (SEAL, our own runtimes).
 *
 * For the MCP door:
 * - `new McpServers(parts)`, `await servers.apply()` at start and after each change of the config, `servers.close()`.
 * - Tools: `new ServersPath(servers)` as one path of the `ToolRouter`; jobs may be `McpToolJob`s, with `peer`, `meta`,
 *   `context`. `tools/call` and `tools/list` have no other way.
 * - Everything else: `servers.get(name)?.request(method, params, {peer, signal, onProgress, context})`, and
 *   `notify(method, params, peer)`. An `RpcError` is the server's own answer, to be passed on as it is.
 * - From the server: `peer.onRequest`, `peer.onNotification`; `context` of what came is that of the newest request of
 *   this peer that the server has not answered, for the stream to put it on.
 * - `server.hello` (capabilities, serverInfo), `server.instructions` (accepted ones), `server.catalogue.tools` (accepted
 *   definitions under the server's own names, whole), `servers.nameOf(server, tool)` (the name that rules use).
 * - `servers.onChange(listener)`: the list of tools, or a state, may be another (`tools/list_changed`).
 */
export type { PendingChange } from './catalogue.ts';
export type { McpLimits } from './limits.ts';
export type { McpServer, McpToolJob, ServerRequestOptions } from './mcp-server.ts';
export { McpServers, type McpServersParts, type ServerState } from './mcp-servers.ts';
export type { FromServer, McpPeer } from './peer.ts';
export { ServersPath } from './servers-path.ts';
export type { ServerStatus } from './supervisor.ts';
