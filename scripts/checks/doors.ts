import { type Finding, isTest, type SourceFile } from './source-files.ts';

/**
 * A door frames bytes and describes what came in; executors do things, and each takes a permit of the gate [GA-1]. So a
 * door gets nothing in its hands that dials, starts a program, or touches a disk.
 */
const DOORS = 'packages/gateway/src/doors/';
const HANDS =
  /^(?:node:)?(?:net|tls|dgram|dns|fs|child_process|worker_threads|cluster|http|https|http2)(?:\/promises)?$|^(?:undici|axios|node-fetch|ssh2)$|\/egress\/index\.ts$|\/sandbox\/index\.ts$/;

/** They read text or hold constants; nothing happens by them. */
const HARMLESS = new Set(['isIP', 'isIPv4', 'isIPv6', 'constants', 'createSecureContext']);

/** What a door needs all the same, by file, each with its reason. A new line here is a decision. */
const EXCEPTIONS: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  'proxy/agent-connection.ts': { names: ['TLSSocket'], why: "the agent's own TLS, on a connection it made" },
  'proxy/h2-front.ts': { names: ['performServerHandshake'], why: 'HTTP/2 on a connection the agent made' },
  'ssh/ssh-server.ts': { names: ['ssh2'], why: 'SSH on a connection that the agent made: its server alone' },
  'seal/seal-key.ts': { names: ['existsSync'], why: "the gateway's own key" },
};

const STATIC = /^import\s+(type\s+)?([^;]*?)\s*from\s+['"]([^'"]+)['"]/gms;
const OTHER =
  /\b(?:import|require|getBuiltinModule|createRequire)\(\s*['"]([^'"]+)['"]|^(?:import|export\s.*from)\s+['"]([^'"]+)['"]/gm;

/** What dials without being imported. */
const GLOBALS = /(?<![.\w])(?:globalThis\.)?(?:fetch\(|new (?:WebSocket|EventSource)\()/g;

/** Doors that could act by themselves. */
export function findActingDoors(files: readonly SourceFile[]): Finding[] {
  const findings: Finding[] = [];
  const unused = new Map(
    Object.entries(EXCEPTIONS).flatMap(([file, { names }]) => names.map((name) => [`${file} ${name}`, file])),
  );
  for (const { path, text } of files) {
    if (!path.startsWith(DOORS) || isTest(path)) continue;
    const file = path.slice(DOORS.length);
    const report = (index: number, what: string): void => {
      const line = text.slice(0, index).split('\n').length;
      const message = `a door may not hold \`${what}\`: what acts is an executor, and takes a permit`;
      findings.push({ path, line, message });
    };
    for (const match of text.matchAll(STATIC)) {
      const [, isType, names = '', specifier = ''] = match;
      if (isType !== undefined || !HANDS.test(specifier)) continue;
      for (const name of valuesIn(names)) {
        const isKnown = unused.delete(`${file} ${name}`) || EXCEPTIONS[file]?.names.includes(name) === true;
        if (!isKnown && !HARMLESS.has(name)) report(match.index, `${name} of ${specifier}`);
      }
    }
    for (const match of text.matchAll(OTHER)) {
      const specifier = match[1] ?? match[2] ?? '';
      if (HANDS.test(specifier)) report(match.index, specifier);
    }
    for (const match of text.matchAll(GLOBALS)) report(match.index, match[0]);
  }
  for (const [entry, file] of unused)
    findings.push({ path: `${DOORS}${file}`, message: `the exception \`${entry}\` is not needed any more` });
  return findings;
}

/** `{ a, type B, c as d }` → `a`, `c`; a whole module is its own name. */
function valuesIn(names: string): readonly string[] {
  const braces = /\{([^}]*)\}/s.exec(names)?.[1];
  const whole = names
    .replace(/\{[^}]*\}/s, '')
    .replace(/[,\s]+/g, ' ')
    .trim();
  const listed = (braces ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(/\s/)[0] ?? name);
  return whole === '' ? listed : [whole, ...listed];
}
