import type { HttpRequestHead } from '../http-request.ts';
import { type OperationRow, once } from '../operation-table.ts';
import { datadogOperations } from './datadog.ts';
import { githubOperations } from './github.ts';
import { githubMutations } from './github-graphql.ts';
import { gitlabMutations, gitlabOperations } from './gitlab.ts';
import { linearMutations } from './linear.ts';
import { slackOperations } from './slack.ts';

/**
 * A request that does a provider's operation to an object, in its smallest form: for what is asked about before it is sent.
 * Whether it is that operation on that object, whoever uses it must look at: it is classified like any other.
 */
export type SampleRequest = Pick<HttpRequestHead, 'host' | 'method' | 'target'> & { readonly body?: string };

interface Samples {
  /** every operation that can be asked for by its name */
  readonly names: () => Iterable<string>;
  readonly requestOf: (name: string, object: string) => SampleRequest | undefined;
}

const MUTATION = 'mutation ';

/** Providers whose operations can be told by a request. What needs a signature or a session of its own has none. */
export const SAMPLES: Readonly<Record<string, Samples>> = {
  github: {
    names: () => namesOf(githubOperations(), githubMutations()),
    requestOf(name, object) {
      const [repository = '', ...refs] = object.split(' ');
      const [host = '', owner = '', repo = ''] = repository.split('/');
      const base = host.endsWith('.ghe.com') || host === 'github.com' ? '' : '/api/v3';
      const api = base === '' ? `api.${host}` : host;
      if (name.startsWith(MUTATION)) return graphql(api, base === '' ? '/graphql' : '/api/graphql', name);
      const row = rowOf(githubRows(), name);
      const known: Readonly<Record<string, string>> = { owner, repo, org: owner, username: owner };
      return row && filled(row, api, base, (place) => known[place], refs[0]);
    },
  },
  gitlab: {
    names: () => namesOf(gitlabOperations(), gitlabMutations()),
    requestOf(name, object) {
      const [host = '', ...path] = object.split('/');
      if (name.startsWith(MUTATION)) return graphql(host, '/api/graphql', name);
      const row = rowOf(gitlabRows(), name);
      const project = encodeURIComponent((path[0] === 'groups' ? path.slice(1) : path).join('/'));
      return row && filled(row, host, '', (place) => (place === 'id' ? project : undefined));
    },
  },
  datadog: {
    names: () => namesOf(datadogOperations()),
    requestOf(name, object) {
      const row = rowOf(datadogRows(), name);
      return row && filled(row, object.split(/[/ ]/)[0] ?? '', '', () => undefined);
    },
  },
  linear: {
    names: () => namesOf([], linearMutations()),
    requestOf: (name) =>
      name.startsWith(MUTATION) ? graphql('api.linear.app', '/graphql', name) : undefined,
  },
  slack: {
    names: () => slackOperations().keys(),
    requestOf(name, object) {
      const [host = '', ...channels] = object.split(' ');
      const body = channels.length === 0 ? {} : { body: JSON.stringify({ channel: channels.join(',') }) };
      return { host, method: 'POST', target: `/api/${name}`, ...body };
    },
  },
};

const byName = (rows: readonly OperationRow[]): ReadonlyMap<string, OperationRow> =>
  new Map(rows.map((row) => [row.name, row]));
const githubRows = once(() => byName(githubOperations()));
const gitlabRows = once(() => byName(gitlabOperations()));
const datadogRows = once(() => byName(datadogOperations()));

function rowOf(rows: ReadonlyMap<string, OperationRow>, name: string): OperationRow | undefined {
  return rows.get(name);
}

function* namesOf(
  rows: readonly OperationRow[],
  mutations: ReadonlyMap<string, unknown> = new Map(),
): Iterable<string> {
  for (const { name } of rows) yield name;
  for (const name of mutations.keys()) yield `${MUTATION}${name}`;
}

function graphql(host: string, target: string, name: string): SampleRequest {
  return {
    host,
    method: 'POST',
    target,
    body: JSON.stringify({ query: `mutation { ${name.slice(MUTATION.length)} { __typename } }` }),
  };
}

/** `said`: what the object says of a place in the path; any other one only says which. */
function filled(
  { method, path }: OperationRow,
  host: string,
  base: string,
  said: (place: string) => string | undefined,
  branch?: string,
): SampleRequest {
  const target = `${base}${path.replaceAll(/\{([^}+]*)\+?\}/g, (_all, place: string) => said(place) ?? '1')}`;
  const body = method === 'GET' ? {} : { body: JSON.stringify(branch === undefined ? {} : { branch }) };
  return { host, method, target, ...body };
}
