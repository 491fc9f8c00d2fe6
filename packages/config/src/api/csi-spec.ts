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
      .describe('URLs of the vSAN datastores for file volumes. If empty, every vSAN datastore with file services.'),
    clusters: z
      .array(z.string().min(1).max(512))
      .max(32)
      .default([])
      .describe(
        'vSAN clusters with file services in which file volumes are created: a name, an inventory path such as /DC/host/C1, or an ID such as domain-c8. If empty, every cluster with file services.',
      ),
    netPermissions: z
      .array(
        z.object({
          ips: z
            .string()
            .min(1)
            .max(64)
            .describe('Clients of this entry: an IP address, a network in CIDR notation, or * for all.'),
          permissions: z
            .enum(['ReadWrite', 'ReadOnly', 'NoAccess'])
            .default('ReadWrite')
            .describe('Access of these clients.'),
          rootSquash: z
            .boolean()
            .default(true)
            .describe(
              'Treat root on the client as an anonymous user. If false, root on the client is root on the share.',
            ),
        }),
      )
      .max(32)
      .default([])
      .describe(
        'Clients that can mount file volumes. If empty, every client that can reach the share has read and write access, as with the upstream driver.',
      ),
  })
  .describe('File volumes (ReadWriteMany) on vSAN file services. If omitted, they are not supported.');

const snapshotsSpec = z
  .object({
    install: z
      .boolean()
      .default(false)
      .describe('Install the snapshot CRDs and the snapshot controller if the cluster has none.'),
    maxPerVolume: z.int().min(1).max(32).default(3).describe('Maximum number of snapshots per block volume.'),
    maxPerVolumeVsan: z
      .int()
      .min(1)
      .max(32)
      .optional()
      .describe('Maximum number for volumes on vSAN. Default: maxPerVolume.'),
    maxPerVolumeVvol: z
      .int()
      .min(1)
      .max(32)
      .optional()
      .describe('Maximum number for volumes on vVols. Default: maxPerVolume.'),
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
    .describe('vSphere storage policy of the volumes. Default: the default policy of the selected datastore.'),
  datastoreUrl: datastoreUrl
    .optional()
    .describe('URL of the datastore for the volumes. Default: any compatible datastore.'),
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
    .describe(
      'WaitForFirstConsumer creates a volume when a pod uses it, where the pod runs; Immediate creates it at once.',
    ),
  allowVolumeExpansion: z.boolean().default(true).describe('Allow claims to be expanded.'),
  mountOptions: z.array(z.string().max(256)).max(32).default([]).describe('Mount options of the volumes.'),
  parameters: stringMap.optional().describe('Additional StorageClass parameters of the driver.'),
});

export const csiSpec = z
  .object({
    credentialsSecret: objectName
      .optional()
      .describe(
        'Secret in namespace vmware-system-vdo with an account only for this driver, with the keys username and password, or <server>.username and <server>.password for each vCenter. Default: the credentialsSecret of each vCenter.',
      ),
    replicas: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe(
        'Number of CSI controller pods; each control loop is active in one of them. Default: 2 if two nodes can run them, otherwise 1.',
      ),
    sidecars: z
      .enum(['Integrated', 'Upstream'])
      .default('Integrated')
      .describe(
        'Integrated: the native controller contains provisioner, attacher, resizer, snapshotter and syncer. Upstream: the usual sidecar containers run in the same pod.',
      ),
    clusterId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'ID under which vCenter lists the volumes of this cluster; unique per vCenter. It cannot differ from the ID that the drivers already use. Default: the ID of the running drivers, otherwise the UID of namespace kube-system.',
      ),
    clusterDistribution: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('Kubernetes distribution shown with the volumes in the vSphere Client. Default: the detected one.'),
    fileVolumes: fileVolumesSpec.optional(),
    snapshots: snapshotsSpec.optional(),
    storageClasses: z
      .array(storageClassSpec)
      .max(32)
      .default([])
      .describe('StorageClasses to create.')
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    volumeMoves: z
      .boolean()
      .default(false)
      .describe(
        'Volumes are moved to other datastores with vdoctl volumes move. The account then also needs Datastore.AllocateSpace on the datastores, which the checks require and vdoctl vsphere user apply grants.',
      ),
    inTreeMigration: z
      .boolean()
      .default(false)
      .describe('Serve volumes of the removed in-tree provider (kubernetes.io/vsphere-volume).'),
  })
  .describe('The storage driver. Omit it to run only the cloud controller manager.')
  .meta(keptWhenEmpty);

export type CsiSpec = z.infer<typeof csiSpec>;
export type StorageClassSpec = z.infer<typeof storageClassSpec>;
