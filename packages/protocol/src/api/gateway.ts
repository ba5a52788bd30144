import { z } from 'zod';
import { forEachPort } from '../door.ts';
import { TimestampSchema } from './common.ts';

/** Something wrong or doubtful in the config, with its place. */
export const ConfigProblemSchema = z.strictObject({
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  hint: z.string().optional(),
  at: z.string().optional().describe('file:line:column'),
});
export type ConfigProblemWire = z.infer<typeof ConfigProblemSchema>;

/** `GET /v1/config`: what is in force. */
export const ConfigStateSchema = z.strictObject({
  revision: z.string(),
  files: z.array(z.string()),
  loaded_at: TimestampSchema,
  needs_restart: z.array(z.string()).describe('settings that changed and hold from the next start on'),
  problems: z
    .array(z.strictObject({ key: z.string(), message: z.string(), hint: z.string().optional() }))
    .describe(
      'settings in force that cannot be met now: a channel that does not answer, a secret that cannot be read',
    ),
  warnings: z.array(ConfigProblemSchema),
  rejected: z
    .strictObject({ at: TimestampSchema, message: z.string(), problems: z.array(ConfigProblemSchema) })
    .nullable()
    .describe('the last change that was refused; null once a later one is in force'),
});
export type ConfigState = z.infer<typeof ConfigStateSchema>;

/** `POST /v1/config/reload` */
export const ReloadedSchema = z.strictObject({ changed: z.boolean(), config: ConfigStateSchema });

/** `POST /v1/config/compare` */
export const CompareSchema = z.strictObject({
  file: z.string().min(1).max(4_096).describe('absolute path of a config file on the machine of the gateway'),
});
export const ComparedSchema = z.strictObject({
  needs_restart: z
    .array(z.string())
    .describe('keys whose value differs from what the gateway was started with'),
});

/** The ports that are open; a door that is not running is not listed. */
export const PortsSchema = z.strictObject(forEachPort(() => z.int()));
export type Ports = z.infer<typeof PortsSchema>;

/** The same as addresses, as this machine reaches them. */
const ListenerUrlsSchema = z.strictObject(forEachPort(() => z.string()));
export type ListenerUrls = z.infer<typeof ListenerUrlsSchema>;

/** `GET /v1/status` */
export const StatusSchema = z.strictObject({
  version: z.string(),
  pid: z.int(),
  started_at: TimestampSchema,
  uptime_seconds: z.int(),
  home: z.string(),
  ports: PortsSchema,
  urls: ListenerUrlsSchema,
  store: z.strictObject({ engine: z.enum(['sqlite', 'postgres']), location: z.string() }),
  config: ConfigStateSchema,
  refusing_writes: z
    .strictObject({ message: z.string(), hint: z.string().optional() })
    .nullable()
    .describe('why nothing that must be recorded may happen at present; null while all is well'),
  sessions_live: z.int().nullable().describe('null when the store cannot be read'),
  servers_without_jail: z
    .array(z.string())
    .describe('MCP servers that the gateway starts with `sandbox: none`: they can read what it can'),
  trail: z.array(z.strictObject({ tenant: z.string(), seq: z.int(), hash: z.string() })),
});
export type Status = z.infer<typeof StatusSchema>;

/** `POST /v1/stop` */
export const StopSchema = z.strictObject({
  now: z.boolean().default(false).describe('kill switch: every session ends first'),
});

export const StoppingSchema = z.strictObject({ stopping: z.literal(true), sessions_ended: z.int() });

/** `GET /v1/ca`, `POST /v1/ca/rotate`: the local certificate authority. Its key is never part of an answer. */
export const CertificateAuthoritySchema = z.strictObject({
  subject: z.string(),
  fingerprint_sha256: z.string().describe('of the certificate, hex pairs with colons'),
  not_before: TimestampSchema,
  not_after: TimestampSchema,
  state: z.enum(['valid', 'expiring', 'expired']).describe('expiring: 30 days or less are left'),
  certificate: z.string().describe('PEM: what agents must trust'),
});
export type CertificateAuthority = z.infer<typeof CertificateAuthoritySchema>;
