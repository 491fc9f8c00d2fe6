import { type Check, fail, pass, skipped, unknown, type Verdict } from '../check.ts';
import type { AdmissionFacts } from '../facts/kube-facts.ts';
import { valueIn } from '../facts/reading.ts';
import type { ClusterFacts, NodeFacts } from '../facts.ts';
import { nodeObject } from '../node-object.ts';
import { driversObject, notRead } from '../not-read.ts';

const judgeCni = (facts: NodeFacts, cnis: readonly string[] | undefined): Verdict => {
  const object = nodeObject(facts);
  const conditions = facts.node.status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const unavailable = conditions.find(({ type, status }) => type === 'NetworkUnavailable' && status === 'True');
  const blamed = ready?.status !== 'True' && /cni|network plugin|NetworkPluginNotReady/i.test(ready?.message ?? '');
  if (!unavailable && ready?.status === 'True') return pass(object, 'its pod network is ready');
  if (!unavailable && !blamed) return skipped(object, 'the node is not ready, but not because of its network');
  const which = cnis && cnis.length > 0 ? cnis.join(' and ') : undefined;
  return fail(object, {
    reason: 'CniNotReady',
    message: `the pod network of the node is not ready: ${unavailable?.message ?? ready?.message ?? ''}; ${which ? `${which} is installed` : 'no known CNI is installed'}`,
    ...(which
      ? {
          remedy: `Check the pod of ${which} on the node:`,
          commands: [`kubectl get pods -A --field-selector spec.nodeName=${object.name}`],
        }
      : {
          remedy:
            'Install a CNI: set spec.cni.manifest to its manifest (the operator installs it), or kubectl apply -f it.',
        }),
  });
};

const judgeDns = ({ kube, spec }: ClusterFacts): readonly Verdict[] =>
  spec.vcenters.map(({ server }) => {
    const object = { kind: 'VCenter', name: server };
    if (!kube.dns) return skipped(object, 'the cluster DNS cannot be reached from here');
    const answer = kube.dns.get(server);
    if (!answer) return unknown(object, 'it has not been queried', 'the log of the operator');
    if ('value' in answer) return pass(object, `the cluster resolves it to ${answer.value.join(', ')}`);
    // In a new cluster the DNS starts after the network, and the network after the nodes are initialized.
    if (answer.error.code === 'KubeNotFound') return skipped(object, answer.error.message);
    if (answer.error.code.startsWith('Kube')) return notRead(object, answer, 'the DNS service of the cluster', '');
    return fail(object, {
      reason: 'ClusterDnsFails',
      message: `the cluster DNS does not resolve ${server}: ${answer.error.message}`,
      remedy: `Forward its domain to a DNS server that resolves it: kubectl -n kube-system edit configmap coredns, add "${server.split('.').slice(1).join('.') || server}:53 { forward . ADDRESS }", then kubectl -n kube-system rollout restart deployment coredns`,
    });
  });

/** Refused by RBAC, not by admission: the operator may not even dry-run pods. */
const mayNotAsk = (message: string): boolean => /cannot create resource "pods"/.test(message);

const judgeAdmission = ({ kind, name, namespace, refusal, account }: AdmissionFacts): Verdict => {
  const object = { kind, name, namespace };
  if (!refusal) return pass(object, 'the API server accepts its pods');
  if (refusal.code === 'KubeNotFound') return skipped(object, `namespace ${namespace} does not exist yet`);
  if (refusal.code !== 'KubeForbidden' && refusal.code !== 'KubeInvalid')
    return { result: 'Unknown', reason: refusal.code, message: refusal.message, remedy: refusal.remedy, object };
  if (mayNotAsk(refusal.message))
    return { result: 'Unknown', reason: refusal.code, message: refusal.message, remedy: refusal.remedy, object };
  // OpenShift judges a pod by the permissions of its own ServiceAccount.
  if (account === 'default' && /security context constraint/i.test(refusal.message))
    return skipped(object, 'OpenShift can judge its pods once their ServiceAccount exists');
  const security = /violates PodSecurity/.test(refusal.message);
  return fail(object, {
    reason: security ? 'PodSecurityForbids' : 'AdmissionForbids',
    message: `the API server rejects its pods: ${refusal.message}`,
    ...(security
      ? {
          remedy: 'The drivers mount disks and therefore need privileged pods:',
          commands: [`kubectl label namespace ${namespace} --overwrite pod-security.kubernetes.io/enforce=privileged`],
        }
      : { remedy: `Exempt namespace ${namespace} from the policy or webhook named in the message.` }),
  });
};

export const clusterChecks: readonly Check[] = [
  {
    id: 'cluster/cni-ready',
    title: 'The pod network is ready on each node.',
    meaning:
      'Pods that do not use the host network do not start on the node. The cloud controller manager does not need the pod network.',
    remedy: 'Install a CNI (with `spec.cni.manifest` the operator installs it), or check the CNI pod on the node.',
    action: 'BlockUpgrade',
    judge: ({ nodes, kube }) => nodes.map((facts) => judgeCni(facts, valueIn(kube.cnis))),
  },
  {
    id: 'cluster/dns-resolves-vcenter',
    title: 'The cluster DNS resolves the names of the vCenters.',
    meaning: 'The operator uses the DNS of its node, but pods that use the cluster DNS do not find the vCenter.',
    remedy: 'Configure CoreDNS to forward the domain of the vCenter to a DNS server that resolves it.',
    action: 'BlockUpgrade',
    judge: judgeDns,
  },
  {
    id: 'cluster/admission-allows',
    title: 'The API server accepts the pods of the drivers.',
    meaning: 'Pod Security or a policy rejects them: Deployments and DaemonSets exist, but no pod starts.',
    remedy:
      '`kubectl label namespace vmware-system-vdo pod-security.kubernetes.io/enforce=privileged`, or exempt the namespace from the policy named in the message.',
    action: 'BlockInstall',
    judge: ({ kube }) => {
      if (!kube.admission)
        return [skipped(driversObject, 'the drivers are already installed, or are not to be installed')];
      const proposals = valueIn(kube.admission);
      return proposals
        ? proposals.map(judgeAdmission)
        : [notRead(driversObject, kube.admission, 'the answer of the API server', 'the log of the operator')];
    },
  },
];
