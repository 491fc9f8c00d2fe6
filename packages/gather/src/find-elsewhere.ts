import type { NodeFacts } from '@vdo/checks/facts';
import { attempt, valueIn } from '@vdo/checks/facts/reading';
import type { Ancestors } from '@vdo/vsphere/inventory/ancestors';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { morefKey } from '@vdo/vsphere/wire/moref';
import type { OpenVCenter } from './find-node-vms.ts';

const datacenterAbove = (ancestors: Ancestors, start: MoRef | undefined): string => {
  for (let at = start; at; at = ancestors.get(morefKey(at))?.parent)
    if (at.type === 'Datacenter') return ancestors.get(morefKey(at))?.name ?? at.value;
  return '';
};

/** Searches for missing VMs outside the configured datacenters: somebody may have moved them. */
export const findElsewhere = async (
  nodes: readonly NodeFacts[],
  open: readonly OpenVCenter[],
  signal: AbortSignal,
): Promise<readonly NodeFacts[]> => {
  const lost = nodes.filter(({ resolution }) => resolution?.state === 'not-found');
  const limited = open.filter(({ datacenters }) => datacenters.length > 0);
  if (lost.length === 0 || limited.length === 0) return nodes;
  const queries = lost.flatMap(({ node: { metadata, status } }) => {
    const uuid = status?.nodeInfo?.systemUUID;
    return uuid === undefined ? [] : [{ key: metadata.name ?? '', uuid }];
  });
  const elsewhere = new Map<string, NonNullable<NodeFacts['elsewhere']>>();
  for (const { vcenter } of limited) {
    const found = valueIn(await attempt(() => vcenter.nodes.resolve(queries, { signal }), signal));
    for (const [key, resolution] of found ?? []) {
      if (resolution.state !== 'found') continue;
      const { name, folder, server } = resolution.vm;
      const above = folder && valueIn(await attempt(() => vcenter.health.ancestors([folder], { signal }), signal));
      elsewhere.set(key, { server, name, datacenter: above ? datacenterAbove(above, folder) : '' });
    }
  }
  return nodes.map((facts) => {
    const place = elsewhere.get(facts.node.metadata.name ?? '');
    return place ? { ...facts, elsewhere: place } : facts;
  });
};
