/** Groups right under `gcloud` (or `gcloud alpha`, `beta`, `preview`), as of gcloud 528. */
export const GCLOUD_ROOT_GROUPS: ReadonlySet<string> = new Set(
  `
  access-approval access-context-manager active-directory ai ai-platform alloydb anthos api-gateway apigee
  app apphub artifacts asset assured audit-manager auth backup-dr batch beyondcorp bigtable billing
  blockchain-node-engine blockchain-validator bms bq builds certificate-manager cloud-shell
  cloudlocationfinder code colab components composer compute config container data-catalog data-fusion
  database-migration dataflow datapipelines dataplex dataproc datastore datastream deploy deployment-manager
  developer-connect dialogflow dlp dns domains edge-cache edge-cloud emulators endpoints error-reporting
  essential-contacts eventarc filestore firebase firestore functions gemini gemini-cloud-assist genomics
  healthcare iam iap identity ids immersive-stream infra-manager kms lifesciences logging looker lustre
  managed-flink managed-kafka memcache memorystore metastore migration ml ml-engine model-armor monitoring
  netapp network-connectivity network-security network-services notebooks observability oracle-database
  org-policies organizations pam parametermanager policy-intelligence policy-troubleshoot privateca projects
  publicca pubsub quotas recaptcha recommender redis resource-config resource-manager run runtime-config
  saas-runtime scc scheduler secrets service-directory service-extensions services source source-manager
  spanner sql storage tasks telco-automation terraform topic trace transcoder transfer vmware
  web-security-scanner workbench workflows workspace-add-ons workstations
`
    .trim()
    .split(/\s+/),
);

