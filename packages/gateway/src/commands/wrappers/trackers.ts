import { hasWord, plainWords, realFiles, valuesOf } from '../words.ts';
import { BY_ITS_CONFIG, type Trap, type WrapperDefinition } from '../wrapper.ts';
import { byClassifier } from './by-classifier.ts';

/** Options that say other keys, another host or a file with both, in any of the spellings of these programs. */
function elsewhere(...more: readonly string[]): readonly Trap[] {
  return [
    {
      words: '`--api-key`, `--application-key`, `--app-key`, `--token`',
      answer: 'refuse',
      sentence: 'keys do not stand in a command; the gateway lends what `--creds` names',
      springs: (argv) =>
        hasWord(
          argv,
          '--api-key',
          '--api_key',
          '--apiKey',
          '--application-key',
          '--application_key',
          '--app-key',
          '--appKey',
          '--token',
          '--access-token',
        ),
    },
    {
      words: '`--config`, `--config-file`, `--env-file`',
      answer: 'refuse',
      sentence: 'a file of settings says where keys go, and is not seen; write the options into the command',
      springs: (argv) =>
        hasWord(argv, '--config', '--config-file', '--configFile', '--env-file', '--profile', ...more),
    },
    {
      words: '`--api-host`, `--site`, `--endpoint`, `--url`, `--proxy`',
      answer: 'ask',
      sentence: 'the keys go to another address',
      springs: (argv) =>
        hasWord(
          argv,
          '--api-host',
          '--api_host',
          '--apiHost',
          '--site',
          '--endpoint',
          '--url',
          '--host',
          '--proxy',
          '--datadog-site',
          '--datadogSite',
          '--api-url',
        ),
    },
  ];
}

const LOGIN: Trap = {
  words: '`auth`, `login`, `logout`, `config`',
  answer: 'refuse',
  sentence:
    'it logs in or changes settings, in a home that is thrown away; the gateway lends what `--creds` names',
  springs: (argv) => /^(?:auth|login|logout|config|init|whoami|token)$/.test(plainWords(argv)[0] ?? ''),
};

const files: WrapperDefinition['files'] = (argv) => {
  const named = valuesOf(
    argv,
    '--file',
    '-f',
    '--files',
    '--attachment',
    '--attach',
    '--description-file',
    '--body-file',
    '--globalConfig',
    '--minified-path-prefix',
    '--basepath',
    '--repository-url',
  );
  const words = plainWords(argv);
  const upload = words.indexOf('upload');
  return {
    reads: realFiles(
      [...named, ...(upload === -1 ? [] : words.slice(upload + 1))].filter((word) => !/:\/\//.test(word)),
    ),
    writes: realFiles(valuesOf(argv, '--output-file', '--out', '--jUnitReport')),
  };
};

export const datadog: WrapperDefinition = {
  name: 'datadog',
  programs: ['datadog', 'dog', 'datadog-ci'],
  about: 'the CLIs of Datadog: `dog`, `datadog-ci`',
  install: 'pip install datadog, npm install -g @datadog/datadog-ci',
  intent: byClassifier,
  traps: [
    ...elsewhere('--globalConfig'),
    LOGIN,
    {
      words: '`dog wrap`, `datadog-ci trace`, `… -- command`',
      answer: 'refuse',
      sentence: 'it runs a command of its own around the report; run that in the workspace',
      springs: (argv) => /^(?:wrap|trace)$/.test(plainWords(argv)[0] ?? '') || argv.includes('--'),
    },
  ],
  files,
  credentials: {
    datadog: {
      env: {
        DD_API_KEY: '{api_key}',
        DD_APP_KEY: '{app_key}',
        DATADOG_API_KEY: '{api_key}',
        DATADOG_APP_KEY: '{app_key}',
      },
    },
    env: BY_ITS_CONFIG,
    file: BY_ITS_CONFIG,
  },
  environment: { DD_TRACE_ENABLED: 'false', DATADOG_CI_DISABLE_TELEMETRY: '1' },
};

export const linear: WrapperDefinition = {
  name: 'linear',
  programs: ['linear'],
  about: 'the CLI of Linear',
  install: 'npm install -g @linear/cli',
  intent: byClassifier,
  traps: [...elsewhere('--workspace-file'), LOGIN],
  files,
  credentials: {
    linear: { env: { LINEAR_API_KEY: '{token}' } },
    oauth2: { env: { LINEAR_API_KEY: '{token}' } },
    env: BY_ITS_CONFIG,
    file: BY_ITS_CONFIG,
  },
  environment: { NO_UPDATE_NOTIFIER: '1' },
};
