/** Operations of AWS services whose requests are methods and paths, by signing name. */
export const AWS_REST_OPERATIONS: Readonly<Record<string, string>> = {
  apigateway: `
/
  GET    /restapis GetRestApis
  POST   /restapis CreateRestApi critical
  GET    /restapis/{api} GetRestApi
  PATCH  /restapis/{api} UpdateRestApi critical
  DELETE /restapis/{api} DeleteRestApi critical
  GET    /restapis/{api}/resources GetResources
  GET    /restapis/{api}/stages GetStages
  GET    /restapis/{api}/stages/{stage} GetStage
  PATCH  /restapis/{api}/stages/{stage} UpdateStage deploy:production
  DELETE /restapis/{api}/stages/{stage} DeleteStage deploy:production
  GET    /restapis/{api}/deployments GetDeployments
  POST   /restapis/{api}/deployments CreateDeployment deploy:production
  GET    /v2/apis GetApis
  POST   /v2/apis CreateApi critical
  GET    /v2/apis/{api} GetApi
  DELETE /v2/apis/{api} DeleteApi critical
  GET    /v2/apis/{api}/routes GetRoutes
  POST   /v2/apis/{api}/deployments CreateDeployment deploy:production
  GET    /v2/apis/{api}/stages GetStages`,
  batch: `
/v1
  POST   /describejobs DescribeJobs read
  POST   /describejobqueues DescribeJobQueues read
  POST   /describejobdefinitions DescribeJobDefinitions read
  POST   /describecomputeenvironments DescribeComputeEnvironments read
  POST   /listjobs ListJobs read
  POST   /submitjob SubmitJob
  POST   /canceljob CancelJob
  POST   /terminatejob TerminateJob
  POST   /registerjobdefinition RegisterJobDefinition
  POST   /createjobqueue CreateJobQueue deploy:production
  POST   /updatejobqueue UpdateJobQueue deploy:production
  POST   /deletejobqueue DeleteJobQueue deploy:production
  POST   /createcomputeenvironment CreateComputeEnvironment deploy:production
  POST   /deletecomputeenvironment DeleteComputeEnvironment deploy:production`,
  cloudfront: `
/2020-05-31
  GET    /distribution ListDistributions
  POST   /distribution CreateDistribution deploy:production
  GET    /distribution/{id} GetDistribution
  DELETE /distribution/{id} DeleteDistribution deploy:production
  GET    /distribution/{id}/config GetDistributionConfig
  PUT    /distribution/{id}/config UpdateDistribution deploy:production
  GET    /distribution/{id}/invalidation ListInvalidations
  POST   /distribution/{id}/invalidation CreateInvalidation
  GET    /distribution/{id}/invalidation/{invalidation} GetInvalidation
  GET    /function ListFunctions
  POST   /function CreateFunction
  PUT    /function/{name} UpdateFunction
  POST   /function/{name}/publish PublishFunction deploy:production`,
  eks: `
/clusters
  GET    ListClusters
  POST   CreateCluster deploy:production
  GET    /{name} DescribeCluster
  DELETE /{name} DeleteCluster critical
  POST   /{name}/update-config UpdateClusterConfig critical
  POST   /{name}/updates UpdateClusterVersion deploy:production
  GET    /{name}/updates ListUpdates
  GET    /{name}/updates/{update} DescribeUpdate
  GET    /{name}/node-groups ListNodegroups
  POST   /{name}/node-groups CreateNodegroup deploy:production
  GET    /{name}/node-groups/{nodegroup} DescribeNodegroup
  DELETE /{name}/node-groups/{nodegroup} DeleteNodegroup deploy:production
  POST   /{name}/node-groups/{nodegroup}/update-config UpdateNodegroupConfig deploy:production
  GET    /{name}/addons ListAddons
  POST   /{name}/addons CreateAddon deploy:production
  GET    /{name}/addons/{addon} DescribeAddon
  DELETE /{name}/addons/{addon} DeleteAddon deploy:production
  GET    /{name}/access-entries ListAccessEntries
  POST   /{name}/access-entries CreateAccessEntry critical
  DELETE /{name}/access-entries/{principal} DeleteAccessEntry critical
  POST   /{name}/access-entries/{principal}/access-policies AssociateAccessPolicy critical
  GET    /{name}/fargate-profiles ListFargateProfiles
  GET    /{name}/fargate-profiles/{profile} DescribeFargateProfile`,
  lambda: `
/
  GET    /2015-03-31/functions ListFunctions
  POST   /2015-03-31/functions CreateFunction deploy:production
  GET    /2015-03-31/functions/{name} GetFunction
  DELETE /2015-03-31/functions/{name} DeleteFunction deploy:production
  GET    /2015-03-31/functions/{name}/configuration GetFunctionConfiguration
  PUT    /2015-03-31/functions/{name}/configuration UpdateFunctionConfiguration deploy:production
  PUT    /2015-03-31/functions/{name}/code UpdateFunctionCode deploy:production
  POST   /2015-03-31/functions/{name}/invocations Invoke
  POST   /2014-11-13/functions/{name}/invoke-async InvokeAsync
  POST   /2021-11-15/functions/{name}/response-streaming-invocations InvokeWithResponseStream
  GET    /2015-03-31/functions/{name}/policy GetPolicy
  POST   /2015-03-31/functions/{name}/policy AddPermission critical
  DELETE /2015-03-31/functions/{name}/policy/{statement} RemovePermission critical
  GET    /2015-03-31/functions/{name}/versions ListVersionsByFunction
  POST   /2015-03-31/functions/{name}/versions PublishVersion deploy:production
  GET    /2015-03-31/functions/{name}/aliases ListAliases
  POST   /2015-03-31/functions/{name}/aliases CreateAlias deploy:production
  GET    /2015-03-31/functions/{name}/aliases/{alias} GetAlias
  PUT    /2015-03-31/functions/{name}/aliases/{alias} UpdateAlias deploy:production
  DELETE /2015-03-31/functions/{name}/aliases/{alias} DeleteAlias deploy:production
  PUT    /2017-10-31/functions/{name}/concurrency PutFunctionConcurrency deploy:production
  DELETE /2017-10-31/functions/{name}/concurrency DeleteFunctionConcurrency deploy:production
  GET    /2019-09-30/functions/{name}/concurrency GetFunctionConcurrency
  GET    /2021-10-31/functions/{name}/url GetFunctionUrlConfig
  POST   /2021-10-31/functions/{name}/url CreateFunctionUrlConfig critical
  PUT    /2021-10-31/functions/{name}/url UpdateFunctionUrlConfig critical
  DELETE /2021-10-31/functions/{name}/url DeleteFunctionUrlConfig critical
  GET    /2015-03-31/event-source-mappings ListEventSourceMappings
  POST   /2015-03-31/event-source-mappings CreateEventSourceMapping deploy:production
  GET    /2015-03-31/event-source-mappings/{id} GetEventSourceMapping
  PUT    /2015-03-31/event-source-mappings/{id} UpdateEventSourceMapping deploy:production
  DELETE /2015-03-31/event-source-mappings/{id} DeleteEventSourceMapping deploy:production
  GET    /2018-10-31/layers ListLayers
  GET    /2018-10-31/layers/{name}/versions ListLayerVersions
  POST   /2018-10-31/layers/{name}/versions PublishLayerVersion
  GET    /2018-10-31/layers/{name}/versions/{version} GetLayerVersion
  GET    /2016-08-19/account-settings GetAccountSettings
  GET    /2017-03-31/tags/{arn} ListTags
  POST   /2017-03-31/tags/{arn} TagResource
  DELETE /2017-03-31/tags/{arn} UntagResource`,
  route53: `
/2013-04-01
  GET    /hostedzone ListHostedZones
  POST   /hostedzone CreateHostedZone critical
  GET    /hostedzone/{id} GetHostedZone
  DELETE /hostedzone/{id} DeleteHostedZone critical
  GET    /hostedzonesbyname ListHostedZonesByName
  GET    /hostedzonecount GetHostedZoneCount
  GET    /hostedzone/{id}/rrset ListResourceRecordSets
  POST   /hostedzone/{id}/rrset ChangeResourceRecordSets critical
  POST   /hostedzone/{id}/associatevpc AssociateVPCWithHostedZone critical
  GET    /change/{id} GetChange
  GET    /healthcheck ListHealthChecks
  POST   /healthcheck CreateHealthCheck
  DELETE /healthcheck/{id} DeleteHealthCheck critical`,
  ses: `
/v2/email
  POST   /outbound-emails SendEmail comms:external
  POST   /outbound-bulk-emails SendBulkEmail comms:external
  POST   /outbound-custom-verification-emails SendCustomVerificationEmail comms:external
  GET    /account GetAccount
  GET    /identities ListEmailIdentities
  GET    /identities/{identity} GetEmailIdentity
  POST   /identities CreateEmailIdentity critical
  DELETE /identities/{identity} DeleteEmailIdentity critical
  GET    /templates ListEmailTemplates
  GET    /templates/{name} GetEmailTemplate
  POST   /templates CreateEmailTemplate
  PUT    /templates/{name} UpdateEmailTemplate
  GET    /suppression/addresses ListSuppressedDestinations`,
};

