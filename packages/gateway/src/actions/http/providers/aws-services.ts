// AWS services by signing name and protocol, kept by hand after the service models of the AWS SDKs. A service that
// is in neither list is not known, and everything it is asked is a write.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** JSON, query and CBOR protocols: the operation is named in a header, the form or the path. */
export const RPC_SERVICES = words(`
  acm acm-pca application-autoscaling appstream
  arc-zonal athena autoscaling autoscaling-plans budgets ce cloud9 cloudcontrolapi cloudformation cloudhsm
  cloudsearch cloudtrail codebuild codecommit codeconnections codedeploy codepipeline codestar codestar-connections
  cognito-identity cognito-idp comprehend comprehendmedical compute-optimizer config
  cost-optimization-hub cur datapipeline datasync dax devicefarm directconnect discovery dms ds dynamodb ec2
  ecr ecr-public ecs elasticache elasticbeanstalk elasticloadbalancing elasticmapreduce events firehose
  forecast frauddetector fsx gamelift globalaccelerator glue health healthlake iam identitystore
  inspector iotfleetwise iotsecuretunneling kendra keyspaces kinesis kinesisanalytics
  kms lightsail logs lookoutequipment machinelearning mediastore memorydb mgh monitoring
  mturk-requester network-firewall opensearchserverless organizations payment-cryptography personalize pi pricing
  proton rds redshift redshift-data redshift-serverless rekognition route53domains route53resolver sagemaker sdb
  secretsmanager servicecatalog servicediscovery servicequotas shield sms snowball sns sqs ssm
  states storagegateway sts support swf tagging textract timestream transcribe
  transfer translate verifiedpermissions voiceid waf waf-regional wafv2 workmail workspaces
`);

/** REST protocols: the operation is in method and path, and GET and HEAD are its gets and lists. */
export const REST_SERVICES = words(`
  access-analyzer account amplify apigateway appconfig appflow appmesh appsync artifact
  auditmanager backup batch bedrock chime cleanrooms cloudfront codeartifact codeguru-profiler codeguru-reviewer
  databrew dataexchange datazone detective devops-guru docdb-elastic drs ebs eks elasticfilesystem elastictranscoder
  emr-containers emr-serverless es evidently finspace fis geo glacier grafana greengrass groundstation guardduty
  imagebuilder inspector2 internetmonitor iot iotanalytics iotevents iotsitewise iotwireless ivs kafka kafkaconnect
  kinesisvideo lakeformation lambda launchwizard lex license-manager-user-subscriptions m2 macie2 managedblockchain
  mediaconnect mediaconvert medialive mediapackage mediatailor mgn migrationhub-strategy mobiletargeting mq
  networkmanager oam omics osis outposts pca-connector-ad pipes polly profile qbusiness qldb quicksight ram rbin
  refactor-spaces resiliencehub resource-explorer-2 resource-groups robomaker rolesanywhere route53
  route53-recovery-control-config rum s3 s3-outposts s3express s3tables savingsplans scheduler schemas securityhub
  securitylake serverlessrepo ses signer simspaceweaver ssm-contacts ssm-incidents ssm-sap support-app synthetics
  tnb vpc-lattice wellarchitected wisdom workdocs workspaces-web xray
`);

/** First labels of a host that differ from the signing name. */
export const SERVICE_ALIASES: Readonly<Record<string, string>> = {
  'api.ecr': 'ecr',
  'api.ecr-public': 'ecr-public',
  'bedrock-runtime': 'bedrock',
  'data.iot': 'iot',
  email: 'ses',
  'email-smtp': 'ses',
  's3-accelerate': 's3',
  's3-control': 's3',
  's3-fips': 's3',
  's3-object-lambda': 's3',
  streams: 'dynamodb',
  'ec2-fips': 'ec2',
  'sts-fips': 'sts',
};

/** Operations whose answers only name secrets, or whose names only look like it. */
export const HARMLESS_ACTIONS = words(`
  GetAccessKeyLastUsed GetAccountPasswordPolicy GetRandomPassword GetAccessKeyInfo
`);

/** Operations that hand out a credential or plain text without saying so in their name. */
export const SECRET_ACTIONS = words(`
  Decrypt ReEncrypt GenerateDataKey GenerateDataKeyPair GenerateDataKeyWithoutPlaintext GenerateRandom
  CreateAccessKey CreateLoginProfile CreateServiceSpecificCredential CreateToken CreateTokenWithIAM
  DownloadDefaultKeyPair GetInstanceAccessDetails GetInstanceAccess CreateSession
  GetDataAccess StartSession ExportCertificate
  CreateKeyPair ImportKeyPair DescribeUserPoolClient DescribeIdentityProvider GetConnection GetConnections InitiateAuth AdminInitiateAuth RespondToAuthChallenge GetId GetOpenIdToken
`);
