import { type ParsedArgv, parseCurl } from '../../actions/index.ts';
import { realFiles } from '../words.ts';
import type { Trap, WrapperDefinition } from '../wrapper.ts';
import { byClassifier } from './by-classifier.ts';

function uses(argv: readonly string[], ...names: readonly string[]): boolean {
  const parsed = parseCurl(argv);
  return parsed.options.some(({ name }) => names.includes(name)) || names.some((name) => argv.includes(name));
}

function values(parsed: ParsedArgv, ...names: readonly string[]): readonly string[] {
  return parsed.options.flatMap(({ name, value }) =>
    names.includes(name) && value !== undefined ? [value] : [],
  );
}

/** Everything that may be an address, also where the words are not understood. */
function addresses(argv: readonly string[]): readonly string[] {
  const parsed = parseCurl(argv);
  return [
    ...parsed.positionals,
    ...values(parsed, '--url'),
    ...argv.slice(1).filter((word) => /^-{0,2}[a-z-]*=?[a-z][a-z0-9+.-]*:\/\//i.test(word)),
  ];
}

const OTHER_SCHEME =
  /^(?!https?:\/\/)[a-z][a-z0-9+.-]*:\/\/|^(?:file|dict|gopher|ftp|ldap|tftp|scp|sftp|smb|telnet|mailto):/i;

const TRAPS: readonly Trap[] = [
  {
    words: '`file://`, and every scheme but `http` and `https`',
    answer: 'refuse',
    sentence:
      'it reads a file of the gateway or speaks another protocol; only `http://` and `https://` are fetched',
    springs: (argv) =>
      addresses(argv).some((word) => OTHER_SCHEME.test(word)) ||
      uses(argv, '--proto-default', '--proto', '--proto-redir'),
  },
  {
    words: '`-K`, `--config`',
    answer: 'refuse',
    sentence: 'options in a file are not seen; write them into the command',
    springs: (argv) => uses(argv, '--config'),
  },
  {
    words: '`--variable`, `--expand-…`',
    answer: 'refuse',
    sentence: 'it puts files or the environment, where the credential is, into the request',
    springs: (argv) => argv.some((word) => /^--(?:vari|expand-)/.test(word)),
  },
  {
    words:
      '`--proxy`, `--preproxy`, `--socks…`, `--noproxy`, `--resolve`, `--connect-to`, `--unix-socket`, `--interface`, `--doh-url`, `--dns-…`',
    answer: 'refuse',
    sentence: 'requests leave by the proxy of the gateway, and no other way',
    springs: (argv) =>
      uses(
        argv,
        '--proxy',
        '--preproxy',
        '--proxy1.0',
        '--socks4',
        '--socks4a',
        '--socks5',
        '--socks5-hostname',
        '--noproxy',
        '--resolve',
        '--connect-to',
        '--unix-socket',
        '--abstract-unix-socket',
        '--interface',
        '--doh-url',
        '--dns-servers',
        '--dns-interface',
        '--dns-ipv4-addr',
        '--dns-ipv6-addr',
        '--haproxy-protocol',
        '--haproxy-clientip',
        '--local-port',
      ),
  },
  {
    words: '`--netrc`, `--netrc-file`, `--netrc-optional`, `--engine`, `--ntlm-wb`, `--libcurl`',
    answer: 'refuse',
    sentence: 'it takes logins from files, loads a program, or writes the credential into a file',
    springs: (argv) =>
      uses(argv, '--netrc', '--netrc-file', '--netrc-optional', '--engine', '--ntlm-wb', '--libcurl'),
  },
  {
    words: '`--insecure`, `--cacert`, `--capath`, `--pinnedpubkey`',
    answer: 'refuse',
    sentence: 'it would trust other certificates than the gateway does; leave it out',
    springs: (argv) =>
      uses(
        argv,
        '--insecure',
        '--cacert',
        '--capath',
        '--proxy-insecure',
        '--proxy-cacert',
        '--doh-insecure',
      ),
  },
  {
    words:
      '`--user`, `--oauth2-bearer`, `--cert`, `--key`, `--aws-sigv4`, `--negotiate`, `--ntlm`, `--digest`, `--anyauth`',
    answer: 'ask',
    sentence: 'it sends credentials of its own; the gateway lends one with `--creds`',
    springs: (argv) =>
      uses(
        argv,
        '--user',
        '--oauth2-bearer',
        '--cert',
        '--key',
        '--pass',
        '--aws-sigv4',
        '--negotiate',
        '--ntlm',
        '--digest',
        '--anyauth',
        '--delegation',
        '--tlsuser',
        '--proxy-user',
      ),
  },
  {
    words: '`--location-trusted`',
    answer: 'ask',
    sentence: 'a redirect would take the credential to another host',
    springs: (argv) => uses(argv, '--location-trusted'),
  },
  {
    words: '`-J`, `--remote-header-name`',
    answer: 'ask',
    sentence: 'the server names the file that is written',
    springs: (argv) => uses(argv, '--remote-header-name'),
  },
  {
    words: '`-d @file`, `-H @file`, `-F x=@file`, `-T`, `-b file`, `-w @file`',
    answer: 'ask',
    sentence: 'what is sent comes from a file or the input and is not in the words',
    springs: (argv) => sent(parseCurl(argv)).length > 0,
  },
];

/** Files whose content goes out, `-` for the input. */
function sent(parsed: ParsedArgv): readonly string[] {
  return parsed.options.flatMap(({ name, value = '' }) => {
    if (name === '--upload-file') return [value];
    if (/^--(?:data|data-ascii|data-binary|json|header|proxy-header|write-out)$/.test(name))
      return value.startsWith('@') ? [value.slice(1)] : [];
    if (name === '--data-urlencode' || name === '--url-query')
      return /^[^=]*@(.*)$/s.exec(value)?.slice(1) ?? [];
    if (name === '--form')
      return (
        /=[@<](.*)$/s
          .exec(value)
          ?.slice(1)
          .map((file) => file.split(';')[0] ?? '') ?? []
      );
    if (name === '--cookie') return value.includes('=') ? [] : [value];
    return [];
  });
}

/** A config that curl finds by itself: nothing of it stands in the words, which every process of the machine can read. */
const header = (text: string) =>
  ({
    files: [
      {
        name: '.curlrc',
        text: `header = "${text}"\n`,
        quoting: 'curl',
        variable: { name: 'CURL_HOME', says: 'folder' },
      },
    ],
  }) as const;
const BEARER = header('Authorization: Bearer {token}');

export const curl: WrapperDefinition = {
  name: 'curl',
  programs: ['curl'],
  about: 'requests over HTTP',
  install: 'apt-get install curl',
  intent: byClassifier,
  traps: TRAPS,
  files(argv, place) {
    const parsed = parseCurl(argv);
    const outputs = byClassifier(argv, place).writes?.map(({ given }) => given) ?? [];
    return {
      reads: realFiles([
        ...sent(parsed),
        ...values(parsed, '--cert', '--key', '--cacert', '--etag-compare', '--config', '--netrc-file'),
      ]),
      writes: realFiles([...outputs, ...values(parsed, '--alt-svc', '--hsts', '--output-dir')]),
    };
  },
  credentials: {
    bearer: BEARER,
    oauth2: BEARER,
    github_pat: BEARER,
    github_app: BEARER,
    slack: BEARER,
    gcp_static: BEARER,
    gcp_impersonate: BEARER,
    gcp_adc: BEARER,
    linear: header('Authorization: {token}'),
    datadog: {
      files: [
        {
          name: '.curlrc',
          text: 'header = "DD-API-KEY: {api_key}"\nheader = "DD-APPLICATION-KEY: {app_key}"\n',
          quoting: 'curl',
          variable: { name: 'CURL_HOME', says: 'folder' },
        },
      ],
    },
    basic: {
      files: [
        {
          name: '.curlrc',
          text: 'user = "{user}:{password}"\n',
          quoting: 'curl',
          variable: { name: 'CURL_HOME', says: 'folder' },
        },
      ],
    },
  },
  environment: {},
};
