/**
 * Methods of Google Cloud's REST APIs, by the first label of the host, with the names of the discovery documents.
 * `{v}` is a version of the API; a `:verb` at the end of a path is one of Google's custom methods.
 */
export const GCP_OPERATIONS: Readonly<Record<string, string>> = {
  artifactregistry: `
/{v}/projects/{project}/locations/{location}/repositories
  GET    artifactregistry.projects.locations.repositories.list
  POST   artifactregistry.projects.locations.repositories.create
  GET    /{repository} artifactregistry.projects.locations.repositories.get
  PATCH  /{repository} artifactregistry.projects.locations.repositories.patch
  DELETE /{repository} artifactregistry.projects.locations.repositories.delete critical
  GET    /{repository}/dockerImages artifactregistry.projects.locations.repositories.dockerImages.list
  GET    /{repository}/packages artifactregistry.projects.locations.repositories.packages.list
  DELETE /{repository}/packages/{package} artifactregistry.projects.locations.repositories.packages.delete critical
  GET    /{repository}/packages/{package}/tags artifactregistry.projects.locations.repositories.packages.tags.list
  GET    /{repository}/packages/{package}/versions artifactregistry.projects.locations.repositories.packages.versions.list
  POST   /{repository}:setIamPolicy artifactregistry.projects.locations.repositories.setIamPolicy critical`,
  bigquery: `
/bigquery/v2/projects
  GET    bigquery.projects.list
  GET    /{project}/datasets bigquery.datasets.list db:query
  POST   /{project}/datasets bigquery.datasets.insert db:admin
  GET    /{project}/datasets/{dataset} bigquery.datasets.get db:query
  PATCH  /{project}/datasets/{dataset} bigquery.datasets.patch db:admin
  PUT    /{project}/datasets/{dataset} bigquery.datasets.update db:admin
  DELETE /{project}/datasets/{dataset} bigquery.datasets.delete db:admin
  GET    /{project}/datasets/{dataset}/tables bigquery.tables.list db:query
  POST   /{project}/datasets/{dataset}/tables bigquery.tables.insert db:admin
  GET    /{project}/datasets/{dataset}/tables/{table} bigquery.tables.get db:query
  PATCH  /{project}/datasets/{dataset}/tables/{table} bigquery.tables.patch db:admin
  DELETE /{project}/datasets/{dataset}/tables/{table} bigquery.tables.delete db:admin
  GET    /{project}/datasets/{dataset}/tables/{table}/data bigquery.tabledata.list db:query
  POST   /{project}/datasets/{dataset}/tables/{table}/insertAll bigquery.tabledata.insertAll db:mutate
  GET    /{project}/jobs bigquery.jobs.list db:query
  POST   /{project}/jobs bigquery.jobs.insert db:mutate statement
  GET    /{project}/jobs/{job} bigquery.jobs.get db:query
  POST   /{project}/jobs/{job}/cancel bigquery.jobs.cancel
  POST   /{project}/queries bigquery.jobs.query db:mutate statement
  GET    /{project}/queries/{job} bigquery.jobs.getQueryResults db:query`,
  cloudbilling: `
/{v}
  GET    /billingAccounts cloudbilling.billingAccounts.list
  GET    /billingAccounts/{account} cloudbilling.billingAccounts.get
  GET    /projects/{project}/billingInfo cloudbilling.projects.getBillingInfo
  PUT    /projects/{project}/billingInfo cloudbilling.projects.updateBillingInfo critical
  GET    /services cloudbilling.services.list
  GET    /services/{service}/skus cloudbilling.services.skus.list`,
  cloudbuild: `
/{v}/projects/{project}
  GET    /builds cloudbuild.projects.builds.list
  POST   /builds cloudbuild.projects.builds.create critical
  GET    /builds/{build} cloudbuild.projects.builds.get
  POST   /builds/{build}:cancel cloudbuild.projects.builds.cancel
  POST   /builds/{build}:retry cloudbuild.projects.builds.retry critical
  POST   /builds/{build}:approve cloudbuild.projects.builds.approve critical
  GET    /triggers cloudbuild.projects.triggers.list
  POST   /triggers cloudbuild.projects.triggers.create critical
  GET    /triggers/{trigger} cloudbuild.projects.triggers.get
  PATCH  /triggers/{trigger} cloudbuild.projects.triggers.patch critical
  DELETE /triggers/{trigger} cloudbuild.projects.triggers.delete critical
  POST   /triggers/{trigger}:run cloudbuild.projects.triggers.run critical
  GET    /locations/{location}/builds cloudbuild.projects.locations.builds.list
  POST   /locations/{location}/builds cloudbuild.projects.locations.builds.create critical
  GET    /locations/{location}/builds/{build} cloudbuild.projects.locations.builds.get`,
  cloudfunctions: `
/{v}/projects/{project}/locations/{location}/functions
  GET    cloudfunctions.projects.locations.functions.list
  POST   cloudfunctions.projects.locations.functions.create deploy:production
  GET    /{function} cloudfunctions.projects.locations.functions.get
  PATCH  /{function} cloudfunctions.projects.locations.functions.patch deploy:production
  DELETE /{function} cloudfunctions.projects.locations.functions.delete deploy:production
  POST   /{function}:call cloudfunctions.projects.locations.functions.call
  POST   /{function}:setIamPolicy cloudfunctions.projects.locations.functions.setIamPolicy critical`,
  cloudkms: `
/{v}/projects/{project}/locations/{location}/keyRings
  GET    cloudkms.projects.locations.keyRings.list
  POST   cloudkms.projects.locations.keyRings.create critical
  GET    /{ring}/cryptoKeys cloudkms.projects.locations.keyRings.cryptoKeys.list
  POST   /{ring}/cryptoKeys cloudkms.projects.locations.keyRings.cryptoKeys.create critical
  GET    /{ring}/cryptoKeys/{key} cloudkms.projects.locations.keyRings.cryptoKeys.get
  POST   /{ring}/cryptoKeys/{key}:encrypt cloudkms.projects.locations.keyRings.cryptoKeys.encrypt critical
  POST   /{ring}/cryptoKeys/{key}:decrypt cloudkms.projects.locations.keyRings.cryptoKeys.decrypt secret
  POST   /{ring}/cryptoKeys/{key}:setIamPolicy cloudkms.projects.locations.keyRings.cryptoKeys.setIamPolicy critical
  POST   /{ring}/cryptoKeys/{key}/cryptoKeyVersions/{version}:destroy cloudkms.projects.locations.keyRings.cryptoKeys.cryptoKeyVersions.destroy critical`,
  cloudresourcemanager: `
/{v}
  GET    /projects cloudresourcemanager.projects.list
  GET    /projects:search cloudresourcemanager.projects.search
  POST   /projects cloudresourcemanager.projects.create critical
  GET    /projects/{project} cloudresourcemanager.projects.get
  PATCH  /projects/{project} cloudresourcemanager.projects.patch critical
  PUT    /projects/{project} cloudresourcemanager.projects.update critical
  DELETE /projects/{project} cloudresourcemanager.projects.delete critical
  POST   /projects/{project}:undelete cloudresourcemanager.projects.undelete critical
  POST   /projects/{project}:move cloudresourcemanager.projects.move critical
  POST   /projects/{project}:getIamPolicy cloudresourcemanager.projects.getIamPolicy read
  POST   /projects/{project}:setIamPolicy cloudresourcemanager.projects.setIamPolicy critical
  POST   /projects/{project}:testIamPermissions cloudresourcemanager.projects.testIamPermissions read
  POST   /projects/{project}:getAncestry cloudresourcemanager.projects.getAncestry read
  GET    /folders cloudresourcemanager.folders.list
  GET    /folders/{folder} cloudresourcemanager.folders.get
  DELETE /folders/{folder} cloudresourcemanager.folders.delete critical
  POST   /folders/{folder}:setIamPolicy cloudresourcemanager.folders.setIamPolicy critical
  GET    /organizations/{organization} cloudresourcemanager.organizations.get
  POST   /organizations:search cloudresourcemanager.organizations.search read
  POST   /organizations/{organization}:getIamPolicy cloudresourcemanager.organizations.getIamPolicy read
  POST   /organizations/{organization}:setIamPolicy cloudresourcemanager.organizations.setIamPolicy critical`,
  cloudscheduler: `
/{v}/projects/{project}/locations/{location}/jobs
  GET    cloudscheduler.projects.locations.jobs.list
  POST   cloudscheduler.projects.locations.jobs.create critical
  GET    /{job} cloudscheduler.projects.locations.jobs.get
  PATCH  /{job} cloudscheduler.projects.locations.jobs.patch critical
  DELETE /{job} cloudscheduler.projects.locations.jobs.delete critical
  POST   /{job}:run cloudscheduler.projects.locations.jobs.run
  POST   /{job}:pause cloudscheduler.projects.locations.jobs.pause
  POST   /{job}:resume cloudscheduler.projects.locations.jobs.resume`,
  cloudtasks: `
/{v}/projects/{project}/locations/{location}/queues
  GET    cloudtasks.projects.locations.queues.list
  POST   cloudtasks.projects.locations.queues.create
  GET    /{queue} cloudtasks.projects.locations.queues.get
  DELETE /{queue} cloudtasks.projects.locations.queues.delete critical
  POST   /{queue}:purge cloudtasks.projects.locations.queues.purge critical
  GET    /{queue}/tasks cloudtasks.projects.locations.queues.tasks.list
  POST   /{queue}/tasks cloudtasks.projects.locations.queues.tasks.create`,
  compute: `
/compute/{v}/projects/{project}
  GET    compute.projects.get
  POST   /setCommonInstanceMetadata compute.projects.setCommonInstanceMetadata critical
  GET    /aggregated/instances compute.instances.aggregatedList
  GET    /zones compute.zones.list
  GET    /regions compute.regions.list
  GET    /zones/{zone}/instances compute.instances.list
  POST   /zones/{zone}/instances compute.instances.insert
  GET    /zones/{zone}/instances/{instance} compute.instances.get
  PUT    /zones/{zone}/instances/{instance} compute.instances.update deploy:production
  DELETE /zones/{zone}/instances/{instance} compute.instances.delete critical
  POST   /zones/{zone}/instances/{instance}/start compute.instances.start
  POST   /zones/{zone}/instances/{instance}/stop compute.instances.stop
  POST   /zones/{zone}/instances/{instance}/reset compute.instances.reset
  POST   /zones/{zone}/instances/{instance}/setMetadata compute.instances.setMetadata critical
  POST   /zones/{zone}/instances/{instance}/setServiceAccount compute.instances.setServiceAccount critical
  POST   /zones/{zone}/instances/{instance}/setLabels compute.instances.setLabels
  POST   /zones/{zone}/instances/{instance}/setTags compute.instances.setTags critical
  POST   /zones/{zone}/instances/{instance}/setMachineType compute.instances.setMachineType
  POST   /zones/{zone}/instances/{instance}/setIamPolicy compute.instances.setIamPolicy critical
  GET    /zones/{zone}/instances/{instance}/serialPort compute.instances.getSerialPortOutput
  GET    /zones/{zone}/disks compute.disks.list
  POST   /zones/{zone}/disks compute.disks.insert
  GET    /zones/{zone}/disks/{disk} compute.disks.get
  DELETE /zones/{zone}/disks/{disk} compute.disks.delete critical
  POST   /zones/{zone}/disks/{disk}/createSnapshot compute.disks.createSnapshot
  GET    /zones/{zone}/operations/{operation} compute.zoneOperations.get
  POST   /zones/{zone}/operations/{operation}/wait compute.zoneOperations.wait read
  GET    /zones/{zone}/instanceGroupManagers compute.instanceGroupManagers.list
  PATCH  /zones/{zone}/instanceGroupManagers/{manager} compute.instanceGroupManagers.patch deploy:production
  POST   /zones/{zone}/instanceGroupManagers/{manager}/resize compute.instanceGroupManagers.resize deploy:production
  GET    /global/snapshots compute.snapshots.list
  DELETE /global/snapshots/{snapshot} compute.snapshots.delete critical
  GET    /global/images compute.images.list
  DELETE /global/images/{image} compute.images.delete critical
  GET    /global/networks compute.networks.list
  GET    /global/networks/{network} compute.networks.get
  POST   /global/networks compute.networks.insert critical
  DELETE /global/networks/{network} compute.networks.delete critical
  GET    /global/firewalls compute.firewalls.list
  GET    /global/firewalls/{firewall} compute.firewalls.get
  POST   /global/firewalls compute.firewalls.insert critical
  PATCH  /global/firewalls/{firewall} compute.firewalls.patch critical
  PUT    /global/firewalls/{firewall} compute.firewalls.update critical
  DELETE /global/firewalls/{firewall} compute.firewalls.delete critical
  GET    /global/operations/{operation} compute.globalOperations.get
  GET    /global/backendServices compute.backendServices.list
  GET    /global/urlMaps compute.urlMaps.list
  PATCH  /global/urlMaps/{map} compute.urlMaps.patch deploy:production
  GET    /regions/{region}/subnetworks compute.subnetworks.list
  GET    /regions/{region}/addresses compute.addresses.list`,
  container: `
/{v}/projects/{project}/locations/{location}/clusters
  GET    container.projects.locations.clusters.list
  POST   container.projects.locations.clusters.create deploy:production
  GET    /{cluster} container.projects.locations.clusters.get
  PUT    /{cluster} container.projects.locations.clusters.update deploy:production
  DELETE /{cluster} container.projects.locations.clusters.delete critical
  POST   /{cluster}:setMasterAuth container.projects.locations.clusters.setMasterAuth critical
  GET    /{cluster}/nodePools container.projects.locations.clusters.nodePools.list
  POST   /{cluster}/nodePools container.projects.locations.clusters.nodePools.create deploy:production
  GET    /{cluster}/nodePools/{pool} container.projects.locations.clusters.nodePools.get
  DELETE /{cluster}/nodePools/{pool} container.projects.locations.clusters.nodePools.delete deploy:production
  POST   /{cluster}/nodePools/{pool}:setSize container.projects.locations.clusters.nodePools.setSize deploy:production`,
  dns: `
/dns/{v}/projects/{project}/managedZones
  GET    dns.managedZones.list
  POST   dns.managedZones.create critical
  GET    /{zone} dns.managedZones.get
  DELETE /{zone} dns.managedZones.delete critical
  GET    /{zone}/rrsets dns.resourceRecordSets.list
  POST   /{zone}/rrsets dns.resourceRecordSets.create critical
  POST   /{zone}/changes dns.changes.create critical
  GET    /{zone}/changes dns.changes.list`,
  firestore: `
/{v}/projects/{project}/databases/{database}/documents
  GET    /{document+} firestore.projects.databases.documents.get db:query
  PATCH  /{document+} firestore.projects.databases.documents.patch db:mutate
  DELETE /{document+} firestore.projects.databases.documents.delete db:mutate
  POST   :runQuery firestore.projects.databases.documents.runQuery db:query read
  POST   :runAggregationQuery firestore.projects.databases.documents.runAggregationQuery db:query read
  POST   :batchGet firestore.projects.databases.documents.batchGet db:query read
  POST   :commit firestore.projects.databases.documents.commit db:mutate
  POST   :batchWrite firestore.projects.databases.documents.batchWrite db:mutate`,
  iam: `
/{v}
  GET    /projects/{project}/serviceAccounts iam.projects.serviceAccounts.list
  POST   /projects/{project}/serviceAccounts iam.projects.serviceAccounts.create critical
  GET    /projects/{project}/serviceAccounts/{account} iam.projects.serviceAccounts.get
  PATCH  /projects/{project}/serviceAccounts/{account} iam.projects.serviceAccounts.patch critical
  DELETE /projects/{project}/serviceAccounts/{account} iam.projects.serviceAccounts.delete critical
  POST   /projects/{project}/serviceAccounts/{account}:enable iam.projects.serviceAccounts.enable critical
  POST   /projects/{project}/serviceAccounts/{account}:disable iam.projects.serviceAccounts.disable critical
  POST   /projects/{project}/serviceAccounts/{account}:getIamPolicy iam.projects.serviceAccounts.getIamPolicy read
  POST   /projects/{project}/serviceAccounts/{account}:setIamPolicy iam.projects.serviceAccounts.setIamPolicy critical
  GET    /projects/{project}/serviceAccounts/{account}/keys iam.projects.serviceAccounts.keys.list secret
  POST   /projects/{project}/serviceAccounts/{account}/keys iam.projects.serviceAccounts.keys.create secret
  DELETE /projects/{project}/serviceAccounts/{account}/keys/{key} iam.projects.serviceAccounts.keys.delete secret
  GET    /roles iam.roles.list
  GET    /roles/{role} iam.roles.get
  GET    /projects/{project}/roles iam.projects.roles.list
  POST   /projects/{project}/roles iam.projects.roles.create critical
  PATCH  /projects/{project}/roles/{role} iam.projects.roles.patch critical
  DELETE /projects/{project}/roles/{role} iam.projects.roles.delete critical`,
  logging: `
/{v}
  POST   /entries:list logging.entries.list read
  POST   /entries:tail logging.entries.tail read
  POST   /entries:write logging.entries.write
  GET    /projects/{project}/logs logging.projects.logs.list
  DELETE /projects/{project}/logs/{log} logging.projects.logs.delete critical
  GET    /projects/{project}/sinks logging.projects.sinks.list
  POST   /projects/{project}/sinks logging.projects.sinks.create critical
  PATCH  /projects/{project}/sinks/{sink} logging.projects.sinks.patch critical
  DELETE /projects/{project}/sinks/{sink} logging.projects.sinks.delete critical
  GET    /projects/{project}/metrics logging.projects.metrics.list
  POST   /projects/{project}/metrics logging.projects.metrics.create`,
  monitoring: `
/v3/projects/{project}
  GET    /timeSeries monitoring.projects.timeSeries.list
  POST   /timeSeries monitoring.projects.timeSeries.create
  POST   /timeSeries:query monitoring.projects.timeSeries.query read
  GET    /metricDescriptors monitoring.projects.metricDescriptors.list
  GET    /alertPolicies monitoring.projects.alertPolicies.list
  POST   /alertPolicies monitoring.projects.alertPolicies.create
  PATCH  /alertPolicies/{policy} monitoring.projects.alertPolicies.patch
  DELETE /alertPolicies/{policy} monitoring.projects.alertPolicies.delete high
  GET    /uptimeCheckConfigs monitoring.projects.uptimeCheckConfigs.list`,
  pubsub: `
/{v}/projects/{project}
  GET    /topics pubsub.projects.topics.list
  PUT    /topics/{topic} pubsub.projects.topics.create
  GET    /topics/{topic} pubsub.projects.topics.get
  DELETE /topics/{topic} pubsub.projects.topics.delete critical
  POST   /topics/{topic}:publish pubsub.projects.topics.publish
  POST   /topics/{topic}:setIamPolicy pubsub.projects.topics.setIamPolicy critical
  GET    /subscriptions pubsub.projects.subscriptions.list
  PUT    /subscriptions/{subscription} pubsub.projects.subscriptions.create
  GET    /subscriptions/{subscription} pubsub.projects.subscriptions.get
  DELETE /subscriptions/{subscription} pubsub.projects.subscriptions.delete critical
  POST   /subscriptions/{subscription}:pull pubsub.projects.subscriptions.pull
  POST   /subscriptions/{subscription}:acknowledge pubsub.projects.subscriptions.acknowledge
  POST   /subscriptions/{subscription}:setIamPolicy pubsub.projects.subscriptions.setIamPolicy critical`,
  run: `
/{v}/projects/{project}/locations/{location}
  GET    /services run.projects.locations.services.list
  POST   /services run.projects.locations.services.create deploy:production
  GET    /services/{service} run.projects.locations.services.get
  PATCH  /services/{service} run.projects.locations.services.patch deploy:production
  DELETE /services/{service} run.projects.locations.services.delete deploy:production
  POST   /services/{service}:setIamPolicy run.projects.locations.services.setIamPolicy critical
  GET    /services/{service}/revisions run.projects.locations.services.revisions.list
  GET    /jobs run.projects.locations.jobs.list
  POST   /jobs run.projects.locations.jobs.create deploy:production
  GET    /jobs/{job} run.projects.locations.jobs.get
  PATCH  /jobs/{job} run.projects.locations.jobs.patch deploy:production
  DELETE /jobs/{job} run.projects.locations.jobs.delete deploy:production
  POST   /jobs/{job}:run run.projects.locations.jobs.run deploy:production`,
  secretmanager: `
/{v}/projects/{project}/secrets
  GET    secretmanager.projects.secrets.list
  POST   secretmanager.projects.secrets.create critical
  GET    /{secret} secretmanager.projects.secrets.get
  PATCH  /{secret} secretmanager.projects.secrets.patch critical
  DELETE /{secret} secretmanager.projects.secrets.delete critical
  POST   /{secret}:addVersion secretmanager.projects.secrets.addVersion critical
  POST   /{secret}:setIamPolicy secretmanager.projects.secrets.setIamPolicy critical
  GET    /{secret}/versions secretmanager.projects.secrets.versions.list
  GET    /{secret}/versions/{version} secretmanager.projects.secrets.versions.get
  GET    /{secret}/versions/{version}:access secretmanager.projects.secrets.versions.access secret
  POST   /{secret}/versions/{version}:destroy secretmanager.projects.secrets.versions.destroy critical
  POST   /{secret}/versions/{version}:disable secretmanager.projects.secrets.versions.disable critical
  POST   /{secret}/versions/{version}:enable secretmanager.projects.secrets.versions.enable critical`,
  serviceusage: `
/{v}/projects/{project}/services
  GET    serviceusage.services.list
  GET    /{service} serviceusage.services.get
  POST   /{service}:enable serviceusage.services.enable critical
  POST   /{service}:disable serviceusage.services.disable critical
  POST   :batchEnable serviceusage.services.batchEnable critical`,
  sqladmin: `
/{v}/projects/{project}/instances
  GET    sql.instances.list
  POST   sql.instances.insert db:admin
  GET    /{instance} sql.instances.get
  PATCH  /{instance} sql.instances.patch db:admin
  DELETE /{instance} sql.instances.delete db:admin
  POST   /{instance}/restart sql.instances.restart db:admin
  POST   /{instance}/export sql.instances.export db:admin
  POST   /{instance}/import sql.instances.import db:admin
  GET    /{instance}/databases sql.databases.list
  DELETE /{instance}/databases/{database} sql.databases.delete db:admin
  GET    /{instance}/users sql.users.list
  POST   /{instance}/users sql.users.insert db:admin
  PUT    /{instance}/users sql.users.update db:admin
  DELETE /{instance}/users sql.users.delete db:admin
  GET    /{instance}/backupRuns sql.backupRuns.list
  POST   /{instance}/backupRuns sql.backupRuns.insert db:admin`,
  storage: `
/
  GET    /storage/v1/b storage.buckets.list
  POST   /storage/v1/b storage.buckets.insert
  GET    /storage/v1/b/{bucket} storage.buckets.get
  PATCH  /storage/v1/b/{bucket} storage.buckets.patch critical
  PUT    /storage/v1/b/{bucket} storage.buckets.update critical
  DELETE /storage/v1/b/{bucket} storage.buckets.delete critical
  GET    /storage/v1/b/{bucket}/iam storage.buckets.getIamPolicy
  PUT    /storage/v1/b/{bucket}/iam storage.buckets.setIamPolicy critical
  GET    /storage/v1/b/{bucket}/acl storage.bucketAccessControls.list
  POST   /storage/v1/b/{bucket}/acl storage.bucketAccessControls.insert critical
  GET    /storage/v1/b/{bucket}/o storage.objects.list
  GET    /storage/v1/b/{bucket}/o/{object} storage.objects.get
  PATCH  /storage/v1/b/{bucket}/o/{object} storage.objects.patch
  DELETE /storage/v1/b/{bucket}/o/{object} storage.objects.delete
  POST   /storage/v1/b/{bucket}/o/{object}/acl storage.objectAccessControls.insert critical
  POST   /storage/v1/b/{bucket}/o/{object}/rewriteTo/b/{target}/o/{name} storage.objects.rewrite
  POST   /storage/v1/b/{bucket}/o/{object}/compose storage.objects.compose
  POST   /upload/storage/v1/b/{bucket}/o storage.objects.insert
  PUT    /upload/storage/v1/b/{bucket}/o storage.objects.insert
  GET    /download/storage/v1/b/{bucket}/o/{object} storage.objects.get`,
};

