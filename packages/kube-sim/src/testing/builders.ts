import type { AnyObject } from '@vdo/kube/types/object';

type Fields = Readonly<Record<string, unknown>>;

export const configMap = (name: string, data: Fields = {}, metadata: Fields = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...(Object.keys(data).length > 0 ? { data } : {}),
});

export const deployment = (name: string, spec: Fields = {}): AnyObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'example/app:1' }] },
    },
    ...spec,
  },
});

export const node = (name: string, spec: Fields = {}, status: Fields = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  spec,
  status: { conditions: [{ type: 'Ready', status: 'True' }], ...status },
});

export const pod = (name: string, spec: Fields = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example/app:1' }], ...spec },
});

/** A CustomResourceDefinition `things.example.com` with one version `v1`. */
export const thingDefinition = (schema: Fields, version: Fields = {}): AnyObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing', shortNames: ['th'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: schema, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
        ...version,
      },
    ],
  },
});

export const thing = (name: string, spec: Fields = {}): AnyObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
});
