import type { AnyObject } from '@vdo/kube/types/object';
import { type ApiDeps, targetKey } from './api/target.ts';
import { createObject } from './api/write.ts';
import { isObject } from './json.ts';

const cluster = (apiVersion: string, kind: string, name: string, rest: object = {}): AnyObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
});

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) =>
  cluster('v1', 'Namespace', name),
);
const priorities = [
  { name: 'system-cluster-critical', value: 2_000_000_000 },
  { name: 'system-node-critical', value: 2_000_001_000 },
].map(({ name, value }) => cluster('scheduling.k8s.io/v1', 'PriorityClass', name, { value }));

/** Creates what every API server creates by itself at its first start. */
export const bootstrapCluster = (deps: ApiDeps): void => {
  for (const object of [...namespaces, ...priorities]) {
    const [group = '', version = ''] = object.apiVersion.includes('/')
      ? object.apiVersion.split('/')
      : ['', object.apiVersion];
    const served = deps.registry.findKind(group, object.kind);
    const { name } = object.metadata;
    if (!served || name === undefined || served.version.name !== version) continue;
    const target = { ...served, name, subresource: '' };
    if (isObject(deps.store.get(served.definition.bucket, targetKey(target)))) continue;
    const context = {
      fieldManager: 'kube-apiserver',
      dryRun: false,
      fieldValidation: 'Ignore',
      warn: () => {},
    } as const;
    createObject(deps, target, { body: object, context });
  }
};
