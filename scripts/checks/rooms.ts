import { type Finding, isTest, type SourceFile } from './source-files.ts';

/** Things that may be written in one room only. */
interface Room {
  readonly pattern: RegExp;
  readonly message: string;
  allowed(path: string): boolean;
}

/** Every place that needs a secret's value: to use it, to keep it out of everything else, or to show it once. */
const REVEALERS = new RegExp(
  `^packages/gateway/src/(?:${[
    'credentials/',
    'approvals/(?:channels/|review/model-client)',
    'audit/(?:redaction|sinks|anchor)/',
    'config/secret-file',
    'executors/mcp/launch',
    'authority/(?:ca-files|ssh-host-key)',
    'doors/seal/seal-key',
    'identity/tokens',
    'servers/(?:shown-once|tls-files)',
    'shared/secret',
  ].join('|')})`,
);

/** The file of the database by its name. */
const DATABASE_FILE =
  /^packages\/gateway\/src\/(?:config\/home|ground\/open-ground|ground\/backup\/[\w-]+|audit\/verify\/verify-report)\.ts$/;
const BESIDE_SQLITE =
  'closing a file that SQLite holds drops the locks of the whole process, and another program then removes its log';

/** The makers of targets, their definitions, and two that read one kind alone: stored commands, files of a volume. */
const KNOWS_KINDS =
  /^packages\/gateway\/src\/(?:actions\/build\/|targets\/|rehearsal\/simulate\.ts|executors\/files\/)/;

/** A library that is loaded with `require`; what compares our parser with another. */
const KNOWS_ITS_PLACE =
  /^packages\/gateway\/src\/(?:shared\/(?:own-files|graphql)|actions\/shell\/shell-cases\/second-parser)\.ts$/;

const ROOMS: readonly Room[] = [
  {
    pattern: /\bimport\.meta\b/,
    message:
      'a file is found through `ownFile` (shared/own-files): by its own place it would be missing in the package',
    allowed: (path) =>
      !/^packages\/(?!testkit)[^/]+\/src\//.test(path) || isTest(path) || KNOWS_ITS_PLACE.test(path),
  },
  {
    pattern: /\btarget\.kind\s*[!=]==|\bswitch \((?:\w+\.)*target\.kind\)/,
    message: 'ask for a fact of the target (`targets/`), not for its kind: a new one would be forgotten here',
    allowed: (path) => !path.startsWith('packages/gateway/src/') || KNOWS_KINDS.test(path),
  },
  {
    pattern: /\bdoor\s*[!=]==?\s*['"]|\.(?:has|includes)\((?:\w+\.)?door\)|\bswitch \((?:\w+\.)?door\)/,
    message: 'ask what holds of a door (`factsOfDoor`), not for its name: a new one would be forgotten here',
    allowed: (path) => !/^packages\/[^/]+\/src\//.test(path),
  },
  {
    pattern: /\bprocess\.env\b/,
    message: 'process.env belongs to config/ and the CLI: take the environment as an input',
    allowed: (path) =>
      !path.startsWith('packages/gateway/src/') || path.startsWith('packages/gateway/src/config/'),
  },
  {
    pattern: /\.reveal\(/,
    message: 'a secret is revealed only where it is used: credentials/, the redactor, the files of the home',
    allowed: (path) => REVEALERS.test(path),
  },
  {
    pattern: /\bissuePermit\(/,
    message: 'a permit is issued by the gate alone, at the end of `admit`',
    allowed: (path) =>
      path === 'packages/gateway/src/gate/admit/gate.ts' || path === 'packages/gateway/src/shared/permit.ts',
  },
  {
    pattern:
      /\bgate\??\.(?:admit|decide)\b|\{[^}]*\b(?:admit|decide)\b[^}]*\} = [\w.#]*gate\b|Pick<Gate, [^>]*'admit'/,
    message:
      'the gate is asked by `calls/carry-out.ts` alone: the one way of every action, whatever its door',
    allowed: (path) =>
      !path.startsWith('packages/gateway/src/') ||
      path.startsWith('packages/gateway/src/gate/') ||
      path === 'packages/gateway/src/calls/carry-out.ts',
  },
  {
    pattern: /\bfrom 'node:(?!url'|crypto')|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/,
    message: 'judging is pure: no clock, no network, no disk, no chance',
    allowed: (path) => !/^packages\/gateway\/src\/gate\/(layers|rules|judge|explain|policy)/.test(path),
  },
  {
    pattern: /\bpaths\.database\b|sallyport\.db\b/,
    message: `the database is reached through the store: ${BESIDE_SQLITE}`,
    allowed: (path) => !/^packages\/(?:gateway|cli)\/src\//.test(path) || DATABASE_FILE.test(path),
  },
  {
    pattern: /\bnew DatabaseSync\(/,
    message: `shared/sqlite opens databases, with the settings that all need: ${BESIDE_SQLITE}`,
    allowed: (path) =>
      !path.startsWith('packages/gateway/src/') || /\/(?:shared\/sqlite\/|config\/home-lock)/.test(path),
  },
];

/** What tests have one way for. */
const TEST_ROOMS: readonly Omit<Room, 'allowed'>[] = [
  {
    pattern: /\bvi\.wait(?:For|Until)\(|\bexpect\.poll\(|^\s*\.poll\(/,
    message:
      'wait with `waitFor` or `waitUntil` of the testkit, which say what they wait for and notice its end',
  },
  {
    pattern: /\bnumRuns: [\d_]{4,}/,
    message: 'a long property runs `rounds(n)` of the testkit: a tenth, unless everything must run',
  },
  {
    pattern: /\bprocess\.env\.SALLYPORT_TEST_ALL\b/,
    message: 'what a test needs is looked for by `requireEngine` of the testkit',
  },
];

const LINES_AT_MOST = 400;

export function findMisplaced(files: readonly SourceFile[]): Finding[] {
  const findings: Finding[] = [];
  for (const file of files) {
    const lines = file.text.split('\n');
    if (lines.length - 1 > LINES_AT_MOST) {
      findings.push({
        path: file.path,
        message: `${lines.length - 1} lines: split it (${LINES_AT_MOST} at most)`,
      });
    }
    const rooms = isTest(file.path) ? TEST_ROOMS : ROOMS.filter(({ allowed }) => !allowed(file.path));
    for (const room of rooms) {
      lines.forEach((text, index) => {
        const code = text.replace(/^\s*(\*|\/\/).*$/, '');
        if (room.pattern.test(code))
          findings.push({ path: file.path, line: index + 1, message: room.message });
      });
    }
  }
  return findings;
}
