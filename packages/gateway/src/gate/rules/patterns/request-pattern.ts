import type { Glob } from '../../../shared/glob.ts';
import { type HostPattern, parseHostPattern } from './host-index.ts';
import { type Parsed, parseGlob, problem } from './parsed.ts';

/** `GET,HEAD api.github.com/repos/**`. Absent parts mean any. */
export interface RequestPattern {
  readonly methods?: ReadonlySet<string>;
  readonly host: HostPattern;
  readonly port?: number;
  readonly path?: Glob;
}

const METHODS = /^(?:\*|[A-Z]+(?:,[A-Z]+)*)$/;
const TARGET = /^(\[[0-9A-Fa-f:.]+\]|[^/:[\]]+)(?::(\d{1,5}))?(\/.*)?$/;
const EXAMPLE = 'for example `GET api.github.com/repos/**`, `GET,HEAD @known`, `*.example.com`';

export function parseRequestPattern(text: string): Parsed<RequestPattern> {
  const words = text.trim().split(/\s+/);
  const [first = '', second] = words;
  if (words.length > 2) return problem('a request pattern is methods, then host and path', EXAMPLE);
  const hasMethods = second !== undefined || (METHODS.test(first) && first !== '*');
  if (hasMethods && !METHODS.test(first)) return problem(`\`${first}\` is no list of methods`, EXAMPLE);
  const methods = hasMethods && first !== '*' ? { methods: new Set(first.split(',')) } : {};
  const target = hasMethods ? second : first;
  if (target === undefined) return { ok: true, value: { ...methods, host: { kind: 'any' } } };

  const [, hostText = '', portText, pathText] = TARGET.exec(target) ?? [];
  const host = parseHostPattern(hostText);
  if (host === undefined) return problem(`\`${target}\` does not start with a host or a list`, EXAMPLE);
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > 65_535)) return problem(`\`${portText}\` is no port`);
  const path = pathText === undefined ? undefined : parseGlob(pathText, 'path');
  if (path?.ok === false) return path;
  return {
    ok: true,
    value: {
      ...methods,
      host,
      ...(port === undefined ? {} : { port }),
      ...(path === undefined ? {} : { path: path.value }),
    },
  };
}
