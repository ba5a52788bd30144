import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import type {
  AwsSmConfig,
  BuiltInScheme,
  SourceConfig,
  SourceWay,
  Variables,
  VaultConfig,
} from '../../config/index.ts';
import { createAwsSmSource } from './aws-sm-source.ts';
import { createCommandSource } from './command-source.ts';
import { createEnvSource, createFileSource, createNamedSource } from './local-sources.ts';
import type { SecretSource } from './secret-source.ts';
import { plainReader, type SourceContext } from './source-context.ts';
import { createVaultSource } from './vault-source.ts';

/** A scheme that every tenant has without a word in the config. */
export interface BuiltInSource {
  /** for people: what the part behind the colon is */
  readonly docs: string;
  open(context: SourceContext): SecretSource;
}

/** A way to read that an entry of `sources` may name; its settings stand in `config/sections/credentials-sources.ts`. */
export interface SourceWayDefinition<Way extends SourceWay = SourceWay> {
  /** for people: what is read */
  readonly docs: string;
  open(
    scheme: string,
    config: NonNullable<SourceConfig[Way]>,
    entry: SourceConfig,
    context: SourceContext,
  ): SecretSource;
}

/** What the 1Password CLI logs in with. */
const OP = {
  read: 'op read op://{key}',
  env: ['OP_SERVICE_ACCOUNT_TOKEN', 'OP_CONNECT_HOST', 'OP_CONNECT_TOKEN', 'OP_ACCOUNT', 'OP_CONFIG_DIR'],
};

/** Every scheme that the config takes for granted. */
export const SCHEMES = {
  env: { docs: "a variable of the gateway's own environment", open: ({ env }) => createEnvSource(env) },
  file: {
    docs: 'a file that only its owner may touch; relative to the home',
    open: ({ home }) => createFileSource(home),
  },
  secret: {
    docs: 'another credential of the tenant, by name',
    open: ({ named, namedRevision }) => createNamedSource(named, namedRevision),
  },
  op: {
    docs: 'an item of 1Password, through its command `op`: `vault/item/field`',
    open: ({ home, env }) => createCommandSource({ scheme: 'op', config: OP, home, env }),
  },
  vault: {
    docs: 'Vault or OpenBao at `VAULT_ADDR`: `mount/path#field`',
    open: (context) => openVault('vault', vaultOfEnvironment(context.env), context),
  },
  'aws-sm': {
    docs: 'AWS Secrets Manager in `AWS_REGION`: `name` or `name#field`',
    open: (context) => openAwsSm('aws-sm', awsOfEnvironment(context.env), context),
  },
} satisfies Readonly<Record<BuiltInScheme, BuiltInSource>>;

/** Every way to read that the config's schema accepts. */
export const SOURCE_WAYS = {
  read: {
    docs: 'what a command prints',
    open: (scheme, _command, config, { home, env }) => createCommandSource({ scheme, config, home, env }),
  },
  vault: {
    docs: 'HashiCorp Vault or OpenBao, KV version 2',
    open: (scheme, config, _entry, context) => openVault(scheme, config, context),
  },
  aws_sm: {
    docs: 'AWS Secrets Manager',
    open: (scheme, config, _entry, context) => openAwsSm(scheme, config, context),
  },
} satisfies { readonly [Way in SourceWay]: SourceWayDefinition<Way> };

/** The way that an entry of `sources` names; undefined for one that names none, which the schema refuses. */
export function openWay(
  scheme: string,
  entry: SourceConfig,
  context: SourceContext,
): SecretSource | undefined {
  for (const [way, definition] of Object.entries(SOURCE_WAYS)) {
    const config = entry[way as SourceWay]; // `satisfies` above holds both together
    // The map has for each way the definition of its settings; the compiler sees only the union of both.
    if (config !== undefined) return (definition as SourceWayDefinition).open(scheme, config, entry, context);
  }
  return undefined;
}

function openVault(scheme: string, config: VaultConfig, context: SourceContext): SecretSource {
  const { home, clock, learn } = context;
  const ca = config.ca === undefined ? undefined : readAuthority(resolve(home, config.ca));
  return createVaultSource(scheme, { config, clock, learn, ca, readSecret: plainReader(context) });
}

function openAwsSm(scheme: string, config: AwsSmConfig, context: SourceContext): SecretSource {
  return createAwsSmSource(scheme, { config, clock: context.clock, readSecret: plainReader(context) });
}

/** `VAULT_ADDR` and `VAULT_TOKEN`, as the `vault` command has them. */
function vaultOfEnvironment(env: Variables): VaultConfig {
  const { VAULT_ADDR: address, VAULT_NAMESPACE: namespace, VAULT_CACERT: ca } = env;
  if (address === undefined || URL.parse(address) === null) {
    throw new SallyportError('SecretUnreadable', {
      message: 'nothing says where Vault is',
      hint: 'name it under `sources.vault` of the tenant, or set VAULT_ADDR and VAULT_TOKEN',
    });
  }
  return {
    address,
    auth: { token: 'env:VAULT_TOKEN' },
    ...(namespace === undefined ? {} : { namespace }),
    ...(ca === undefined ? {} : { ca }),
  };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SallyportError('SecretUnreadable', {
      message: `the certificate file \`${file}\` cannot be read`,
    });
  }
}

/** The region as AWS's own tools have it; they find the keys, too. */
function awsOfEnvironment(env: Variables): AwsSmConfig {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
  if (region !== undefined && region !== '') return { region };
  throw new SallyportError('SecretUnreadable', {
    message: 'nothing says in which region of AWS the secrets are',
    hint: 'name it under `sources.aws-sm` of the tenant, or set AWS_REGION',
  });
}
