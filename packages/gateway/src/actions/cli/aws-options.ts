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
  ['--profile', 'uses other credentials, which a program may provide'],
  ['--ca-bundle', 'trusts other certificates'],
  ['--no-verify-ssl', 'trusts any certificate'],
  ['--cli-auto-prompt', 'lets someone type another command'],
  ['--cli-input-json', 'takes parameters from elsewhere'],
  ['--cli-input-yaml', 'takes parameters from elsewhere'],
]);

/** Operations that stream their answer into a file named by the one positional argument. */
export const AWS_OUTFILE_OPERATIONS: ReadonlySet<string> = new Set(
  `
  apigateway:get-export apigateway:get-sdk apigatewayv2:export-api appconfig:get-configuration
  appconfig:get-hosted-configuration-version appconfigdata:get-latest-configuration
  appsync:get-introspection-schema cloudfront:get-connection-function cloudfront:get-function
  codeartifact:get-package-version-asset codeguruprofiler:get-profile datazone:get-lineage-event
  ebs:get-snapshot-block geo-maps:get-glyphs geo-maps:get-sprites geo-maps:get-static-map
  geo-maps:get-style-descriptor geo-maps:get-tile glacier:get-job-output iot-data:get-thing-shadow
  iotwireless:get-position-estimate iotwireless:get-resource-position kinesis-video-archived-media:get-clip
  kinesis-video-archived-media:get-media-for-fragment-list kinesis-video-media:get-media
  lakeformation:get-work-unit-results location:get-map-glyphs location:get-map-sprites
  location:get-map-style-descriptor location:get-map-tile medialive:describe-input-device-thumbnail
  mediastore-data:get-object medical-imaging:get-image-frame medical-imaging:get-image-set-metadata
  omics:get-read-set omics:get-reference s3api:get-object s3api:get-object-torrent sagemaker-geospatial:get-tile
  schemas:get-code-binding-source tnb:get-sol-function-package-content tnb:get-sol-function-package-descriptor
  tnb:get-sol-network-package-content tnb:get-sol-network-package-descriptor
  workmailmessageflow:get-raw-message-content
  `
    .trim()
    .split(/\s+/),
);

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
