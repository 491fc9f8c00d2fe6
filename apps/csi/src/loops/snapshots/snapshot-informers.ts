import type { Clock } from '@vdo/base/clock';
import type { Logger } from '@vdo/base/logger';
import type { Random } from '@vdo/base/random';
import type { KubeClient } from '@vdo/kube/client';
import { createInformer } from '@vdo/kube/create-informer';
import type { Informer } from '@vdo/kube/informer';
import {
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from '@vdo/kube/types/snapshots';
import { handlesOf } from '../../volumes/volume-id.ts';
import { awaitApi } from '../await-api.ts';

export interface SnapshotInformersDeps {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The snapshot objects of the cluster. */
export interface SnapshotInformers {
  /** Index `handle`: the snapshot handles of the contents. */
  readonly contents: Informer<VolumeSnapshotContent>;
  readonly classes: Informer<VolumeSnapshotClass>;
  /** Index `claim`: namespace/name of the source claim. */
  readonly snapshots: Informer<VolumeSnapshot>;
}

/** Resolves when the cluster has the snapshot API, which can be installed at any time. */
export const awaitSnapshotApi = (
  deps: Pick<SnapshotInformersDeps, 'kube' | 'clock' | 'logger'>,
  signal: AbortSignal,
): Promise<void> =>
  awaitApi(
    { name: 'snapshot API', resources: [volumeSnapshotClasses, volumeSnapshotContents, volumeSnapshots] },
    deps,
    signal,
  );

export const createSnapshotInformers = ({ kube, ...deps }: SnapshotInformersDeps): SnapshotInformers => ({
  contents: createInformer({
    client: kube,
    resource: volumeSnapshotContents,
    indexers: { handle: handlesOf },
    ...deps,
  }),
  classes: createInformer({ client: kube, resource: volumeSnapshotClasses, ...deps }),
  snapshots: createInformer({
    client: kube,
    resource: volumeSnapshots,
    indexers: {
      claim: ({ metadata, spec }) => {
        const name = spec.source.persistentVolumeClaimName;
        return name === undefined ? [] : [`${metadata.namespace ?? ''}/${name}`];
      },
    },
    ...deps,
  }),
});
