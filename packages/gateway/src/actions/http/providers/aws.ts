import { pathTemplate } from '../../../shared/path-template.ts';
import { type Finding, read, secret, unknown, unlisted } from '../finding.ts';
import {
  compileOperations,
  foundAs,
  type Operation,
  type OperationLookup,
  type OperationRow,
  once,
  readNames,
  readRows,
} from '../operation-table.ts';
import { AWS_OPERATIONS } from '../operations/aws.ts';
import { AWS_REST_OPERATIONS } from '../operations/aws-rest.ts';
import type { RequestView } from '../request-view.ts';
import { withStatement } from '../statement-object.ts';
import { regionOf, rpcAction, serviceOfHost, signedServices } from './aws-operation.ts';
import { classifyS3 } from './aws-s3.ts';
import { HARMLESS_ACTIONS, REST_SERVICES, SECRET_ACTIONS } from './aws-services.ts';
import { classifyOci } from './packages.ts';
import { withRecipients } from './recipients.ts';

/** Operations of the services that name them, by `service:Action`. */
export const awsOperations = once(
  (): ReadonlyMap<string, Operation> =>
    new Map(
      Object.entries(AWS_OPERATIONS).flatMap(([service, text]) =>
        [...readNames(text).values()].map((operation) => {
          const name = `${service}:${operation.name}`;
          return [name, { ...operation, name }] as const;
        }),
      ),
    ),
);

/** Rows of a service whose requests are methods and paths. */
export const awsRestOperations = (service: string): readonly OperationRow[] =>
  readRows(AWS_REST_OPERATIONS[service] ?? '').map((row) => ({ ...row, name: `${service}:${row.name}` }));

const restOperations: ReadonlyMap<string, OperationLookup> = new Map(
  Object.keys(AWS_REST_OPERATIONS).map((service) => [
    service,
    compileOperations(() => awsRestOperations(service)),
  ]),
);

const READ = /^(?:List|Describe|Get|Head|BatchGet)[A-Z]/;
// Gets that answer with what they name; lists and descriptions only answer with names.
const SECRET_GET =
  /^(?:BatchGet|Get|AssumeRole|Assume|Admin)\w*(?:Secret|Password|Credential|Token|AccessKey|PrivateKey|EmbedUrl)|^Assume/;

/**
 * AWS: by signed service and operation. The service that the host serves and the one that the signature names
 * have to agree; what is signed for one and sent to another is not known.
 */
export function classifyAws(view: RequestView): Finding | undefined {
  const { host } = view;
  if (/\.dkr\.ecr(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/.test(host)) return classifyOci(view);
  // Somebody's own API behind AWS's gateway is no API of AWS.
  if (/\.execute-api\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/.test(host)) return undefined;
  const services = [...signedServices(view), ...(isAws(host) ? [serviceOfHost(host)] : [])];
  const [service] = services;
  if (service === undefined || services.some((other) => other !== service)) return unknown('AWS service');
  if (service === 's3' || service === 's3express') return classifyS3(view);
  const object = objectOf(view, service);
  if (REST_SERVICES.has(service)) return classifyRest(view, service, object);
  const action = rpcAction(view, service);
  return action === undefined
    ? unknown(`${service} operation`, 'custom:http', { object })
    : classifyAction(view, service, action, object);
}

const isAws = (host: string): boolean => /\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(host);

/** Account and region, as far as the request says: a credential belongs to one account. */
function objectOf(view: RequestView, service: string): string {
  const region = regionOf(view);
  const { segments } = view;
  const [first = '', second = ''] = segments;
  if (service === 'sqs' && /^\d{12}$/.test(first)) return `${region} ${first}/${second}`;
  const at = service === 'lambda' ? segments.indexOf('functions') : -1;
  const name = at === -1 ? undefined : segments[at + 1];
  return name === undefined || name === '' ? region : `${region} ${name}`;
}

function classifyAction(view: RequestView, service: string, action: string, object: string): Finding {
  const operation = `${service}:${action}`;
  const row = awsOperations().get(operation);
  if (row?.isStatement === true && !view.head.bodyComplete) return unknown(operation, row.type, { object });
  if (row?.isStatement === true) return foundAs(row, withStatement(view, object));
  if (row !== undefined) return foundAs(row, withRecipients(view, row, object));
  if (SECRET_ACTIONS.has(action) || (SECRET_GET.test(action) && !HARMLESS_ACTIONS.has(action))) {
    return { ...secret(operation), object };
  }
  if (service === 'ssm' && /^GetParameter(?:s|sByPath|History)?$/.test(action)) {
    // Only a body that is all here and asks for no decryption is the read of a plain value.
    const decryption = view.wholeJson();
    if (decryption === undefined || (decryption.WithDecryption ?? false) !== false)
      return { ...secret(operation), object };
  }
  return READ.test(action)
    ? read(operation, 'custom:http', { object })
    : unknown(operation, 'custom:http', { object });
}

function classifyRest(view: RequestView, service: string, object: string): Finding {
  const { method, path } = view;
  const operation = `${service}:${method} ${pathTemplate(path)}`;
  // `includeValue` makes API Gateway show the keys themselves.
  if (service === 'apigateway' && (view.hasQuery('includeValue') || view.hasQuery('includeValues'))) {
    return { ...secret(operation), object };
  }
  // SECURITY: the older protocol of some of these names its operation in the form, which is not read.
  if (path === '/' && method === 'POST') return unknown(`${service} operation`, 'custom:http', { object });
  const row = restOperations.get(service)?.(method, view.segments);
  if (row !== undefined) return foundAs(row, withRecipients(view, row, object));
  if (/credential|token|secret|password|embed-?url|api-?keys|assume-role/i.test(path))
    return { ...secret(operation), object };
  if (view.isSafe) return read(operation, 'custom:http', { object });
  return unlisted(view, service === 'ses' ? 'comms:external' : 'custom:http', { object });
}
