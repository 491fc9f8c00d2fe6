import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { PersistentVolumeFacts } from './kube-facts.ts';

type Named = Pick<CnsVolume, 'id' | 'name'>;

/** What the checks need to know about the volumes registered under the ID of this cluster: there may be tens of thousands. */
export interface VolumeFacts {
  readonly total: number;
  /** Volumes whose health status in vCenter is red or yellow. */
  readonly unhealthy: readonly (Named & {
    readonly handle: string;
    readonly status: 'red' | 'yellow';
    readonly datastoreUrl: string;
  })[];
  /** Volumes whose disk does not satisfy their storage policy. Absent if there are none. */
  readonly nonCompliant?: { readonly count: number; readonly first: readonly (Named & { readonly handle: string })[] };
  /** Volumes without a PersistentVolume; undefined if the PersistentVolumes could not be read. */
  readonly orphans?: { readonly count: number; readonly capacityMb: bigint; readonly first: readonly Named[] };
}

/** The first ones, as many as a message names. */
const namedOrphans = 10;
/** Up to this number their names are kept; beyond it, only how many there are. */
const rememberedOrphans = 1_000;

/** CNS writes the prefix of a file volume itself. */
const handleOf = ({ id, type }: CnsVolume): string => (type === 'FILE' && !id.startsWith('file:') ? `file:${id}` : id);

/** True if vCenter reports that the disk of the volume does not satisfy its storage policy. */
export const isNonCompliant = ({ complianceStatus }: Pick<CnsVolume, 'complianceStatus'>): boolean =>
  complianceStatus?.toLowerCase() === 'noncompliant';

/** Whether a PersistentVolume has a volume, by its handle or by the path of its disk. */
export const createVolumeMatcher = (known: PersistentVolumeFacts | undefined): ((volume: CnsVolume) => boolean) => {
  const paths = new Set(known?.inTree.map(({ path }) => path));
  return (volume) => {
    const path = volume.diskPath ?? '';
    return known?.handles.has(handleOf(volume)) || paths.has(path) || known?.handles.has(path) || false;
  };
};

/** Reads one volume after the other and keeps almost nothing of the healthy and known ones. */
export const createVolumeTally = (known: PersistentVolumeFacts | undefined) => {
  const isKnown = createVolumeMatcher(known);
  const unhealthy: VolumeFacts['unhealthy'][number][] = [];
  const orphans: (Named & Pick<CnsVolume, 'capacityMb'>)[] = [];
  const nonCompliant: (Named & { readonly handle: string })[] = [];
  let strayed = 0;
  let total = 0;
  let count = 0;
  let capacityMb = 0n;
  return {
    add: (volume: CnsVolume): void => {
      const { id, name, datastoreUrl, healthStatus: status } = volume;
      total += 1;
      if (status === 'red' || status === 'yellow')
        unhealthy.push({ id, name, handle: handleOf(volume), status, datastoreUrl });
      if (isNonCompliant(volume)) {
        strayed += 1;
        if (nonCompliant.length < namedOrphans) nonCompliant.push({ id, name, handle: handleOf(volume) });
      }
      if (!known || isKnown(volume)) return;
      count += 1;
      capacityMb += volume.capacityMb;
      if (orphans.length < rememberedOrphans) orphans.push({ id, name, capacityMb: volume.capacityMb });
    },
    hasOrphans: (): boolean => count > 0,
    /** Without the volumes with these names, whose PersistentVolumes are being created. */
    facts: (underWay: ReadonlySet<string> = new Set()): VolumeFacts => {
      const compliance = strayed > 0 ? { nonCompliant: { count: strayed, first: nonCompliant } } : {};
      if (!known) return { total, unhealthy, ...compliance };
      const coming = orphans.filter(({ name }) => underWay.has(name));
      const first = orphans.filter(({ name }) => !underWay.has(name)).slice(0, namedOrphans);
      const left = {
        count: count - coming.length,
        capacityMb: coming.reduce((sum, one) => sum - one.capacityMb, capacityMb),
        first: first.map(({ id, name }) => ({ id, name })),
      };
      return { total, unhealthy, ...compliance, orphans: left };
    },
  };
};