/**
 * S3, where the operation is in the method, in whether a bucket or an object is meant, and in one word of the query:
 * the paths below are written that way.
 */
export const S3_OPERATIONS = `
/
  GET    / ListBuckets
  GET    /bucket ListObjects
  GET    /bucket?list-type ListObjectsV2
  GET    /bucket?accelerate GetBucketAccelerateConfiguration
  GET    /bucket?acl GetBucketAcl
  GET    /bucket?analytics GetBucketAnalyticsConfiguration
  GET    /bucket?cors GetBucketCors
  GET    /bucket?encryption GetBucketEncryption
  GET    /bucket?intelligent-tiering GetBucketIntelligentTieringConfiguration
  GET    /bucket?inventory GetBucketInventoryConfiguration
  GET    /bucket?lifecycle GetBucketLifecycleConfiguration
  GET    /bucket?location GetBucketLocation
  GET    /bucket?logging GetBucketLogging
  GET    /bucket?metrics GetBucketMetricsConfiguration
  GET    /bucket?notification GetBucketNotificationConfiguration
  GET    /bucket?object-lock GetObjectLockConfiguration
  GET    /bucket?ownershipControls GetBucketOwnershipControls
  GET    /bucket?policy GetBucketPolicy
  GET    /bucket?policyStatus GetBucketPolicyStatus
  GET    /bucket?publicAccessBlock GetPublicAccessBlock
  GET    /bucket?replication GetBucketReplication
  GET    /bucket?requestPayment GetBucketRequestPayment
  GET    /bucket?tagging GetBucketTagging
  GET    /bucket?uploads ListMultipartUploads
  GET    /bucket?versioning GetBucketVersioning
  GET    /bucket?versions ListObjectVersions
  GET    /bucket?website GetBucketWebsite
  PUT    /bucket CreateBucket
  PUT    /bucket?accelerate PutBucketAccelerateConfiguration
  PUT    /bucket?acl PutBucketAcl critical
  PUT    /bucket?analytics PutBucketAnalyticsConfiguration
  PUT    /bucket?cors PutBucketCors critical
  PUT    /bucket?encryption PutBucketEncryption critical
  PUT    /bucket?intelligent-tiering PutBucketIntelligentTieringConfiguration
  PUT    /bucket?inventory PutBucketInventoryConfiguration critical
  PUT    /bucket?lifecycle PutBucketLifecycleConfiguration critical
  PUT    /bucket?logging PutBucketLogging critical
  PUT    /bucket?metrics PutBucketMetricsConfiguration
  PUT    /bucket?notification PutBucketNotificationConfiguration critical
  PUT    /bucket?object-lock PutObjectLockConfiguration critical
  PUT    /bucket?ownershipControls PutBucketOwnershipControls critical
  PUT    /bucket?policy PutBucketPolicy critical
  PUT    /bucket?publicAccessBlock PutPublicAccessBlock critical
  PUT    /bucket?replication PutBucketReplication critical
  PUT    /bucket?requestPayment PutBucketRequestPayment critical
  PUT    /bucket?tagging PutBucketTagging
  PUT    /bucket?versioning PutBucketVersioning critical
  PUT    /bucket?website PutBucketWebsite critical
  POST   /bucket PostObject
  POST   /bucket?delete DeleteObjects
  DELETE /bucket DeleteBucket critical
  DELETE /bucket?cors DeleteBucketCors critical
  DELETE /bucket?encryption DeleteBucketEncryption critical
  DELETE /bucket?lifecycle DeleteBucketLifecycle critical
  DELETE /bucket?ownershipControls DeleteBucketOwnershipControls critical
  DELETE /bucket?policy DeleteBucketPolicy critical
  DELETE /bucket?publicAccessBlock DeletePublicAccessBlock critical
  DELETE /bucket?replication DeleteBucketReplication critical
  DELETE /bucket?tagging DeleteBucketTagging
  DELETE /bucket?website DeleteBucketWebsite critical
  GET    /bucket?session CreateSession secret
  GET    /object GetObject
  GET    /object?acl GetObjectAcl
  GET    /object?attributes GetObjectAttributes
  GET    /object?legal-hold GetObjectLegalHold
  GET    /object?retention GetObjectRetention
  GET    /object?tagging GetObjectTagging
  GET    /object?torrent GetObjectTorrent
  GET    /object?uploadId ListParts
  PUT    /object PutObject
  PUT    /object?acl PutObjectAcl critical
  PUT    /object?legal-hold PutObjectLegalHold critical
  PUT    /object?retention PutObjectRetention critical
  PUT    /object?tagging PutObjectTagging
  PUT    /object?uploadId UploadPart
  POST   /object?restore RestoreObject
  POST   /object?select SelectObjectContent read
  POST   /object?uploadId CompleteMultipartUpload
  POST   /object?uploads CreateMultipartUpload
  DELETE /object DeleteObject
  DELETE /object?tagging DeleteObjectTagging
  DELETE /object?uploadId AbortMultipartUpload
`;
