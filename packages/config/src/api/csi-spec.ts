import { z } from 'zod';
import { keptWhenEmpty, objectName, stringMap } from './field-types.ts';

const datastoreUrl = z
  .string()
  .max(512)
  .regex(/^ds:\/\/\/.+$/);

const fileVolumesSpec = z
  .object({
    datastoreUrls: z
      .array(datastoreUrl)
      .max(64)
      .default([])
      .describe('vSAN datastores that may hold file volumes, by URL. Empty: every vSAN datastore with file services.'),
    netPermissions: z
      .array(
        z.object({
          ips: z
            .string()
            .min(1)
            .max(64)
            .describe('Clients this entry is for: an address, a network in CIDR notation, or * for all.'),
          permissions: z
            .enum(['ReadWrite', 'ReadOnly', 'NoAccess'])
            .default('ReadWrite')
            .describe('What these clients may do.'),
          rootSquash: z
            .boolean()
            .default(true)
            .describe(
              'Treat root on the client as an anonymous user. False lets root of the client act as root on the share.',
            ),
        }),
      )
      .max(32)
      .default([])
      .describe(
        'Who may mount file volumes. Empty: every client that reaches the share, read and write, as the upstream driver does.',
      ),
  })
  .describe('File volumes (ReadWriteMany) on vSAN file services. Leave it out to refuse them.');

const snapshotsSpec = z
  .object({
    install: z
      .boolean()
      .default(false)
      .describe('Install the snapshot CRDs and the snapshot controller if the cluster has none.'),
    maxPerVolume: z.int().min(1).max(32).default(3).describe('Greatest number of snapshots of one block volume.'),
    maxPerVolumeVsan: z
      .int()
      .min(1)
      .max(32)
      .optional()
      .describe('The same for volumes on vSAN. Default: maxPerVolume.'),
    maxPerVolumeVvol: z
      .int()
      .min(1)
      .max(32)
      .optional()
      .describe('The same for volumes on vVols. Default: maxPerVolume.'),
    classes: z
      .array(
        z.object({
          name: objectName.describe('Name of the VolumeSnapshotClass.'),
          default: z.boolean().default(false).describe('Make it the default class of this driver.'),
          deletionPolicy: z
            .enum(['Delete', 'Retain'])
            .default('Delete')
            .describe('What happens to the vSphere snapshot when the VolumeSnapshot is deleted.'),
        }),
      )
      .max(16)
      .default([])
      .describe('VolumeSnapshotClasses to create.')
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
  })
  .describe('Volume snapshots (vSphere 7.0U3 and later).');

export const storageClassSpec = z.object({
  name: objectName.describe('Name of the StorageClass.'),
  default: z.boolean().default(false).describe('Make it the default StorageClass of the cluster.'),
  storagePolicy: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('vSphere storage policy of the volumes. Default: the default policy of the chosen datastore.'),
  datastoreUrl: datastoreUrl
    .optional()
    .describe('Datastore for the volumes, by URL. Default: any compatible datastore.'),
  fsType: z
    .enum(['ext4', 'ext3', 'xfs', 'btrfs', 'nfs4'])
    .optional()
    .describe('File system of new volumes. Default: ext4 for block volumes, nfs4 for file volumes.'),
  reclaimPolicy: z
    .enum(['Delete', 'Retain'])
    .default('Delete')
    .describe('What happens to the vSphere volume when its claim is deleted.'),
  volumeBindingMode: z
    .enum(['Immediate', 'WaitForFirstConsumer'])
    .default('WaitForFirstConsumer')
    .describe('WaitForFirstConsumer places a volume where its pod runs; Immediate places it at once.'),
  allowVolumeExpansion: z.boolean().default(true).describe('Allow claims to grow.'),
  mountOptions: z.array(z.string().max(256)).max(32).default([]).describe('Mount options of the volumes.'),
  parameters: stringMap.optional().describe('Further StorageClass parameters of the driver.'),
});

export const csiSpec = z
  .object({
    credentialsSecret: objectName
      .optional()
      .describe(
        'Secret in namespace vmware-system-vdo with an account for this driver alone: the keys username and password, or <server>.username and <server>.password for each vCenter. Default: the credentialsSecret of each vCenter.',
      ),
    replicas: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe(
        'Number of CSI controller pods; each loop is active in one of them. Default: 2 where two nodes can take them, else 1.',
      ),
    sidecars: z
      .enum(['Integrated', 'Upstream'])
      .default('Integrated')
      .describe(
        'Integrated: the native controller contains provisioner, attacher, resizer, snapshotter and syncer. Upstream: the usual sidecar containers run beside it.',
      ),
    clusterId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Id under which vCenter lists the volumes of this cluster; unique per vCenter. Another one than the drivers have is refused. Default: that of the drivers that run already, else the UID of the namespace kube-system.',
      ),
    clusterDistribution: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('Kubernetes distribution shown beside the volumes in the vSphere client. Default: what was detected.'),
    fileVolumes: fileVolumesSpec.optional(),
    snapshots: snapshotsSpec.optional(),
    storageClasses: z
      .array(storageClassSpec)
      .max(32)
      .default([])
      .describe('StorageClasses to create.')
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    inTreeMigration: z
      .boolean()
      .default(false)
      .describe('Serve volumes of the former in-tree provider (kubernetes.io/vsphere-volume).'),
  })
  .describe('The storage driver. Leave it out to run the cloud controller manager alone.')
  .meta(keptWhenEmpty);

export type CsiSpec = z.infer<typeof csiSpec>;
export type StorageClassSpec = z.infer<typeof storageClassSpec>;
