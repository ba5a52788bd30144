import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpClassifier } from '../http/index.ts';
import { discoverRegistries } from './discover.ts';
import { hostFiles } from './host-files.ts';
import { registryEntry } from './registry.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sallyport-registries-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const found = (env: Readonly<Record<string, string>> = {}): readonly string[] =>
  discoverRegistries({ home: '/home/ana', env, files: hostFiles(root) }).map(
    ({ client, host, port }) => `${client} ${host}:${port}`,
  );

function installNpm(): void {
  put('/opt/node/lib/node_modules/npm/bin/npm-cli.js', '#!/usr/bin/env node');
  put(
    '/opt/node/lib/node_modules/npm/node_modules/@npmcli/config/lib/definitions/definitions.js',
    "  registry: new Definition('registry', {\n    default: 'https://npm.default.example/',\n    type: url,",
  );
  mkdirSync(join(root, '/opt/node/bin'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, '/opt/node/bin/npm'));
}

/** A zip archive with one deflated file. */
function zip(name: string, content: string): Buffer {
  const data = deflateRawSync(Buffer.from(content));
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(data.length, 20);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(30 + name.length + data.length, 16);
  return Buffer.concat([local, Buffer.from(name), data, central, Buffer.from(name), end]);
}

describe('a host without package clients', () => {
  test('has no registries: none is known by name', () => {
    expect(found({ PATH: '/usr/bin:/bin' })).toEqual([]);
  });

  test('that cannot be read has none', () => {
    put('/home/ana/.npmrc', 'registry=https://npm.example/');
    chmodSync(join(root, '/home/ana/.npmrc'), 0o000);
    mkdirSync(join(root, '/etc/pip.conf'), { recursive: true });
    // Root reads everything; what matters is that nothing throws.
    expect(() => found()).not.toThrow();
  });
});

describe('npm', () => {
  test('has the default of its installation', () => {
    installNpm();
    expect(found({ PATH: '/bin:/opt/node/bin' })).toEqual(['npm npm.default.example:443']);
  });

  test("has the user's registry instead, and every scoped one", () => {
    installNpm();
    put(
      '/home/ana/.npmrc',
      '; mine\nregistry = "https://user:pw@npm.corp.example:8443/x/"\n@acme:registry=https://scope.example/\n//npm.corp.example/:_authToken=secret\n',
    );
    expect(found({ PATH: '/opt/node/bin' })).toEqual(['npm npm.corp.example:8443', 'npm scope.example:443']);
  });

  test('takes the environment first, in any case', () => {
    put('/home/ana/.npmrc', 'registry=https://file.example/');
    expect(found({ NPM_CONFIG_REGISTRY: 'http://env.example/' })).toEqual(['npm env.example:80']);
  });

  test("reads the installation's npmrc after the user's", () => {
    installNpm();
    put('/opt/node/etc/npmrc', 'registry=https://machine.example/');
    expect(found({ PATH: '/opt/node/bin' })).toEqual(['npm machine.example:443']);
  });

  test('is not looked for in relative folders, which an agent may fill', () => {
    installNpm();
    expect(found({ PATH: 'opt/node/bin:' })).toEqual([]);
  });
});

describe('pip', () => {
  test('has the index and the file host of its installation', () => {
    put(
      '/usr/lib/python3/dist-packages/pip/_internal/models/index.py',
      'PyPI = PackageIndex("https://index.example/", file_storage_domain="files.example")',
    );
    expect(found()).toEqual(['pypi index.example:443', 'pypi files.example:443']);
  });

  test('has the configured index, and extra ones over several lines', () => {
    put(
      '/home/ana/.config/pip/pip.conf',
      '[global]\nindex-url = https://pip.example/simple\nextra-index-url =\n    https://one.example/\n    https://two.example/\n[other]\nindex-url = https://not.example/\n',
    );
    expect(found()).toEqual(['pypi pip.example:443', 'pypi one.example:443', 'pypi two.example:443']);
  });

  test('keeps its default beside an extra index', () => {
    put(
      '/usr/lib/python3/dist-packages/pip/_internal/models/index.py',
      'PackageIndex("https://index.example/")',
    );
    expect(found({ PIP_EXTRA_INDEX_URL: 'https://extra.example/' })).toEqual([
      'pypi index.example:443',
      'pypi extra.example:443',
    ]);
  });
});

