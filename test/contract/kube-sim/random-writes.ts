import type { Random } from '@vdo/base/random';

export interface Write {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** A kind to write at random: its path and a generator of its content. */
export interface Subject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path: string;
  readonly content: (pick: Pick) => Json;
  /** Default: an observedGeneration. */
  readonly status?: (pick: Pick) => Json;
}

/** Random choices. */
interface Pick {
  one<T>(...choices: readonly T[]): T;
  /** The fields, each of them present or not. */
  some(fields: Readonly<Record<string, () => unknown>>): Json;
  /** Each item present or not. */
  items<T>(...items: readonly T[]): readonly T[];
}

const pickerOf = (random: Random): Pick => {
  const isHeads = () => random.next() < 0.5;
  return {
    one: (...choices) => choices[Math.floor(random.next() * choices.length)] as (typeof choices)[number],
    some: (fields) =>
      Object.fromEntries(
        Object.entries(fields)
          .filter(isHeads)
          .map(([name, make]) => [name, make()]),
      ),
    items: (...items) => items.filter(isHeads),
  };
};

const metadata = (pick: Pick): Json =>
  pick.some({
    labels: () => pick.some({ a: () => pick.one('1', '2'), b: () => 'x' }),
    annotations: () => pick.some({ note: () => pick.one('1', '2') }),
    finalizers: () => pick.items('x.test/one', 'x.test/two'),
  });

const env = (pick: Pick) => pick.items('A', 'B', 'C').map((name) => ({ name, value: pick.one('1', '2') }));
const ports = (pick: Pick) =>
  pick
    .items<number>(80, 443)
    .map((containerPort) => ({ containerPort, ...pick.some({ name: () => `p${containerPort}` }) }));

const container = (pick: Pick, name: string): Json => ({
  name,
  image: pick.one('none.test/a:1', 'none.test/a:2'),
  ...pick.some({
    env: () => env(pick),
    ports: () => ports(pick),
    args: () => pick.items('--x', '--y'),
    resources: () => ({ requests: pick.some({ cpu: () => '1', memory: () => '1Gi' }) }),
    volumeMounts: () => pick.items('/a', '/b').map((mountPath) => ({ mountPath, name: 'v' })),
  }),
});

const podSpec = (pick: Pick): Json => ({
  containers: [container(pick, 'main'), ...pick.items('side').map((name) => container(pick, name))],
  volumes: [{ name: 'v', emptyDir: {} }],
  ...pick.some({
    tolerations: () => pick.items('a', 'b').map((key) => ({ key, operator: 'Exists' })),
    nodeSelector: () => pick.some({ zone: () => 'a', disk: () => 'ssd' }),
    hostNetwork: () => false,
    imagePullSecrets: () => pick.items('s1', 's2').map((name) => ({ name })),
  }),
});

export const thingDefinition: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', minimum: 1, default: 3 },
                  mode: { type: 'string', enum: ['fast', 'slow'] },
                  nested: {
                    type: 'object',
                    properties: { on: { type: 'boolean', default: true }, name: { type: 'string' } },
                  },
                  keyed: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name', 'protocol'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: {
                        name: { type: 'string' },
                        protocol: { type: 'string', default: 'TCP' },
                        value: { type: 'integer' },
                      },
                    },
                  },
                  unique: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
                  plain: { type: 'array', items: { type: 'object', properties: { x: { type: 'string' } } } },
                  whole: {
                    type: 'object',
                    'x-kubernetes-map-type': 'atomic',
                    properties: { a: { type: 'string' }, b: { type: 'string' } },
                  },
                  table: { type: 'object', additionalProperties: { type: 'string' } },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

