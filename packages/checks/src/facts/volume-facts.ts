import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { PersistentVolumeFacts } from './kube-facts.ts';

type Named = Pick<CnsVolume, 'id' | 'name'>;

/** What the checks decide by, of the volumes registered under the id of this cluster: there may be tens of thousands. */
export interface VolumeFacts {
  readonly total: number;
  /** Those that vCenter calls red or yellow. */
  readonly unhealthy: readonly (Named & {
    readonly handle: string;
    readonly status: 'red' | 'yellow';
    readonly datastoreUrl: string;
  })[];
  /** Those that no PersistentVolume is; undefined if the PersistentVolumes could not be read. */
  readonly strangers?: { readonly count: number; readonly capacityMb: bigint; readonly first: readonly Named[] };
}

/** As many as a message names. */
const namedStrangers = 10;
/** Of so many it is remembered which they are; of more, how many. */
const rememberedStrangers = 1_000;

const handleOf = ({ id, type }: CnsVolume): string => (type === 'FILE' ? `file:${id}` : id);

/** Whether a PersistentVolume has a volume, by its handle or by the path of its disk. */
export const createVolumeMatcher = (known: PersistentVolumeFacts | undefined): ((volume: CnsVolume) => boolean) => {
  const paths = new Set(known?.inTree.map(({ path }) => path));
  return (volume) => {
    const path = volume.diskPath ?? '';
    return known?.handles.has(handleOf(volume)) || paths.has(path) || known?.handles.has(path) || false;
  };
};

/** Looks at one volume after the other and keeps next to nothing of the healthy and known ones. */
export const createVolumeTally = (known: PersistentVolumeFacts | undefined) => {
  const isKnown = createVolumeMatcher(known);
  const unhealthy: VolumeFacts['unhealthy'][number][] = [];
  const strangers: (Named & Pick<CnsVolume, 'capacityMb'>)[] = [];
  let total = 0;
  let count = 0;
  let capacityMb = 0n;
  return {
    add: (volume: CnsVolume): void => {
      const { id, name, datastoreUrl, healthStatus: status } = volume;
      total += 1;
      if (status === 'red' || status === 'yellow')
        unhealthy.push({ id, name, handle: handleOf(volume), status, datastoreUrl });
      if (!known || isKnown(volume)) return;
      count += 1;
      capacityMb += volume.capacityMb;
      if (strangers.length < rememberedStrangers) strangers.push({ id, name, capacityMb: volume.capacityMb });
    },
    hasStrangers: (): boolean => count > 0,
    /** Without the volumes of these names, which become PersistentVolumes just now. */
    facts: (underWay: ReadonlySet<string> = new Set()): VolumeFacts => {
      if (!known) return { total, unhealthy };
      const coming = strangers.filter(({ name }) => underWay.has(name));
      const first = strangers.filter(({ name }) => !underWay.has(name)).slice(0, namedStrangers);
      const left = {
        count: count - coming.length,
        capacityMb: coming.reduce((sum, one) => sum - one.capacityMb, capacityMb),
        first: first.map(({ id, name }) => ({ id, name })),
      };
      return { total, unhealthy, strangers: left };
    },
  };
};
