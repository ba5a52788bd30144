// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the config has variables of its own
import { SallyportError } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { load, problemsIn, reported } from './load-config.fixture.ts';

describe('a config that is not valid', () => {
  test.each([
    {
      why: 'a misspelt key of the top level',
      text: 'tenants: {}\nrolse: {}\n',
      expected: 'sallyport.yaml:2:1 unknown key `rolse` | did you mean `roles`?',
    },
    {
      why: 'a misspelt key deep inside points at the key, not its value',
      text: 'tenants:\n  default:\n    defualt_user: ana\n',
      expected: 'sallyport.yaml:3:5 unknown key `defualt_user` | did you mean `default_user`?',
    },
    {
      why: 'a misspelt word of a closed list',
      text: 'log: { level: wran }\n',
      expected: 'sallyport.yaml:1:15 `wran` is not known here | did you mean `warn`?',
    },
    {
      why: 'a misspelt kind of sink',
      text: 'audit: { sinks: [{ kind: webhok }] }\n',
      expected: 'sallyport.yaml:1:26 `webhok` is not known here | did you mean `webhook`?',
    },
    {
      why: 'a misspelt key of one kind of sink',
      text: 'audit: { sinks: [{ kind: jsonl, max_byte: 5000 }] }\n',
      expected: 'sallyport.yaml:1:33 unknown key `max_byte` | did you mean `max_bytes`?',
    },
    {
      why: 'a misspelt word inside the longer of two forms',
      text: 'agents: { a: { autonomy: { preset: smi } } }\n',
      expected: 'sallyport.yaml:1:36 `smi` is not known here | did you mean `semi`?',
    },
    {
      why: 'neither of two forms',
      text: 'agents: { a: { autonomy: [full] } }\n',
      expected: 'sallyport.yaml:1:16 expected a map',
    },
    {
      why: 'a number where text belongs',
      text: 'tenants:\n  t:\n    users: { ana: { identities: { discord: 1234 } } }\n',
      expected: 'sallyport.yaml:3:44 expected text, found `1234` | put it in quotes',
    },
    {
      why: 'text where a number belongs',
      text: 'sessions: { max_live: many }\n',
      expected: 'sallyport.yaml:1:23 expected a number, found `many`',
    },
    {
      why: 'YAML 1.1 booleans are text',
      text: 'api: { insecure: yes }\n',
      expected: 'sallyport.yaml:1:18 expected `true` or `false`, found `yes`',
    },
    {
      why: 'a list where a map belongs',
      text: 'tenants: [default]\n',
      expected: 'sallyport.yaml:1:1 expected a map, found a list',
    },
    {
      why: 'a section with nothing in it',
      text: 'log:\n',
      expected: 'sallyport.yaml:1:5 nothing is here, expected a map | give it a value, or remove the key',
    },
    {
      why: 'something required is missing',
      text: 'api: { tls: { cert: a.pem } }\n',
      expected: 'sallyport.yaml:1:8 `key` is missing',
    },
    {
      why: 'a number out of range',
      text: 'api:\n  ports: { api: 65536 }\n',
      expected: 'sallyport.yaml:2:17 too large, at most 65535',
    },
    {
      why: 'no duration',
      text: 'sessions: { ttl: "1 hour" }\n',
      expected:
        'sallyport.yaml:1:18 not a duration | write a number with its unit: `500ms`, `30s`, `15m`, `1h30m`, `7d`',
    },
    {
      why: 'a name with a slash, which would be a path',
      text: 'tenants: { a/b: {} }\n',
      expected:
        'sallyport.yaml:1:12 `a/b`: a name has letters, digits, `.`, `_`, `-`, starts with a letter or digit, at most 64 long',
    },
    {
      why: 'another store than there is',
      text: 'store: { url: "mysql://x/y" }\n',
      expected: 'sallyport.yaml:1:15 expected `postgres://user@host:port/database`',
    },
  ])('is reported with its place and a way out: $why', ({ text, expected }) => {
    expect(reported(text)).toEqual([expected]);
  });

  test('is one error of one line that carries every problem in reading order', () => {
    const text = 'log: { level: x }\ntenants: { "": {} }\nzzz: 1\nsessions: { ttl: x }\n';
    const problems = problemsIn(text);
    expect(problems.map((problem) => problem.line)).toEqual([1, 2, 3, 4]);
    expect(problems[2]).toMatchObject({ severity: 'error', path: ['zzz'], column: 1 });
    try {
      load(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(SallyportError);
      expect(error).toMatchObject({ code: 'ConfigInvalid' });
      expect((error as SallyportError).message).toMatch(
        /^[^\n]*sallyport\.yaml:1:15: `x` is not known here \(and 3 more\)$/,
      );
    }
  });

  test('reports at most 50 problems and counts the rest', () => {
    const text = Array.from({ length: 80 }, (_, index) => `key${index}: 1`).join('\n');
    expect(problemsIn(text)).toHaveLength(50);
    expect(() => load(text)).toThrow(/\(and 79 more\)$/);
  });
});

describe('variables', () => {
  test.each([
    { why: 'a set one', text: 'log: { level: "${L}" }', env: { L: 'warn' }, level: 'warn' },
    { why: 'a default', text: 'log: { level: "${L:-debug}" }', env: {}, level: 'debug' },
    {
      why: 'a default for an empty one',
      text: 'log: { level: "${L:-debug}" }',
      env: { L: '' },
      level: 'debug',
    },
    { why: 'inside a text', text: 'log: { level: "de${L}g" }', env: { L: 'bu' }, level: 'debug' },
  ])('are put into values: $why', ({ text, env, level }) => {
    expect(load(text, { env }).config.log.level).toBe(level);
  });

  test('keep the type of what they hold unless they stand in quotes', () => {
    const text = 'sessions:\n  max_live: ${N}\n';
    expect(load(text, { env: { N: '7' } }).config.sessions.max_live).toBe(7);
    expect(reported('sessions:\n  max_live: "${N}"\n', { env: { N: '7' } })).toEqual([
      'sallyport.yaml:2:13 expected a number, found `${N}`',
    ]);
  });

  test.each([
    {
      why: 'unset, reported once although the empty text is no level either',
      text: 'log: { level: "${L}" }',
      expected: 'sallyport.yaml:1:16 variable `L` is not set | set it, or give a default: `${L:-…}`',
    },
    {
      why: 'unset in the middle of a text',
      text: 'agents:\n  a:\n    description: see ${WHERE}\n',
      expected: 'sallyport.yaml:3:22 variable `WHERE` is not set | set it, or give a default: `${WHERE:-…}`',
    },
    {
      why: 'a name that every object inherits',
      text: 'log: { level: "${constructor}" }',
      expected:
        'sallyport.yaml:1:16 variable `constructor` is not set | set it, or give a default: `${constructor:-…}`',
    },
  ])('without value or default are errors: $why', ({ text, expected }) => {
    expect(reported(text)).toEqual([expected]);
  });

  test('leave placeholders of the gate and escaped braces alone, and expand only once', () => {
    const text = 'agents: { a: { description: "{user} $${A} ${A}" } }';
    expect(load(text, { env: { A: '${B}' } }).config.agents.a?.description).toBe('{user} ${A} ${B}');
  });

  test('[CR-1] a value that came from a variable is never repeated in a problem', () => {
    const env = { TOKEN: 'canary-4711' };
    const text = 'log: { level: "${TOKEN}" }\nsessions: { max_live: "${TOKEN}", ttl: "${TOKEN}" }\n';
    const problems = problemsIn(text, { env });
    expect(problems).toHaveLength(3);
    expect(JSON.stringify(problems)).not.toContain('canary-4711');
  });
});

describe('a loaded config', () => {
  test('has every default, is frozen, and finds nothing under names that objects inherit', () => {
    const { config } = load('tenants: { default: { users: { ana: {} } } }\n');
    expect(config).toMatchObject({
      include: [],
      store: {},
      audit: { level: 'metadata', sinks: [], checkpoint: { every_seconds: 10 } },
      api: {
        host: '127.0.0.1',
        insecure: false,
        allowed_hosts: [],
        ports: { api: 7180, proxy: 7181, operator: 7183 },
      },
      sessions: { ttl: '1h', max_live: 50 },
      log: { level: 'info' },
    });
    expect(Object.isFrozen(config.tenants.default?.users.ana?.roles)).toBe(true);
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(config.tenants[name]).toBeUndefined();
      expect(config.tenants.default?.users[name]).toBeUndefined();
    }
  });

  test('knows where a value stands, by a name that says nothing about the machine', () => {
    const loaded = load('log:\n  level: warn\nroles:\n  r:\n    allow:\n      - tool:A\n      - tool:B\n');
    expect(loaded.at(['log', 'level'])).toEqual({ file: 'sallyport.yaml', line: 2, column: 10 });
    expect(loaded.at(['roles', 'r', 'allow', 1])).toEqual({ file: 'sallyport.yaml', line: 7, column: 9 });
    expect(loaded.at(['roles', 'r'])).toEqual({ file: 'sallyport.yaml', line: 4, column: 3 });
    expect(loaded.at(['sessions', 'ttl'])).toBeUndefined();
  });

  test('has a revision that follows the bytes', () => {
    const one = load('log: { level: warn }\n').revision;
    expect(load('log: { level: warn }\n').revision).toBe(one);
    expect(load('log: { level: warn } \n').revision).not.toBe(one);
    expect(one).toMatch(/^[0-9a-f]{12}$/);
  });

  test('reads a byte order mark and CRLF as if they were not there', () => {
    const { config, at } = load('\ufefflog:\r\n  level: warn\r\n');
    expect(config.log.level).toBe('warn');
    expect(at(['log', 'level'])).toMatchObject({ line: 2, column: 10 });
  });
});

describe('checks of modules', () => {
  test('see a valid config; their errors refuse it and their warnings are kept', () => {
    const warning = { severity: 'warning', path: ['log', 'level'], message: 'hm' } as const;
    expect(load('log: { level: warn }', { checks: [() => [warning]] }).warnings).toMatchObject([
      { message: 'hm', line: 1, column: 15 },
    ]);
    const error = { severity: 'error', path: ['sessions', 'ttl'], message: 'no' } as const;
    expect(reported('log: {}\nsessions: {}\n', { checks: [() => [error]] })).toEqual([
      'sallyport.yaml:2:1 no',
    ]);
  });

  test('that break refuse the config instead of letting it pass', () => {
    const broken = () => {
      throw new Error('boom');
    };
    expect(reported('log: {}', { checks: [broken] })).toEqual([
      'sallyport.yaml:1:1 the check `broken` broke on this config',
    ]);
  });
});