/** Methods that clients call over gRPC; Get, List and BatchGet read without being in here. */
export const GCP_GRPC_OPERATIONS = `
read: google.logging.v2.LoggingServiceV2/TailLogEntries google.pubsub.v1.Subscriber/GetSnapshot
read db:query: google.firestore.v1.Firestore/RunQuery google.firestore.v1.Firestore/RunAggregationQuery
  google.firestore.v1.Firestore/Listen google.spanner.v1.Spanner/Read google.spanner.v1.Spanner/StreamingRead
  google.datastore.v1.Datastore/Lookup google.datastore.v1.Datastore/RunQuery
  google.bigtable.v2.Bigtable/ReadRows google.cloud.bigquery.storage.v1.BigQueryRead/ReadRows
write: google.pubsub.v1.Publisher/Publish google.pubsub.v1.Subscriber/Acknowledge google.pubsub.v1.Subscriber/Pull
  google.pubsub.v1.Subscriber/ModifyAckDeadline google.pubsub.v1.Subscriber/StreamingPull
  google.logging.v2.LoggingServiceV2/WriteLogEntries google.monitoring.v3.MetricService/CreateTimeSeries
  google.devtools.cloudtrace.v2.TraceService/BatchWriteSpans google.cloud.tasks.v2.CloudTasks/CreateTask
write db:mutate: google.firestore.v1.Firestore/Commit google.firestore.v1.Firestore/Write
  google.firestore.v1.Firestore/BatchWrite google.spanner.v1.Spanner/Commit
  google.datastore.v1.Datastore/Commit
  google.bigtable.v2.Bigtable/MutateRow google.bigtable.v2.Bigtable/MutateRows
  google.cloud.bigquery.storage.v1.BigQueryWrite/AppendRows
write db:mutate statement: google.spanner.v1.Spanner/ExecuteSql google.spanner.v1.Spanner/ExecuteStreamingSql
write secret: google.cloud.secretmanager.v1.SecretManagerService/AccessSecretVersion
  google.cloud.kms.v1.KeyManagementService/Decrypt google.cloud.kms.v1.KeyManagementService/AsymmetricDecrypt
  google.iam.credentials.v1.IAMCredentials/GenerateAccessToken google.iam.credentials.v1.IAMCredentials/GenerateIdToken
  google.iam.credentials.v1.IAMCredentials/SignBlob google.iam.credentials.v1.IAMCredentials/SignJwt
`;
