import type { HttpTarget, PathFact, PathTarget, Target } from '@sallyport/protocol';
import { canonicalJson, quoted } from '../../shared/canonical-json.ts';

/**
 * The RFC 8785 text of a target. Those that come most often are written member by member: most of their texts are
 * slices of the request line or put together a moment ago, with which the engine's own writer takes three times
 * as long.
 */
export function targetText(target: Target): string {
  if (target.kind === 'http') return httpText(target);
  if (target.kind === 'path') return pathText(target);
  return canonicalJson(target);
}

// INVARIANT: every member of the type, in sorted order. A property test holds both against the library's text.
function httpText(target: HttpTarget): string {
  const { credential, forward, object, operation, ownCredential, problem, provider, repo } = target;
  const whose = credential === undefined ? '' : `"credential":${quoted(credential)},`;
  const local = forward === undefined ? '' : '"forward":true,';
  const thing = object === undefined ? '' : `"object":${quoted(object)},`;
  const does = operation === undefined ? '' : `"operation":${quoted(operation)},`;
  const own = ownCredential === undefined ? '' : `"ownCredential":${canonicalJson(ownCredential)},`;
  const refused = problem === undefined ? '' : `"problem":${canonicalJson(problem)},`;
  const reader = provider === undefined ? '' : `"provider":${quoted(provider)},`;
  const changes = repo === undefined ? '' : `"repo":${canonicalJson(repo)},`;
  const where = `"host":${quoted(target.host)},"kind":"http","method":${quoted(target.method)},${thing}${does}${own}`;
  const path = `"path":${quoted(target.path)},"port":${canonicalJson(target.port)},${refused}${reader}`;
  return `{${whose}${local}${where}${path}"queryKeys":${listText(target.queryKeys)},${changes}"scheme":"${target.scheme}"}`;
}

function pathText({ credential, cwd, paths, problem }: PathTarget): string {
  const whose = credential === undefined ? '' : `"credential":${quoted(credential)},`;
  const refused = problem === undefined ? '' : `,"problem":${canonicalJson(problem)}`;
  let facts = '';
  for (const fact of paths) facts += facts === '' ? factText(fact) : `,${factText(fact)}`;
  return `{${whose}"cwd":${quoted(cwd)},"kind":"path","paths":[${facts}]${refused}}`;
}

function factText({ access, below, given, real, secret }: PathFact): string {
  const text = quoted(given);
  const deep = below === true ? '"below":true,' : '';
  const hidden = secret === true ? ',"secret":true' : '';
  return `{"access":"${access}",${deep}"given":${text},"real":${given === real ? text : quoted(real)}${hidden}}`;
}

function listText(names: readonly string[]): string {
  let joined = '';
  for (const name of names) joined += joined === '' ? quoted(name) : `,${quoted(name)}`;
  return `[${joined}]`;
}
