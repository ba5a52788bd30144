import type { Operation, OperationRow } from '../operation-table.ts';
import { AWS_REST_OPERATIONS } from '../operations/aws-rest.ts';
import { GCP_OPERATIONS } from '../operations/gcp.ts';
import { awsOperations, awsRestOperations } from './aws.ts';
import { s3Operations } from './aws-s3.ts';
import { datadogOperations } from './datadog.ts';
import { gcpGrpcOperations, gcpOperations } from './gcp.ts';
import { githubOperations } from './github.ts';
import { githubMutations } from './github-graphql.ts';
import { gitlabMutations, gitlabOperations } from './gitlab.ts';
import { kubernetesResources } from './kubernetes.ts';
import { linearMutations } from './linear.ts';
import { slackOperations } from './slack.ts';

/** One operation that a provider's table knows, and the request that it is told by, where its name does not say. */
export interface PublishedOperation extends Operation {
  readonly request: string;
}

const byRequest = (rows: readonly OperationRow[]): readonly PublishedOperation[] =>
  rows.map((row) => ({ ...row, request: `${row.method} ${row.path}` }));

const byName = (operations: ReadonlyMap<string, Operation>): readonly PublishedOperation[] =>
  [...operations.values()].map((operation) => ({ ...operation, request: '' }));

const byMutation = (fields: ReadonlyMap<string, Operation>): readonly PublishedOperation[] =>
  [...fields.values()].map((field) => ({ ...field, name: `mutation ${field.name}`, request: 'GraphQL' }));

/** Everything that the tables of the providers know, for people. */
export const PUBLISHED: Readonly<Record<string, () => readonly PublishedOperation[]>> = {
  AWS: () => [
    ...byName(awsOperations()),
    ...Object.keys(AWS_REST_OPERATIONS).flatMap((service) => byRequest(awsRestOperations(service))),
    ...byRequest(s3Operations()),
  ],
  Datadog: () => byRequest(datadogOperations()),
  GitHub: () => [...byRequest(githubOperations()), ...byMutation(githubMutations())],
  GitLab: () => [...byRequest(gitlabOperations()), ...byMutation(gitlabMutations())],
  'Google Cloud': () => [
    ...Object.keys(GCP_OPERATIONS).flatMap((service) => byRequest(gcpOperations(service))),
    ...byName(gcpGrpcOperations()),
  ],
  Kubernetes: () => byName(kubernetesResources()).map((row) => ({ ...row, name: `change ${row.name}` })),
  Linear: () => byMutation(linearMutations()),
  Slack: () => byName(slackOperations()),
};
