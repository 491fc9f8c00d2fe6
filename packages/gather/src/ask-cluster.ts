import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { AdmissionFacts } from '@vdo/checks/facts/kube-facts';
import { attempt, type Reading } from '@vdo/checks/facts/reading';
import { dnsServiceNames, names } from '@vdo/config/names';
import { type Pod, type PodSpec, pods } from '@vdo/kube/types/core';
import type { AnyObject, KubeObject, ObjectMeta } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import type { GatherDeps, KubeReader } from './gather-deps.ts';

interface Service extends KubeObject {
  readonly spec?: { readonly clusterIP?: string };
}

const services: Resource<Service> = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true };

/** The DNS of the cluster in each distribution. */
const dnsServices = [
  { namespace: names.systemNamespace, name: dnsServiceNames.kubernetes },
  { namespace: 'openshift-dns', name: dnsServiceNames.openShift },
] as const;

const nameServer = async ({ kube }: GatherDeps, signal: AbortSignal): Promise<string> => {
  for (const key of dnsServices) {
    const address = (await kube.find(services, key, { signal }))?.spec?.clusterIP;
    if (address !== undefined && address !== 'None') return address;
  }
  throw new VdoError({
    code: 'KubeNotFound',
    message: 'the cluster has no DNS Service: neither kube-system/kube-dns nor openshift-dns/dns-default exists',
    remedy: 'Install CoreDNS with the Service kube-dns in namespace kube-system.',
  });
};

/** Whether pods that use the cluster DNS can resolve the vCenters; undefined if this cannot be determined from here. */
export const askDns = async (
  deps: GatherDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Reading<readonly string[]>> | undefined> => {
  const { lookUp } = deps.probes;
  if (!lookUp) return undefined;
  const server = await attempt(() => nameServer(deps, signal), signal);
  const answers = deps.vcenters.map(async ({ spec }) => {
    const reading =
      'error' in server ? server : await attempt(() => lookUp(spec.server, server.value, { signal }), signal);
    return [spec.server, reading] as const;
  });
  return new Map(await Promise.all(answers));
};

interface Template {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

const podOf = (object: AnyObject): Pod | undefined => {
  if (object.kind !== 'Deployment' && object.kind !== 'DaemonSet') return undefined;
  const { template } = object['spec'] as { readonly template?: Template };
  if (!template?.spec) return undefined;
  const { labels = {}, annotations = {} } = template.metadata ?? {};
  const { namespace = '', name = '' } = object.metadata;
  const metadata = { name: `${name}-admission-check`, namespace, labels, annotations };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec };
};

/** Before the installation, the ServiceAccount of the pod does not exist, which says nothing about the pod. */
const isAccountMissing = ({ message }: VdoError): boolean =>
  /service ?account /i.test(message) && /not found/i.test(message);

const propose = async (
  kube: KubeReader,
  pod: Pod,
  signal: AbortSignal,
): Promise<Pick<AdmissionFacts, 'account' | 'refusal'>> => {
  const ask = (proposed: Pod) => attempt(() => kube.create(pods, proposed, { dryRun: true, signal }), signal);
  const { serviceAccountName, ...spec } = pod.spec;
  const first = await ask(pod);
  const again = 'error' in first && serviceAccountName !== undefined && isAccountMissing(first.error);
  const answer = again ? await ask({ ...pod, spec }) : first;
  const account = again ? 'default' : 'own';
  return 'value' in answer || isVdoError(answer.error, 'KubeAlreadyExists')
    ? { account }
    : { account, refusal: answer.error };
};

/**
 * Proposes the pods that would be installed, as a dry run. Pods instead of their Deployments, because pod security
 * and most policies check only pods, after the Deployment was accepted.
 */
export const proposePods = async (
  { kube, planned = [] }: GatherDeps,
  signal: AbortSignal,
): Promise<Reading<readonly AdmissionFacts[]> | undefined> => {
  const proposals = planned.flatMap((object) => {
    const pod = podOf(object);
    return pod ? [{ object, pod }] : [];
  });
  if (proposals.length === 0) return undefined;
  const ask = async ({ object, pod }: (typeof proposals)[number]): Promise<AdmissionFacts> => {
    const { namespace = '', name = '' } = object.metadata;
    return { kind: object.kind, name, namespace, ...(await propose(kube, pod, signal)) };
  };
  return attempt(() => Promise.all(proposals.map(ask)), signal);
};
