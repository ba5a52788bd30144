import { graphql } from '../../shared/graphql.ts';
import { hasOption, optionValues, type ParsedArgv, parseArgv } from './argv-parser.ts';
import { asUnknown, type CliIntent, readIntent, writeIntent } from './cli-intent.ts';
import { GH_API_OPTIONS } from './gh-verbs.ts';
import { withHosts } from './host-text.ts';
import { headerTrick, hostsOfAddresses, queryTrick, readHttpAddress } from './http-words.ts';

/** `gh api`: a request written by hand. Fields and a body make it a POST unless a method is given. */
export function classifyGhApi(words: readonly string[]): CliIntent {
  const parsed = parseArgv(words, GH_API_OPTIONS, { shortEquals: true });
  const [endpoint = ''] = parsed.positionals;
  const fields = optionValues(parsed, '--raw-field', '--field');
  const hasBody = hasOption(parsed, '--input');
  const method = optionValues(parsed, '--method').at(-1) ?? (fields.length > 0 || hasBody ? 'POST' : 'GET');
  const isGraphql = endpoint === 'graphql';

  const reads =
    isGraphql && method === 'POST' ? !hasBody && isQuery(parsed) : isPlainRead(parsed, method, hasBody);
  const type = 'custom:cli';
  const base = reads
    ? readIntent('remote', type, `api ${method}`)
    : writeIntent('remote', type, `api ${method}`);
  const placed = withAddress(base, method, endpoint, parsed);
  const reason = danger(parsed, endpoint);
  return reason === undefined ? placed : asUnknown(placed, reason);
}

function isPlainRead(parsed: ParsedArgv, method: string, hasBody: boolean): boolean {
  const tricks =
    optionValues(parsed, '--header').some((header) => headerTrick(header) === 'write') ||
    [...parsed.positionals, ...optionValues(parsed, '--raw-field', '--field')].some(queryTrick);
  // `-F x=@file` sends what is in a file, also in the query of a GET.
  const sendsFile = optionValues(parsed, '--field').some((field) => /=@/.test(field));
  return (method === 'GET' || method === 'HEAD') && !hasBody && !tricks && !sendsFile;
}

/** Whether the one literal document has queries only. */
function isQuery(parsed: ParsedArgv): boolean {
  const all = parsed.options.filter(({ name }) => name === '--field' || name === '--raw-field');
  const documents = all.filter(({ value = '' }) => /^query(?:=|\[)/.test(value));
  const [only] = documents;
  const text = only?.value?.slice('query='.length) ?? '';
  const fromFile = all.some(({ name, value = '' }) => name === '--field' && /=@/.test(value));
  if (documents.length !== 1 || fromFile || only?.value?.startsWith('query=') !== true) return false;
  try {
    const { Kind, parse } = graphql();
    const { definitions } = parse(text, { noLocation: true, maxTokens: 5000 });
    const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    return operations.length > 0 && operations.every(({ operation }) => operation === 'query');
  } catch {
    return false;
  }
}

function withAddress(intent: CliIntent, method: string, endpoint: string, parsed: ParsedArgv): CliIntent {
  const hostname = optionValues(parsed, '--hostname').at(-1);
  if (/^https?:\/\//i.test(endpoint)) {
    const address = readHttpAddress(endpoint, false);
    return address.kind === 'url'
      ? { ...withHosts(intent, hostsOfAddresses([address])), request: { method, url: endpoint } }
      : intent;
  }
  const isDefault = hostname === undefined || hostname === 'github.com';
  const root = isDefault ? 'https://api.github.com/' : `https://${hostname}/api/v3/`;
  const url = `${root}${endpoint.replace(/^\//, '')}`;
  const address = readHttpAddress(url, false);
  if (address.kind !== 'url') return intent;
  // `{owner}` is filled in from the work tree; fields of a GET become a query, and pages are requests of their own.
  const grows = method === 'GET' && hasOption(parsed, '--raw-field', '--field');
  const open = grows || /[{}]/.test(endpoint) || hasOption(parsed, '--paginate');
  const placed = withHosts(intent, hostsOfAddresses([address]));
  return open ? placed : { ...placed, request: { method, url } };
}

function danger(parsed: ParsedArgv, endpoint: string): string | undefined {
  if (parsed.doubts[0] !== undefined) return parsed.doubts[0];
  if (endpoint === '' || parsed.positionals.length !== 1) return '`gh api` needs exactly one endpoint';
  const hostname = optionValues(parsed, '--hostname').at(-1) ?? '';
  if (!/^[a-z0-9.-]*$/i.test(hostname) || /\s|\\/.test(endpoint))
    return 'the address can be read in more than one way';
  for (const header of optionValues(parsed, '--header')) {
    const trick = headerTrick(header);
    if (typeof trick === 'object') return trick.reason;
  }
  return undefined;
}
