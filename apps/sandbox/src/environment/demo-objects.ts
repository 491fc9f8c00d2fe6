import { names } from '@vdo/config/names';
import type { AnyObject } from '@vdo/kube/types/object';

export const demo = { namespace: 'default', name: 'diary', replicas: 3, storageClass: 'vsphere', image: 'vdo/diary' };

const labels = { app: demo.name };

/** A demonstration that storage works: pods that each write a diary to their own volume. */
export const demoObjects = (): readonly AnyObject[] => [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: demo.storageClass },
    provisioner: names.csiDriver,
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: demo.name, namespace: demo.namespace },
    spec: {
      serviceName: demo.name,
      replicas: demo.replicas,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'diary', image: demo.image, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: demo.storageClass,
            resources: { requests: { storage: '1Gi' } },
          },
        },
      ],
    },
  },
];
