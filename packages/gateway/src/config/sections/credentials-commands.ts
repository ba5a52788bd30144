import { z } from 'zod';
import { COMMAND_NAMES } from './command-names.ts';
import { commonShape, demandedHostsShape, sourceShape } from './credentials-common.ts';

/** They never leave by a request, so `plain_http` is not for them. */
const shared = { risk: commonShape.risk, ...sourceShape };

/**
 * SECURITY: variables that make a program load, run or believe something else. A credential in one of them would be no
 * credential but a way in.
 */
const NOT_SET =
  /^(?:LD_|DYLD_|GIT_(?:SSH|EXEC|CONFIG|PROXY|TEMPLATE|EXTERNAL)|BASH_|PYTHON|NODE_|PERL|RUBY|JAVA_|SSL_|CURL_CA|REQUESTS_CA|AWS_CA_BUNDLE$)|_PROXY$|^(?:PATH|HOME|SHELL|ENV|IFS|PAGER|EDITOR|VISUAL|TMPDIR|CURL_HOME|GH_(?:BROWSER|EDITOR|PAGER|PATH|HOST)|KUBE_EDITOR|TF_(?:CLI|PLUGIN|LOG)\w*|AWS_(?:PAGER|ENDPOINT_URL\w*|CONFIG_FILE)|CLOUDSDK_(?:API|PYTHON)\w*)$/i;

const variableSchema = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,127}$|^TF_VAR_[A-Za-z0-9_]{1,100}$/, 'a variable is named like `LINEAR_API_KEY`')
  .refine((name) => !NOT_SET.test(name), {
    error: 'this variable makes programs run or trust something else, and holds no credential',
  });

const commandsShape = {
  commands: z
    .array(z.enum(COMMAND_NAMES))
    .min(1)
    .describe('the only commands of the SSH door that it is lent to'),
};

const SshKeySchema = z
  .strictObject({
    kind: z.literal('ssh_key').describe('a private key for git over SSH'),
    user: z
      .string()
      .regex(/^[a-z_][a-z0-9_-]{0,31}$/, 'a user name like `git`')
      .default('git')
      .describe('user at the host'),
    known_hosts: z
      .array(
        z
          .string()
          .regex(
            /^(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) [A-Za-z0-9+/]{40,4000}={0,2}$/,
            'a key of a host is written like `ssh-ed25519 AAAA…`',
          ),
      )
      .min(1)
      .max(20)
      .describe(
        'public keys of its hosts, as `ssh-keyscan` prints them behind the name; another one is refused',
      ),
    ...demandedHostsShape,
    ...shared,
  })
  .describe(
    'a key that git fetches and pushes with; the source holds it in the format of OpenSSH or PEM, without a passphrase',
  );

const EnvSchema = z
  .strictObject({
    kind: z.literal('env').describe('a variable of one command'),
    variable: variableSchema.describe('variable that holds the value, for example `TF_VAR_db_password`'),
    ...commandsShape,
    ...shared,
  })
  .describe('one line that a command finds in its environment, and nobody else');

const FileSchema = z
  .strictObject({
    kind: z.literal('file').describe('a file of one command'),
    variable: variableSchema.describe('variable that says where the file is, for example `KUBECONFIG`'),
    ...commandsShape,
    ...shared,
  })
  .describe(
    'a file that a command finds by a variable, 0600, in a folder that is overwritten and removed behind it',
  );

/** Kinds that no request can carry: for commands of the SSH door alone. */
export const commandCredentialSchemas = [SshKeySchema, EnvSchema, FileSchema] as const;
