import { friendly, type HttpCase, hostile } from './case.ts';

const READ = 'read custom:http low';
const SECRET = 'write custom:http critical';
const WRITE = 'write custom:http high';
const K8S = 'https://k8s.corp.example:6443';
const POD = `${K8S}/api/v1/namespaces/web/pods/a`;

export const CLOUD_CASES: readonly HttpCase[] = [
  // Google Cloud
  friendly('instances', 'GET https://compute.googleapis.com/compute/v1/projects/p/zones/z/instances', READ),
  friendly(
    'an object with an encoded name',
    'GET https://storage.googleapis.com/storage/v1/b/b/o/a%2Fb:c?alt=media',
    READ,
  ),
  friendly(
    'a policy, asked for by POST',
    'POST https://cloudresourcemanager.googleapis.com/v3/projects/p:getIamPolicy',
    READ,
    { body: '{}' },
  ),
  friendly(
    'a query of measurements',
    'POST https://monitoring.googleapis.com/v3/projects/p/timeSeries:query',
    READ,
    { body: '{}' },
  ),
  ...['reasoningEngines/1', 'extensions/1'].map((what) =>
    hostile(
      `[NE-11] what somebody deployed: ${what}`,
      `POST https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/${what}:query`,
      'write custom:http critical',
      { body: '{}' },
    ),
  ),
  friendly('log entries', 'POST https://logging.googleapis.com/v2/entries:list', READ, { body: '{}' }),
  friendly(
    'a look-up of entities',
    'POST https://datastore.googleapis.com/v1/projects/p:lookup',
    'read db:query low',
    { body: '{}' },
  ),
  friendly(
    'a model on Vertex',
    'POST https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/g:generateContent',
    'read custom:inference low',
    { credential: 'gcp:models', body: '{"contents":[]}' },
  ),
  friendly('a gRPC list', 'POST https://pubsub.googleapis.com/google.pubsub.v1.Publisher/ListTopics', READ, {
    body: 'x',
  }),
  friendly(
    'a secret without its value',
    'GET https://secretmanager.googleapis.com/v1/projects/p/secrets/s',
    READ,
  ),
  hostile(
    'the value of a secret by GET',
    'GET https://secretmanager.googleapis.com/v1/projects/p/secrets/s/versions/1:access',
    SECRET,
  ),
  hostile(
    'with its colon encoded',
    'GET https://secretmanager.googleapis.com/v1/projects/p/secrets/s/versions/1%3Aaccess',
    SECRET,
  ),
  hostile(
    'with a letter encoded',
    'GET https://secretmanager.googleapis.com/v1/projects/p/secrets/s/versions/1:acc%65ss',
    SECRET,
  ),
  hostile(
    'by gRPC',
    'POST https://secretmanager.googleapis.com/google.cloud.secretmanager.v1.SecretManagerService/AccessSecretVersion',
    SECRET,
  ),
  hostile(
    'with a trailing slash',
    'GET https://secretmanager.googleapis.com/v1/projects/p/secrets/s/versions/1:access/',
    SECRET,
  ),
  hostile(
    'a token for a service account',
    'POST https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a:generateAccessToken',
    SECRET,
  ),
  hostile(
    'a signature',
    'POST https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a:signBlob',
    SECRET,
  ),
  hostile('a token', 'POST https://oauth2.googleapis.com/token', SECRET),
  hostile(
    'an API key',
    'GET https://apikeys.googleapis.com/v2/projects/p/locations/global/keys/k/keyString',
    SECRET,
  ),
  hostile(
    'a key of a service account',
    'POST https://iam.googleapis.com/v1/projects/p/serviceAccounts/a/keys',
    SECRET,
  ),
  hostile(
    'plain text',
    'POST https://cloudkms.googleapis.com/v1/projects/p/locations/l/keyRings/r/cryptoKeys/k:decrypt',
    SECRET,
  ),
  hostile(
    'a new policy',
    'POST https://cloudresourcemanager.googleapis.com/v3/projects/p:setIamPolicy',
    SECRET,
  ),
  hostile(
    'a verb that is not on the list, as GET',
    'GET https://compute.googleapis.com/v1/x:frobnicate',
    SECRET,
  ),
  hostile('a read verb with another method', 'DELETE https://logging.googleapis.com/v2/entries:list', SECRET),
  hostile(
    'SQL may change rows',
    'POST https://spanner.googleapis.com/v1/projects/p/instances/i/databases/d/sessions/s:executeSql',
    'write db:mutate critical',
  ),
  hostile(
    'so may a query job',
    'POST https://bigquery.googleapis.com/bigquery/v2/projects/p/queries',
    'write db:mutate high',
  ),
  hostile(
    'a new instance',
    'POST https://compute.googleapis.com/compute/v1/projects/p/zones/z/instances',
    WRITE,
  ),
  hostile('a project ends', 'DELETE https://cloudresourcemanager.googleapis.com/v3/projects/p', SECRET),
  hostile(
    'a method override, which Google honours',
    'GET https://compute.googleapis.com/compute/v1/x',
    SECRET,
    { headers: [['X-HTTP-Method-Override', 'DELETE']] },
  ),
  hostile('a gRPC write', 'POST https://pubsub.googleapis.com/google.pubsub.v1.Publisher/Publish', WRITE),
  // Kubernetes
  friendly('pods', `GET ${K8S}/api/v1/namespaces/web/pods`, READ, { operation: 'list pods' }),
  friendly('a watch', `GET ${K8S}/apis/apps/v1/deployments?watch=true`, READ),
  friendly('logs', `GET ${POD}/log?follow=true`, READ, { operation: 'get pods/log' }),
  friendly('the version', `GET ${K8S}/version`, READ),
  friendly('may I', `POST ${K8S}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`, READ, {
    body: '{}',
  }),
  friendly(
    'a workload in a staging namespace',
    `PATCH ${K8S}/apis/apps/v1/namespaces/web-staging/deployments/a`,
    'write deploy:staging high',
    { body: '{}' },
  ),
  hostile(
    'a workload in production',
    `PATCH ${K8S}/apis/apps/v1/namespaces/web/deployments/a`,
    'write deploy:production critical',
    { body: '{}' },
  ),
  hostile('a command in a pod by GET', `GET ${POD}/exec?command=sh`, SECRET),
  hostile('by POST', `POST ${POD}/exec?command=sh`, SECRET),
  hostile('attaching', `GET ${POD}/attach`, SECRET),
  hostile('forwarding a port', `GET ${POD}/portforward`, SECRET),
  hostile('a proxy into a service', `GET ${K8S}/api/v1/namespaces/web/services/a/proxy/admin`, SECRET),
  hostile('a proxy into a node', `GET ${K8S}/api/v1/nodes/n/proxy/run/x`, SECRET),
  hostile('the old proxy path', `GET ${K8S}/api/v1/proxy/namespaces/web/pods/a`, SECRET),
  hostile('secrets of a namespace', `GET ${K8S}/api/v1/namespaces/web/secrets`, SECRET),
  hostile('one secret', `GET ${K8S}/api/v1/namespaces/web/secrets/a`, SECRET),
  hostile('all secrets', `GET ${K8S}/api/v1/secrets`, SECRET),
  hostile('watching secrets, the old way', `GET ${K8S}/api/v1/watch/secrets`, SECRET),
  hostile('a namespace that is called status', `GET ${K8S}/api/v1/namespaces/status/secrets`, SECRET),
  hostile('a token', `POST ${K8S}/api/v1/namespaces/web/serviceaccounts/a/token`, SECRET),
  hostile('a role', `POST ${K8S}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`, SECRET),
  hostile('a path that climbs to secrets', `GET ${K8S}/api/v1/namespaces/web/pods/../secrets`, SECRET),
  hostile('an encoded slash before exec', `GET ${POD}%2fexec`, SECRET),
  hostile('an unknown path', `GET ${K8S}/debug/pprof`, SECRET),
  hostile(
    'the same host on another port is not listed',
    'POST https://k8s.corp.example/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    'write custom:http high',
  ),
  friendly('pods of a namespace', `GET ${K8S}/api/v1/namespaces/web/pods`, READ, {
    operation: 'list pods',
    object: 'k8s.corp.example:6443/web',
  }),
  friendly('nodes', `GET ${K8S}/api/v1/nodes/n/status`, READ, {
    operation: 'get nodes/status',
    object: 'k8s.corp.example:6443',
  }),
  hostile(
    'all pods of a namespace end',
    `DELETE ${K8S}/api/v1/namespaces/web/pods`,
    'write deploy:production critical',
    {
      operation: 'deletecollection pods',
    },
  ),
  hostile('a resource that nobody knows', `POST ${K8S}/apis/x.example/v1/namespaces/web/things`, SECRET, {
    operation: 'unknown: create things.x.example',
  }),
  friendly('a resource that nobody knows is read', `GET ${K8S}/apis/x.example/v1/things`, READ),
  hostile('secrets of another group', `GET ${K8S}/apis/x.example/v1/secrets`, SECRET),
  hostile(
    'a question with a name',
    `POST ${K8S}/apis/authorization.k8s.io/v1/subjectaccessreviews/a`,
    SECRET,
  ),
  hostile('a subresource that nobody knows', `PUT ${K8S}/api/v1/namespaces/web/pods/a/frob`, SECRET),
  // Google Cloud: objects
  friendly('a bucket', 'GET https://storage.googleapis.com/storage/v1/b/logs/o', READ, {
    operation: 'storage.objects.list',
    object: 'gs://logs',
  }),
  hostile(
    'a service of a project',
    'PATCH https://run.googleapis.com/v2/projects/b/locations/l/services/s',
    'write deploy:production critical',
    {
      operation: 'run.projects.locations.services.patch',
      object: 'projects/b',
    },
  ),
  hostile(
    'a verb of a project',
    'POST https://cloudresourcemanager.googleapis.com/v3/projects/b:setIamPolicy',
    SECRET,
    {
      operation: 'cloudresourcemanager.projects.setIamPolicy',
      object: 'projects/b',
    },
  ),
  hostile('what is no version', 'POST https://run.googleapis.com/x/projects/b/locations/l/services', SECRET),
  hostile(
    'a method that nobody publishes',
    'PUT https://run.googleapis.com/v2/projects/b/locations/l/services/s',
    SECRET,
  ),
  hostile(
    'a gRPC method that nobody publishes',
    'POST https://pubsub.googleapis.com/google.pubsub.v1.Publisher/Explode',
    SECRET,
  ),
  // Container registries
  friendly('a manifest', 'GET https://a.images.example/v2/app/manifests/latest', READ),
  friendly('a layer', 'HEAD https://a.images.example/v2/team/app/blobs/sha256:aa', READ),
  friendly('a token for a pull', 'GET https://a.images.example/token?scope=repository:app:pull', READ),
  hostile('a token for a push', 'GET https://a.images.example/token?scope=repository:app:pull,push', WRITE),
  hostile('a push', 'PUT https://a.images.example/v2/app/manifests/latest', WRITE),
  hostile('an upload', 'POST https://a.images.example/v2/app/blobs/uploads/', WRITE),
  hostile('a deletion', 'DELETE https://a.images.example/v2/app/manifests/sha256:aa', WRITE),
  hostile('a path that registries do not have', 'GET https://a.images.example/admin', SECRET),
];
