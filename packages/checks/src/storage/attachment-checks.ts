import type { VolumeAttachment } from '@vdo/kube/types/storage';
import { type Check, fail, pass, skipped, type Verdict } from '../check.ts';
import { valueIn } from '../facts/reading.ts';
import type { ClusterFacts } from '../facts.ts';
import { driversObject, few, notRead } from '../not-read.ts';

const stuckAfterMs = 6 * 60_000;

interface Stuck {
  readonly attachment: VolumeAttachment;
  readonly verb: 'attached' | 'detached';
  readonly minutes: number;
}

const stuckIn = (attachment: VolumeAttachment, nowMs: number): readonly Stuck[] => {
  const { metadata, status } = attachment;
  const leaving = metadata.deletionTimestamp !== undefined;
  if (!leaving && status?.attached) return [];
  const sinceMs = Date.parse((leaving ? metadata.deletionTimestamp : metadata.creationTimestamp) ?? '');
  const waitedMs = nowMs - sinceMs;
  if (!(waitedMs >= stuckAfterMs)) return [];
  return [{ attachment, verb: leaving ? 'detached' : 'attached', minutes: Math.floor(waitedMs / 60_000) }];
};

const remedyFor = ({ attachment, verb }: Stuck, nodeExists: boolean) => {
  const { metadata, spec } = attachment;
  if (!nodeExists && verb === 'detached')
    return {
      remedy: `Node ${spec.nodeName} no longer exists. Once its VM is powered off or deleted, the volume is free:`,
      commands: [`kubectl patch volumeattachment ${metadata.name} --type merge -p '{"metadata":{"finalizers":null}}'`],
    };
  const commands = [`kubectl describe volumeattachment ${metadata.name}`, 'vdoctl logs csi-controller --since 10m'];
  if (verb === 'detached')
    return {
      remedy: `See node/vm-snapshot: a snapshot of the node VM prevents detaching. If node ${spec.nodeName} will not come back: kubectl taint node ${spec.nodeName} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute (remove this taint before the node is started again). These commands show the errors of the driver:`,
      commands,
    };
  return {
    remedy:
      'See node/disk-slots, privileges/node-vms and storage/datastore-shared. These commands show the errors of the driver:',
    commands,
  };
};

const judge = ({ kube, nowMs, nodes, spec }: ClusterFacts): readonly Verdict[] => {
  if (!spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
  const attachments = valueIn(kube.attachments);
  if (!attachments)
    return [notRead(driversObject, kube.attachments, 'the VolumeAttachments', 'the log of the operator')];
  const names = new Set(nodes.map(({ node }) => node.metadata.name));
  const stuck = attachments.pending.flatMap((one) => stuckIn(one, nowMs));
  return [
    ...stuck.map((one) => {
      const { attachment, verb, minutes } = one;
      const { spec: wanted, status, metadata } = attachment;
      const said = (verb === 'attached' ? status?.attachError : status?.detachError)?.message;
      const volume = wanted.source.persistentVolumeName ?? 'a volume';
      return fail(
        { kind: 'VolumeAttachment', name: metadata.name ?? '' },
        {
          reason: verb === 'attached' ? 'AttachStuck' : 'DetachStuck',
          message: `${volume} has been waiting for ${minutes} minutes to be ${verb} ${verb === 'attached' ? 'to' : 'from'} node ${wanted.nodeName}${said ? `: ${said}` : ''}`,
          ...remedyFor(one, names.has(wanted.nodeName)),
        },
      );
    }),
    pass(driversObject, `${attachments.total - stuck.length} of ${attachments.total} attachments are complete`),
  ];
};

const judgeInTree = ({ kube, spec }: ClusterFacts): readonly Verdict[] => {
  if (!spec.csi) return [skipped(driversObject, 'spec.csi is not set')];
  const volumes = valueIn(kube.persistentVolumes);
  if (!volumes)
    return [notRead(driversObject, kube.persistentVolumes, 'the PersistentVolumes', 'the log of the operator')];
  const { inTree } = volumes;
  if (inTree.length === 0) return [pass(driversObject, 'no PersistentVolume belongs to the removed in-tree provider')];
  const names = few(inTree.map(({ name }) => name));
  if (spec.csi.inTreeMigration)
    return [
      pass(driversObject, `${inTree.length} volumes of the removed in-tree provider are served by the storage driver`),
    ];
  return [
    fail(driversObject, {
      reason: 'InTreeVolumesLeft',
      message: `${inTree.length} PersistentVolumes belong to the in-tree provider, which Kubernetes no longer has: ${names}`,
      remedy: 'Enable the migration of in-tree volumes:',
      commands: [`kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"csi":{"inTreeMigration":true}}}'`],
    }),
  ];
};

export const attachmentChecks: readonly Check[] = [
  {
    id: 'storage/attach-stuck',
    title: 'No volume waits longer than six minutes to be attached or detached.',
    meaning: 'The pod that uses it does not start; after a node failure it cannot start on another node.',
    remedy:
      'The message contains the error from vCenter. If a node has failed permanently, shut down its VM, then run `kubectl taint node NAME node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`. Remove the taint before the node is started again.',
    action: 'BlockUpgrade',
    readsVolumes: true,
    judge,
  },
  {
    id: 'storage/in-tree-volumes-left',
    title: 'Volumes of the removed in-tree provider are served by the storage driver.',
    meaning:
      'Kubernetes no longer has that provider: its volumes cannot be mounted unless the storage driver takes them over.',
    remedy: 'Set `spec.csi.inTreeMigration` to true.',
    action: 'BlockUpgrade',
    readsVolumes: true,
    judge: judgeInTree,
  },
];
