import type { OptionRows } from './argv-parser.ts';

/** Options that the AWS CLI takes anywhere. */
export const AWS_GLOBAL_ROWS: OptionRows = {
  none: `--debug --no-verify-ssl --no-paginate --version --no-sign-request --no-cli-pager --cli-auto-prompt
    --no-cli-auto-prompt`,
  value: `--endpoint-url --output --query --profile --region --color --ca-bundle --cli-read-timeout
    --cli-connect-timeout --cli-binary-format --cli-error-format`,
};

/** Options that make any call unknown, with the reason. Matched by prefix, as argparse does. */
export const AWS_DANGEROUS: ReadonlyMap<string, string> = new Map([
  ['--endpoint-url', 'sends the signed request to another address'],
  ['--ca-bundle', 'trusts other certificates'],
  ['--no-verify-ssl', 'trusts any certificate'],
  ['--cli-auto-prompt', 'lets someone type another command'],
  ['--cli-input-json', 'takes parameters from elsewhere'],
  ['--cli-input-yaml', 'takes parameters from elsewhere'],
]);

/** Services whose host is `service.region.amazonaws.com`. */
export const AWS_PLAIN_HOSTS: ReadonlySet<string> = new Set(
  `athena autoscaling cloudformation cloudtrail dynamodb ec2 ecs eks elasticache events glue kinesis kms lambda logs
  rds redshift secretsmanager sns sqs ssm`.split(/\s+/),
);

export const AWS_DEPLOYS: ReadonlySet<string> = new Set(
  `cloudformation:deploy cloudformation:create-stack cloudformation:update-stack cloudformation:delete-stack
  cloudformation:execute-change-set deploy:create-deployment deploy:push ecs:update-service ecs:deploy
  ecs:create-service ecs:delete-service ecs:run-task lambda:update-function-code lambda:create-function
  lambda:update-alias lambda:publish-version elasticbeanstalk:update-environment apprunner:start-deployment
  amplify:start-deployment amplify:start-job eks:update-cluster-version`.split(/\s+/),
);
