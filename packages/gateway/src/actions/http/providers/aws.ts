import type { ActionType } from '@sallyport/protocol';
import { type Finding, read, secret, unknown, write } from '../finding.ts';
import type { RequestView } from '../request-view.ts';
import { rpcAction, serviceOfHost, signedServices } from './aws-operation.ts';
import {
  CRITICAL_SERVICES,
  DEPLOY_ACTIONS,
  HARMLESS_ACTIONS,
  REST_SERVICES,
  SECRET_ACTIONS,
} from './aws-services.ts';
import { classifyOci } from './oci.ts';

const READ = /^(?:List|Describe|Get|Head|BatchGet)[A-Z]/;
// Gets that answer with what they name; lists and descriptions only answer with names.
const SECRET_GET =
  /^(?:BatchGet|Get|AssumeRole|Assume|Admin)\w*(?:Secret|Password|Credential|Token|AccessKey|PrivateKey|EmbedUrl)|^Assume/;
const DATABASES = new Set([
  'rds',
  'redshift',
  'elasticache',
  'memorydb',
  'dax',
  'keyspaces',
  'redshift-serverless',
]);

/**
 * AWS: by signed service and operation. The service that the host serves and the one that the signature names
 * have to agree; what is signed for one and sent to another is not known.
 */
export function classifyAws(view: RequestView): Finding | undefined {
  const { host } = view;
  if (/\.dkr\.ecr(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/.test(host)) return classifyOci(view);
  // Somebody's own API behind AWS's gateway is no API of AWS.
  if (/\.execute-api\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/.test(host)) return undefined;
  const named = [...signedServices(view), ...(isAws(host) ? [serviceOfHost(host)] : [])];
  const [service] = named;
  if (service === undefined || named.some((other) => other !== service)) return unknown('AWS service');
  if (service === 's3' || service === 's3express') return classifyS3(view);
  if (REST_SERVICES.has(service)) return classifyRest(view, service);
  const action = rpcAction(view, service);
  return action === undefined ? unknown(`${service} operation`) : classifyAction(view, service, action);
}

const isAws = (host: string): boolean => /\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(host);

function classifyAction(view: RequestView, service: string, action: string): Finding {
  const operation = `${service}:${action}`;
  if (SECRET_ACTIONS.has(action) || (SECRET_GET.test(action) && !HARMLESS_ACTIONS.has(action))) {
    return secret(operation);
  }
  if (service === 'ssm' && /^GetParameter(?:s|sByPath|History)?$/.test(action)) {
    // Only a body that is all here and asks for no decryption is the read of a plain value.
    const decryption = view.wholeJson();
    if (decryption === undefined || (decryption.WithDecryption ?? false) !== false) return secret(operation);
  }
  const reads = READ.test(action) || (service === 'dynamodb' && (action === 'Query' || action === 'Scan'));
  if (service === 'dynamodb') {
    if (reads) return read(operation, 'db:query');
    const admin = /Table|Backup|Export|Import|Policy/.test(action);
    return write(operation, admin ? 'db:admin' : 'db:mutate');
  }
  if (reads) return read(operation);
  return write(operation, writeType(service, operation, action), { risk: writeRisk(service) });
}

function writeType(service: string, operation: string, action: string): ActionType {
  if (DEPLOY_ACTIONS.has(operation)) return 'deploy:production';
  if (DATABASES.has(service)) return 'db:admin';
  if (service === 'redshift-data') return 'db:mutate';
  return service === 'sns' && action.startsWith('Publish') ? 'comms:external' : 'custom:http';
}

function writeRisk(service: string): 'critical' | 'high' {
  return CRITICAL_SERVICES.has(service) || DATABASES.has(service) ? 'critical' : 'high';
}

function classifyS3(view: RequestView): Finding {
  // S3 Express sessions and access grants are credentials.
  if (view.hasQuery('session') || /\/accessgrantsinstance\/dataaccess\/?$/.test(view.path)) {
    return secret('s3:CreateSession');
  }
  switch (view.method) {
    case 'GET':
    case 'HEAD':
      return read(`s3:${view.method === 'GET' ? 'Get' : 'Head'}`);
    case 'PUT':
      return write('s3:Put');
    case 'POST':
      return write('s3:Post');
    case 'DELETE':
      return write('s3:Delete');
    case 'OPTIONS':
      return read('s3:Options');
    default:
      return unknown('s3 operation');
  }
}

function classifyRest(view: RequestView, service: string): Finding {
  const { method, path } = view;
  const operation = `${service}:${method} ${path}`;
  if (/credential|token|secret|password|embed-?url|api-?keys|assume-role/i.test(path))
    return secret(operation);
  // `includeValue` makes API Gateway show the keys themselves.
  if (service === 'apigateway' && (view.hasQuery('includeValue') || view.hasQuery('includeValues'))) {
    return secret(operation);
  }
  if (view.isSafe) return read(operation);
  if (service === 'lambda' && /\/code$/.test(path)) return write(operation, 'deploy:production');
  if (service === 'ses') return write(operation, 'comms:external');
  return write(operation, 'custom:http', { risk: writeRisk(service) });
}
