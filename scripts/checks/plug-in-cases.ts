/** One thing that plugs in, and the page that says how. */
export interface PlugInCase {
  /** page of docs/extending; its steps are followed on a copy of the sources */
  readonly page: string;
  /** the name that the page adds: it stands in what the compiler says */
  readonly name: string;
  /** the steps that only name the thing: done alone, the compiler refuses at each of `refused` */
  readonly nameOnly: readonly number[];
  /** files where the compiler must ask for the rest */
  readonly refused: readonly string[];
  /** the folder of such things; files elsewhere are wiring */
  readonly own: string;
  /** wiring files at most */
  readonly wiring: number;
}

const SRC = 'packages/gateway/src';

/** Whoever adds a way to plug in adds its page and its line. */
export const PLUG_INS: readonly PlugInCase[] = [
  {
    page: 'door.md',
    name: 'lines',
    nameOnly: [1],
    refused: [`${SRC}/doors/index.ts`],
    own: `${SRC}/doors/lines/`,
    wiring: 2,
  },
  {
    page: 'executor.md',
    name: 'line-file',
    nameOnly: [2],
    refused: [`${SRC}/executors/index.ts`],
    own: `${SRC}/executors/lines/`,
    wiring: 2,
  },
  {
    page: 'channel.md',
    name: 'pager',
    nameOnly: [1],
    refused: [`${SRC}/config/sections/channels.ts`, `${SRC}/approvals/channels/index.ts`],
    own: `${SRC}/approvals/channels/`,
    wiring: 1,
  },
  {
    page: 'credential-kind.md',
    name: 'gitea',
    nameOnly: [1],
    refused: [`${SRC}/credentials/kinds/index.ts`],
    own: `${SRC}/credentials/kinds/`,
    wiring: 1,
  },
  {
    page: 'secret-source.md',
    name: 'pass',
    nameOnly: [1],
    refused: [`${SRC}/credentials/sources/sources.ts`],
    own: `${SRC}/credentials/sources/`,
    wiring: 1,
  },
  {
    page: 'sink.md',
    name: 'tcp',
    nameOnly: [1],
    refused: [`${SRC}/config/sections/audit.ts`, `${SRC}/audit/sinks/sinks.ts`],
    own: `${SRC}/audit/sinks/`,
    wiring: 1,
  },
  {
    page: 'provider.md',
    name: 'circleci',
    nameOnly: [1],
    refused: [`${SRC}/actions/http/providers/index.ts`],
    own: `${SRC}/actions/http/providers/`,
    wiring: 1,
  },
  {
    page: 'backend.md',
    name: 'subprocess',
    nameOnly: [1],
    refused: [`${SRC}/sandbox/backends.ts`],
    own: `${SRC}/sandbox/`,
    wiring: 1,
  },
  {
    page: 'selector.md',
    name: 'mail_domain',
    nameOnly: [1],
    refused: [`${SRC}/gate/rules/selectors/selector.ts`, `${SRC}/gate/rules/selectors/selectors.ts`],
    own: `${SRC}/gate/rules/selectors/`,
    wiring: 1,
  },
  {
    page: 'target-kind.md',
    name: 'queue',
    nameOnly: [1],
    refused: [`${SRC}/targets/facts.ts`, `${SRC}/targets/quick-facts.ts`],
    own: `${SRC}/targets/`,
    wiring: 1,
  },
  {
    page: 'tool.md',
    name: 'fs.size',
    nameOnly: [1],
    refused: [`${SRC}/executors/files/run-file-tool.ts`],
    own: `${SRC}/tools/`,
    wiring: 1,
  },
  {
    page: 'tool-category.md',
    name: 'calendar',
    nameOnly: [1],
    refused: [`${SRC}/gate/policy/access-levels.ts`],
    own: `${SRC}/tools/`,
    wiring: 1,
  },
  {
    page: 'coordination.md',
    name: 'day',
    nameOnly: [1],
    refused: [
      `${SRC}/coordination/memory/memory-coordination.ts`,
      `${SRC}/coordination/postgres/postgres-coordination.ts`,
    ],
    own: `${SRC}/coordination/`,
    wiring: 1,
  },
  {
    page: 'action-type.md',
    name: 'vcs:tag',
    nameOnly: [1],
    refused: [`${SRC}/actions/risk.ts`],
    own: 'packages/protocol/src/',
    wiring: 1,
  },
  {
    page: 'event-type.md',
    name: 'GrantEvent::Narrowed',
    nameOnly: [1],
    refused: ['packages/protocol/src/event-meanings.ts'],
    own: 'packages/protocol/src/',
    wiring: 0,
  },
];
