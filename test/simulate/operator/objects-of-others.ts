import { names } from '@vdo/config/names';
import type { KubeClient } from '@vdo/kube/client';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';

const mark = 'example.com/owner';

/** Whether an object is of somebody else and has to stay as it is. */
export const isForeign = ({ metadata }: Pick<AnyObject, 'metadata'>): boolean =>
  metadata.annotations?.[mark] !== undefined;

const name = 'of-somebody-else';
const own = names.namespace;
const places = [own, names.upstreamCsiNamespace, names.systemNamespace];
const rbac = 'rbac.authorization.k8s.io';
const nobody = { 'example.com/no-such-node': 'true' };
const labels = { app: name };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/app:1' }] } };
const workload = { selector: { matchLabels: labels }, template };

const at = (apiVersion: string, kind: string, metadata: object, rest: object = {}): AnyObject => ({
  apiVersion,
  kind,
  ...rest,
  metadata: {
    name,
    // Ours by label, so that nothing but who has applied them tells whose they are.
    labels: { 'app.kubernetes.io/managed-by': 'vdo' },
    annotations: { [mark]: 'somebody-else' },
    ...metadata,
  },
});

/** Some bear a name that the operator looks for: that of the snapshot controller, which nobody here has asked it for. */
const others: readonly AnyObject[] = [
  ...places.flatMap((namespace) => [
    at('v1', 'ConfigMap', { namespace }),
    at('v1', 'Secret', { namespace }),
    at('v1', 'ServiceAccount', { namespace }),
    at(`${rbac}/v1`, 'Role', { namespace }, { rules: [] }),
    at('apps/v1', 'Deployment', { namespace }, { spec: { ...workload, replicas: 0 } }),
    at(
      'apps/v1',
      'DaemonSet',
      { namespace },
      { spec: { ...workload, template: { ...template, spec: { ...template.spec, nodeSelector: nobody } } } },
    ),
  ]),
  at('v1', 'ServiceAccount', { namespace: own, name: names.snapshotController }),
  at(`${rbac}/v1`, 'ClusterRole', {}, { rules: [] }),
  at(`${rbac}/v1`, 'ClusterRole', { name: names.snapshotController }, { rules: [] }),
  at(
    `${rbac}/v1`,
    'ClusterRoleBinding',
    { name: names.snapshotController },
    { roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: names.snapshotController }, subjects: [] },
  ),
  at(
    `${rbac}/v1`,
    'ClusterRoleBinding',
    { name: 'vdo:snapshots-1:controller' },
    { roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'vdo:snapshots-1:controller' }, subjects: [] },
  ),
  at('storage.k8s.io/v1', 'StorageClass', {}, { provisioner: names.csiDriver }),
  at('storage.k8s.io/v1', 'CSIDriver', { name: 'csi.example.com' }, { spec: { attachRequired: true } }),
  at(
    'v1',
    'PersistentVolume',
    {},
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        csi: { driver: 'csi.example.com', volumeHandle: 'h' },
      },
    },
  ),
];

/** How many there are. */
export const objectsOfOthers = others.length;

/** Fills the surroundings of the drivers with objects of others. */
export const addObjectsOfOthers = async (kube: KubeClient): Promise<void> => {
  for (const object of others) {
    const resource = (await kube.resourceFor(object.apiVersion, object.kind)) as Resource<AnyObject>;
    await kube.create(resource, object, { fieldManager: 'somebody-else' });
  }
};
