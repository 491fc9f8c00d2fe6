import { uuidOrders } from '@vdo/base/uuid';
import { VdoError } from '@vdo/base/vdo-error';
import type { NodeQuery, NodeResolution, VmFacts } from '@vdo/vsphere/inventory/node-inventory';

/** The answer of one vCenter, or the reason why there is none. */
export type VCenterAnswer =
  /** `datacenters`: those that were searched; empty means all. */
  | { readonly server: string; readonly datacenters: readonly string[]; readonly resolution: NodeResolution }
  | { readonly server: string; readonly error: VdoError };

const describeQuery = (query: NodeQuery): string => {
  if (query.uuid) return `UUID ${uuidOrders(query.uuid).join(' or ') || query.uuid}`;
  const parts = [
    ...(query.names?.length ? [`host name ${query.names.join(' or ')}`] : []),
    ...(query.ips?.length ? [`address ${query.ips.join(' or ')}`] : []),
  ];
  return parts.join(', ');
};

const ambiguous = (query: NodeQuery, by: string, candidates: readonly string[]): VdoError =>
  new VdoError({
    code: 'NodeVmAmbiguous',
    message: `several VMs match node ${query.key} by ${by}: ${candidates.join(', ')}`,
    remedy:
      'A cloned VM has the same identity as its original. Give the clone its own UUID with govc vm.change -vm <clone> -uuid $(uuidgen), or change its host name.',
    details: { node: query.key, by, candidates },
  });

const notFound = (query: NodeQuery, searched: readonly string[]): VdoError =>
  new VdoError({
    code: 'NodeVmNotFound',
    message: `no VM found for node ${query.key} by ${describeQuery(query)}; searched ${searched.join('; ')}`,
    remedy: `Check that the VM is in one of these datacenters (vcenter.*.datacenters of vsphere.conf), that the vSphere user may read its folder (System.Read), and that kubectl get node ${query.key} -o jsonpath={.status.nodeInfo.systemUUID} is the UUID shown by govc vm.info -json.`,
    details: { node: query.key, searched },
  });

/**
 * Combines the answers of all vCenters about one node. Exactly one VM must be found. "Not found" is returned only if every
 * vCenter answered; otherwise the error of the vCenter that did not answer is thrown, because it may have the VM.
 */
export const combineResolutions = (query: NodeQuery, answers: readonly VCenterAnswer[]): VmFacts => {
  const found: VmFacts[] = [];
  const candidates: string[] = [];
  const searched: string[] = [];
  const by = new Set<string>();
  for (const answer of answers) {
    if ('error' in answer) continue;
    const { resolution } = answer;
    if (resolution.state === 'found') found.push(resolution.vm);
    if (resolution.state === 'not-found')
      searched.push(`${answer.server} (${answer.datacenters.join(', ') || 'all datacenters'})`);
    if (resolution.state === 'ambiguous') {
      by.add(resolution.by);
      candidates.push(...resolution.candidates.map((name) => `${name} on ${answer.server}`));
    }
  }
  const [vm, ...others] = found;
  if (vm && others.length === 0 && candidates.length === 0) return vm;
  if (vm || candidates.length > 0)
    throw ambiguous(query, [...by].join(' and ') || describeQuery(query), [
      ...candidates,
      ...found.map(({ name, server }) => `${name} on ${server}`),
    ]);
  const failed = answers.find((answer) => 'error' in answer);
  throw failed && 'error' in failed ? failed.error : notFound(query, searched);
};
