/**
 * Resources of the Kubernetes API, as `kubectl api-resources` names them, with their subresources. What is written
 * here is about making, changing and deleting them; getting and listing reads, but for what is `secret`.
 */
export const KUBERNETES_RESOURCES = `
read: selfsubjectaccessreviews.authorization.k8s.io selfsubjectrulesreviews.authorization.k8s.io
  subjectaccessreviews.authorization.k8s.io localsubjectaccessreviews.authorization.k8s.io
  selfsubjectreviews.authentication.k8s.io
write deploy:production: pods pods/eviction pods/binding pods/resize bindings podtemplates replicationcontrollers
  replicationcontrollers/scale services deployments.apps deployments.apps/scale deployments.apps/rollback
  statefulsets.apps statefulsets.apps/scale daemonsets.apps replicasets.apps replicasets.apps/scale
  jobs.batch cronjobs.batch ingresses.networking.k8s.io horizontalpodautoscalers.autoscaling
  verticalpodautoscalers.autoscaling.k8s.io poddisruptionbudgets.policy endpoints endpointslices.discovery.k8s.io
  gateways.gateway.networking.k8s.io httproutes.gateway.networking.k8s.io grpcroutes.gateway.networking.k8s.io
  applications.argoproj.io rollouts.argoproj.io helmreleases.helm.toolkit.fluxcd.io
  kustomizations.kustomize.toolkit.fluxcd.io virtualservices.networking.istio.io
  destinationrules.networking.istio.io
write: configmaps events events.events.k8s.io leases.coordination.k8s.io persistentvolumeclaims limitranges
  controllerrevisions.apps servicemonitors.monitoring.coreos.com prometheusrules.monitoring.coreos.com
  certificates.cert-manager.io
write critical: namespaces namespaces/finalize nodes nodes/status serviceaccounts persistentvolumes resourcequotas
  roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io clusterroles.rbac.authorization.k8s.io
  clusterrolebindings.rbac.authorization.k8s.io networkpolicies.networking.k8s.io ingressclasses.networking.k8s.io
  mutatingwebhookconfigurations.admissionregistration.k8s.io
  validatingwebhookconfigurations.admissionregistration.k8s.io
  validatingadmissionpolicies.admissionregistration.k8s.io
  validatingadmissionpolicybindings.admissionregistration.k8s.io
  mutatingadmissionpolicies.admissionregistration.k8s.io
  customresourcedefinitions.apiextensions.k8s.io apiservices.apiregistration.k8s.io
  certificatesigningrequests.certificates.k8s.io certificatesigningrequests.certificates.k8s.io/approval
  clustertrustbundles.certificates.k8s.io storageclasses.storage.k8s.io csidrivers.storage.k8s.io
  csinodes.storage.k8s.io volumeattachments.storage.k8s.io priorityclasses.scheduling.k8s.io
  runtimeclasses.node.k8s.io flowschemas.flowcontrol.apiserver.k8s.io
  prioritylevelconfigurations.flowcontrol.apiserver.k8s.io clusterissuers.cert-manager.io issuers.cert-manager.io
  clusterpolicies.kyverno.io externalsecrets.external-secrets.io secretstores.external-secrets.io
  clustersecretstores.external-secrets.io sealedsecrets.bitnami.com
write secret: secrets serviceaccounts/token pods/exec pods/attach pods/portforward pods/proxy pods/ephemeralcontainers
  services/proxy nodes/proxy tokenreviews.authentication.k8s.io tokenrequests.authentication.k8s.io
`;