/** Words that name a group somewhere further down and a command nowhere, as of gcloud 528. */
export const GCLOUD_INNER_GROUPS: ReadonlySet<string> = new Set(
  `
  accelerator-types accelerators account-connectors accounts acls actions activationkeys active-directories
  add-job address-groups addresses adjuster admin-clusters advertised-routes advice agent agent-pools agents
  ai all-instances-config android anywhere-caches api-configs api-keys apis app app-profiles appliances
  application-awareness application-default applications archives aspect-types assets associated-projects
  associations attached attachments attestations attestors attributes audit-logs-provider audit-reports
  audit-scopes authorization-code authorization-policies authorized-orgs authorized-views authz-extensions
  authz-policies autokey-config automation-runs automations autonomous-database-backups
  autonomous-database-character-sets autonomous-databases autonomous-db-versions autoscaling-policies aws
  azure backend-authentication-configs backend-buckets backend-services backup-channels backup-collections
  backup-plan-associations backup-plan-bindings backup-plan-revisions backup-plans backup-policies
  backup-restore backup-schedules backup-vaults backups bare-metal batch-operations batches bigquery
  bigtable billing-metadata binauthz bindings blockchain-validator-configs blocks bqexports buckets budgets
  bulk bundles categories certificates changes channel-connections channel-descriptors channels client-certs
  client-connector client-tls-policies clients cloud-bindings cloud-exadata-infrastructures cloud-locations
  cloud-vm-clusters cloudrun clusters clusterupgrade cmek-config code-repository-indexes code-tools-settings
  commitments composite conditions config config-management configs configurations configure connect-clusters
  connection-profiles connections connectivity-tests connectors consent-stores consumer-groups container
  content contents continuous-validation controller conversion-workspaces crawler-runs crawlers credentials
  cross-site-networks custom-intercept custom-jobs custom-mirroring custom-modules custom-target-types dags
  dashboards data-attribute-bindings data-sharing-with-google-settings data-sources data-taxonomies
  databases dataplane-v2-encryption datascans dataset-configs datasets datasources datastore db-nodes
  db-servers db-system-shapes ddl debug dedicated delegated-sub-prefixes delivery-pipelines deploy-policies
  deployment deployments dest-groups details developers dicom-stores discovered-services
  discovered-workloads disk-settings disk-types disks dns-authorizations dns-bind-permission dns-forwarding
  dns-keys domain-mappings domains dry-run ekm-config ekm-connections encryption-config endpoint-policies
  endpoints enrollments enterprise-certificate-config enterprise-config entitlements entity-types entries
  entry-groups entry-links entry-types enum-values environments etd event-types events execution-groups
  executions external-access-rules external-account-keys external-addresses external-vpn-gateways features
  federations feeds fhir-stores fields files findings firestore firewall-endpoint-associations
  firewall-endpoints firewall-policies firewall-rules flags fleet fleetobservability flex-template
  floorsettings folders forwarding-rules future-reservations gateway-security-policies gateways
  gemini-gcp-enablement-settings generic gi-versions git-repository-links gke glossaries go
  google-api-sources google-channels google-domains-dns grants groups grpc-routes guest-policies hcx
  health-checks hl7v2-stores hmac holds hot-tablets hp-tuning-jobs http-filters http-health-checks
  http-routes https-health-checks hub hubs iac-validation-reports identity identity-service image-imports
  images import-jobs imports index-endpoints indexes ingress insight-type-config insights insights-configs
  instance-configs instance-groups instance-os-policies-compliances instance-partitions instance-templates
  instances instant-snapshot-groups instant-snapshots intelligence-configs intents
  intercept-deployment-groups intercept-deployments intercept-endpoint-group-associations
  intercept-endpoint-groups interconnects internal-ranges inventories inventory inventory-reports
  investigations ios ip-blocks issuance-configs job job-runs job-triggers jobs key-handles keyrings keys
  keysets kms-configs l2-forwarding lakes language lb-edge-extensions lb-route-extensions
  lb-traffic-extensions levels liens linked-interconnect-attachments linked-producer-vpc-network
  linked-router-appliances linked-vpc-network linked-vpn-tunnels links lite-operations lite-reservations
  lite-subscriptions lite-topics local locales locations logging-servers logging-settings logical-views logs
  luns machine-image-imports machine-images machine-types machines macsec manage managed managed-folders
  managed-identities managed-zones management-dns-zone-bindings management-hub management-servers manifests
  maps materialized-views memberships mesh meshes message-buses message-transforms metadata-jobs
  method-names metrics-scopes migrate-config migration migration-jobs migration-workflows migrations
  mirroring-deployment-groups mirroring-deployments mirroring-endpoint-group-associations
  mirroring-endpoint-groups mirroring-rules model-and-server-combinations model-garden model-monitoring-jobs
  model-server-versions model-servers models modules multi-cluster-services multi-region-services
  multicast-consumer-associations multicast-domain-activations multicast-domain-groups multicast-domains
  multicast-group-consumer-activations multicast-group-definitions multicast-group-producer-activations
  multicast-group-range-activations multicast-group-ranges multicast-groups multicast-producer-associations
  muteconfigs namespaceactuation namespaces nats network-attachments network-edge-security-services
  network-endpoint-groups network-firewall-policies network-interfaces network-peerings network-policies
  network-profiles networking networks nfs-shares nlp node-groups node-pools node-templates node-types nodes
  notifications nsx oauth-brands oauth-clients objects observability-policies operations ops-agents
  orchestration-cluster orders org-address-groups org-policies org-security-policies organizations origins
  os-config os-images os-inventory os-login os-policy-assignment-reports os-policy-assignments packages
  packet-mirrorings parameters partner patch-deployments patch-jobs peered-dns-domains peerings perimeters
  persistent-resources pipeline pipelines plugins policies policy policy-based-routes policy-bindings
  policy-orchestrators policy-tags policycontroller pools posture-deployments posture-operations
  posture-templates postures preferences preview-features previews principal-access-boundary-policies
  print-settings private-clouds private-connections product-search product-sets products profiles
  project-configs project-feature-settings project-info project-zonal-metadata projects providers
  public-advertised-prefixes public-delegated-prefixes public-keys queued-resources queues quota quota-rules
  rbacrolebindingactuation rbacrolebindings realms recognizers recommendations recommender
  recommender-config recommender-configs record-sets regional-endpoints regions registrations
  release-channel-settings releases remediation-intents remote-locations replication replications repos
  repositories repository-groups requests reservations resize-requests resource-allowances
  resource-backup-config resource-bundles resource-descriptors resource-policies resources response-policies
  restore-channels restore-plan-bindings restore-plans restores revisions roles rolling-action rollout-kinds
  rollouts roots route-tables route-views routers rows rules runtime-templates runtimes saas samples
  saved-queries sbom scan-configs scan-runs schedules schema-registries schemas scope-tenancy-pool scopes
  secure-access-connect security-policies security-profile-groups security-profiles serial-console-ssh-keys
  server-ca-certs server-certs server-tls-policies service-account service-accounts service-attachments
  service-bindings service-connection-policies service-directory service-identity service-lb-policies
  service-names service-projects services session-templates sessions setting-bindings settings sha
  shared-vpc simulator sinks snapshot-groups snapshot-settings snapshots snoozes sole-tenancy sources
  spanner speech splits spokes sql-integrations ssh-keys ssl-certificates ssl-certs ssl-policies
  standalone-clusters storage storage-pool-types storage-pools streams sub-blocks subject subjects subnets
  subordinates subscriptions support-access supported-services tables tag-templates tags target-grpc-proxies
  target-http-proxies target-https-proxies target-instances target-pools target-projects target-ssl-proxies
  target-tcp-proxies target-vpn-gateways targets tasks taxonomies tcp-routes templates tenants
  tensorboard-experiments tensorboard-runs tensorboard-time-series tensorboards terms terraform
  terraform-versions text threat-prevention tiers tls-inspection-policies tls-routes topics topologies
  tpu-vm tpus transaction translate triggers troubleshoot-policy trust-configs trusts ttls type-providers
  types unit-kinds unit-operations units unmanaged uptime url-lists url-maps user-creds
  user-workloads-config-maps user-workloads-secrets users values variables vcenter versions video views
  violations vision vm-maintenance vms vmware volume-backups volume-restores volumes vpc-access
  vpc-flow-logs-configs vpc-peerings vpcsc-config vpn-connections vpn-gateways vpn-tunnels vulnerabilities
  vulnerability-reports waiters wasm-actions wasm-plugin-versions wasm-plugins wire-groups worker-pools
  workflow-templates workforce-pools workload-identity workload-identity-pools workloads xr yaml zones
`
    .trim()
    .split(/\s+/),
);