const thingSpec = (pick: Pick): Json =>
  pick.some({
    size: () => pick.one<unknown>(1, 2, 0, 'x'),
    mode: () => pick.one('fast', 'slow', 'fast', 'odd'),
    nested: () => pick.some({ on: () => pick.one(true, false), name: () => 'n', stray: () => 1 }),
    keyed: () =>
      pick.items('a', 'b', 'c').map((name) => ({
        name,
        ...pick.some({ value: () => pick.one(1, 2), protocol: () => pick.one('TCP', 'UDP') }),
      })),
    unique: () => pick.items('x', 'y', 'z'),
    plain: () => pick.items('1', '2').map((x) => ({ x })),
    whole: () => pick.some({ a: () => pick.one('1', '2'), b: () => '3' }),
    table: () => pick.some({ k: () => pick.one('1', '2'), l: () => '3' }),
    free: () => pick.some({ list: () => pick.items<number>(1, 2), deep: () => pick.some({ a: () => pick.one(1, 2) }) }),
  });

const times = { lastUpdateTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };

export const subjects: readonly Subject[] = [
  {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    path: '/api/v1/namespaces/default/configmaps',
    content: (pick) =>
      pick.some({ data: () => pick.some({ x: () => pick.one('1', '2'), y: () => '1', z: () => '1' }) }),
  },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    path: '/apis/apps/v1/namespaces/default/deployments',
    content: (pick) => ({
      spec: {
        ...pick.some({ replicas: () => pick.one(1, 2), paused: () => true }),
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x', ...pick.some({ more: () => 'y' }) } }, spec: podSpec(pick) },
      },
    }),
    status: (pick) =>
      pick.some({
        observedGeneration: () => pick.one(1, 2),
        conditions: () =>
          pick.items('Available', 'Other').map((type) => ({ type, status: pick.one('True', 'False'), ...times })),
      }),
  },
  {
    kind: 'Thing',
    apiVersion: 'example.com/v1',
    path: '/apis/example.com/v1/namespaces/default/things',
    content: (pick) => pick.some({ spec: () => thingSpec(pick) }),
  },
];

const patchType = 'application/merge-patch+json';
const strategicType = 'application/strategic-merge-patch+json';

/** A create, an apply, a merge patch, an update of the status or a deletion, with random content. */
export const randomWrite = (random: Random, subject: Subject, name: string): Write => {
  const pick = pickerOf(random);
  const { apiVersion, kind } = subject;
  const path = `${subject.path}/${name}`;
  const content = subject.content(pick);
  const status = subject.status?.(pick) ?? pick.some({ observedGeneration: () => pick.one(1, 2) });
  const place = path.includes('/namespaces/') ? { name, namespace: 'default' } : { name };
  const object = { apiVersion, kind, metadata: { ...metadata(pick), ...place }, ...content };
  const manager = `fieldManager=${pick.one('one', 'two', 'three')}`;
  const apply = { method: 'PATCH', type: 'application/apply-patch+yaml' };
  switch (
    pick.one(
      'apply',
      'apply',
      'apply',
      'force',
      'merge',
      'create',
      'status',
      'status-apply',
      'strategic',
      'strategic-status',
      'delete',
    )
  ) {
    case 'apply':
      return { ...apply, path: `${path}?${manager}`, body: object };
    case 'force':
      return { ...apply, path: `${path}?${manager}&force=true`, body: object };
    case 'merge':
      return {
        method: 'PATCH',
        path: `${path}?${manager}`,
        type: patchType,
        body: { metadata: metadata(pick), ...content },
      };
    case 'create':
      return { method: 'POST', path: `${subject.path}?${manager}`, type: 'application/json', body: object };
    case 'status':
      return { method: 'PATCH', path: `${path}/status?${manager}`, type: patchType, body: { status } };
    case 'strategic':
      return {
        method: 'PATCH',
        path: `${path}?${manager}`,
        type: strategicType,
        body: { metadata: metadata(pick), ...content },
      };
    case 'strategic-status':
      return { method: 'PATCH', path: `${path}/status?${manager}`, type: strategicType, body: { status } };
    case 'status-apply':
      return { ...apply, path: `${path}/status?${manager}`, body: { apiVersion, kind, metadata: place, status } };
    default:
      return { method: 'DELETE', path, type: 'application/json', body: {} };
  }
};
