import type { Action, HttpTarget } from '@sallyport/protocol';
import type { ListItem } from '../config/index.ts';
import { escapeGlob } from '../shared/glob.ts';
import { pathTemplate } from '../shared/path-template.ts';
import { factsOf, lineOf, requestOf } from '../targets/index.ts';
import type { Answer } from './simulate.ts';

/** One more item behind a list of the config. */
export interface ConfigEdit {
  readonly path: readonly string[];
  readonly item: ListItem;
}

/**
 * What would have to stand in the config for this not to be asked, as narrow as it can be said: nothing where no
 * setting may answer in the place of people, or none is known.
 *
 * SECURITY: what cannot be taken back, what is asked each time and what nobody can read never becomes a suggestion.
 */
export function editsFor({ action, asks }: Answer): readonly ConfigEdit[] | undefined {
  const { tenant, agent } = action.actor;
  if (agent === undefined || action.risk === 'critical') return undefined;
  if (asks.some(({ strength }) => strength === 'each-time')) return undefined;
  const selector = selectorFor(action);
  if (selector === undefined) return undefined;
  const edits: ConfigEdit[] = [];
  for (const { layer } of asks) {
    if (layer === 'boundary') {
      const rule = networkRule(action);
      if (rule === undefined) return undefined;
      edits.push({ path: ['network', 'rules'], item: rule });
    } else if (layer === 'mode') edits.push({ path: ['tenants', tenant, 'exceptions'], item: selector });
    // A level, an autonomy setting or a rule that wants a question was written by a person for that.
    else return undefined;
  }
  // No rule is about it, and no layer asked.
  if (asks.length === 0) edits.push({ path: ['agents', agent, 'permissions'], item: `allow:${selector}` });
  return edits;
}

const PLAIN_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Reads of the whole host, writes of the one shape of path. */
function networkRule({ target, effect }: Action): ListItem | undefined {
  const request = requestOf(target);
  if (request === undefined) return undefined;
  const { host, port, method, path } = request;
  const where = { host, ...(PLAIN_PORTS.has(port) ? {} : { port }) };
  return effect === 'read'
    ? { ...where, method: ['GET', 'HEAD'], action: 'allow' }
    : { ...where, method: [method], path: shapeOf(path), action: 'allow' };
}

/** What a rule would call it: the tool, and what differs from this by ids only. */
function selectorFor({ target, tool }: Action): string | undefined {
  const request = requestOf(target);
  if (request !== undefined) return `${tool}(${request.method} ${placeOf(request)}${shapeOf(request.path)})`;
  const line = lineOf(target);
  if (line !== undefined) {
    const [only] = line.commands;
    if (only === undefined || line.commands.length > 1 || line.unknown !== undefined) return undefined;
    // SECURITY: a line with files or doubts is more than its command says.
    if (only.unknown !== undefined || only.writes.length > 0) return undefined;
    return `${tool}(${escapeGlob(only.text)})`;
  }
  const pattern = factsOf(target).pattern(target, tool);
  return pattern === undefined ? tool : `${tool}(${pattern})`;
}

function placeOf({ host, port }: Pick<HttpTarget, 'host' | 'port'>): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return PLAIN_PORTS.has(port) ? name : `${name}:${port}`;
}

/** A glob of the paths that differ by ids only. */
function shapeOf(path: string): string {
  return pathTemplate(path).split('{}').map(escapeGlob).join('*');
}