describe('cargo', () => {
  test('has the index that stands in its program, and the hosts of what it fetched', () => {
    put(
      '/home/ana/.rustup/toolchains/stable/bin/cargo',
      `\x7fELFsparse+https://\0junk sparse+https://crates.example/\0\0more`,
    );
    put(
      '/home/ana/.cargo/registry/index/crates.example-1/config.json',
      '{"dl":"https://static.example/crates","api":"https://api.example"}',
    );
    expect(found()).toEqual([
      'cargo crates.example:443',
      'cargo static.example:443',
      'cargo api.example:443',
    ]);
  });

  test('has what the config replaces it with', () => {
    put('/home/ana/.rustup/toolchains/stable/bin/cargo', 'sparse+https://crates.example/');
    put(
      '/home/ana/.cargo/config.toml',
      '[source.main]\nreplace-with = \'mirror\'\n[source.mirror]\nregistry = "sparse+https://mirror.example/index/" # ours\n',
    );
    expect(found()).toEqual(['cargo mirror.example:443']);
  });
});

describe('go', () => {
  test('has the proxies and the checksums of its toolchain', () => {
    put('/usr/local/go/go.env', 'GOPROXY=https://proxy.example,direct\nGOSUMDB=sum.example\n');
    expect(found()).toEqual(['go proxy.example:443', 'go sum.example:443']);
  });

  test('has what the user set, and nothing where it is off', () => {
    put('/usr/local/go/go.env', 'GOPROXY=https://proxy.example,direct\nGOSUMDB=sum.example\n');
    put('/home/ana/.config/go/env', 'GOPROXY=https://one.example|https://two.example\n');
    expect(found({ GOSUMDB: 'off' })).toEqual(['go one.example:443', 'go two.example:443']);
  });
});

describe('Maven', () => {
  const jar = () => zip('org/apache/maven/model/pom-4.0.0.xml', '<url>https://central.example/maven2</url>');

  test('has the repository of the super POM that it brings along', () => {
    put('/usr/share/maven/lib/maven-model-builder-3.x.jar', jar());
    expect(found()).toEqual(['maven central.example:443']);
  });

  test('has repositories of its settings, but no examples and no blocked address', () => {
    put(
      '/home/ana/.m2/settings.xml',
      '<settings><!-- <url>https://comment.example</url> --><mirror><url>http://0.0.0.0/</url></mirror><repository><url> https://repo.example/m2 </url></repository></settings>',
    );
    expect(found()).toEqual(['maven repo.example:443']);
  });

  test('has only the mirror where it stands for everything', () => {
    put('/usr/share/maven/lib/maven-model-builder-3.x.jar', jar());
    put(
      '/home/ana/.m2/settings.xml',
      '<mirror><mirrorOf>*</mirrorOf><url>https://mirror.example/</url></mirror>',
    );
    expect(found()).toEqual(['maven mirror.example:443']);
  });

  test('survives a jar that is none', () => {
    put('/usr/share/maven/lib/maven-model-builder-1.jar', Buffer.alloc(64, 0x50));
    put('/usr/share/maven/lib/maven-model-builder-2.jar', jar().subarray(10));
    expect(found()).toEqual([]);
  });
});

describe('an address in a setting', () => {
  test.each([
    { url: 'file:///srv/packages', why: 'a folder' },
    { url: 'ssh://git@example.com/index', why: 'another protocol' },
    { url: 'https://', why: 'no host' },
    { url: 'https://exa mple.com/', why: 'no URL' },
    { url: 'http://0.0.0.0/', why: 'an address that means nowhere' },
    { url: '$REGISTRY', why: 'a variable that nobody filled in' },
    { url: '*', why: 'a wildcard' },
  ])('is no registry when it is $why', ({ url }) => {
    expect(found({ npm_config_registry: url })).toEqual([]);
  });

  test('becomes one canonical host, listed once', () => {
    expect(
      found({ PIP_INDEX_URL: 'https://PYPI.Example./a', PIP_EXTRA_INDEX_URL: 'https://pypi.example/b' }),
    ).toEqual(['pypi pypi.example:443']);
  });

  test('gives its host the classifier of its protocol', () => {
    const registries = discoverRegistries({
      home: '/home/ana',
      env: { npm_config_registry: 'https://npm.example/' },
      files: hostFiles(root),
    });
    const classify = createHttpClassifier({ registries: registries.map(registryEntry) });
    const request = {
      scheme: 'https',
      host: 'npm.example',
      port: 443,
      headers: [],
      bodyComplete: true,
    } as const;
    expect(
      classify({ ...request, method: 'POST', target: '/-/npm/v1/security/advisories/bulk' }).effect,
    ).toBe('read');
    expect(classify({ ...request, method: 'PUT', target: '/name' }).risk).toBe('critical');
  });
});
