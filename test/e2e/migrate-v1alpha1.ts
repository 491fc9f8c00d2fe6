import type { AnyObject } from '@vdo/kube/types/object';
import { operatorNamespace as namespace } from './operator-testbed.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const texts = { type: 'array', items: text } as const;
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const driverStatus = object({
  phase: { ...text, enum: ['Deploying', 'Deployed', 'Configuring', 'Configured', 'Failed'] },
  statusMsg: text,
});

/** The kinds of upstream VDO 0.7: what an API server that knows them takes, and drops everything else. */
const schemas = {
  VDOConfig: object({
    spec: object(
      {
        cloudProvider: object({
          vsphereCloudConfigs: texts,
          topology: object({ zone: text, region: text }, ['region', 'zone']),
        }),
        storageProvider: object({ vsphereCloudConfig: text, clusterDistribution: text, customKubeletPath: text }, [
          'vsphereCloudConfig',
        ]),
      },
      ['storageProvider'],
    ),
    status: object({ cpi: driverStatus, csi: driverStatus }),
  }),
  VsphereCloudConfig: object({
    spec: object({ vcIp: text, insecure: flag, thumbprint: text, credentials: text, datacenters: texts }, [
      'credentials',
      'datacenters',
      'insecure',
      'vcIp',
    ]),
    status: object({ config: { ...text, enum: ['verified', 'failed'] }, message: text }, ['config']),
  }),
};

const definitions: readonly AnyObject[] = Object.entries(schemas).map(([kind, openAPIV3Schema]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.vdo.vmware.com` },
  spec: {
    group: 'vdo.vmware.com',
    scope: 'Namespaced',
    names: { plural: `${kind.toLowerCase()}s`, kind, listKind: `${kind}List`, singular: kind.toLowerCase() },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { ...openAPIV3Schema } },
      },
    ],
  },
}));

export interface V1alpha1Settings {
  readonly server: string;
  readonly datacenter: string;
  readonly username: string;
  readonly password: string;
}

/** As its wizard leaves a cluster: one entry and one Secret for each driver, of the same vCenter; and the operator that made of it what runs. */
export const v1alpha1Objects = ({ server, datacenter, username, password }: V1alpha1Settings): readonly AnyObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  ...definitions,
  ...['cpi', 'csi'].flatMap((driver) => [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${server}-creds-${driver}`, namespace: 'kube-system' },
      stringData: { username, password },
    },
    {
      apiVersion: 'vdo.vmware.com/v1alpha1',
      kind: 'VsphereCloudConfig',
      metadata: { name: `${server}-${driver}`, namespace },
      spec: { vcIp: server, insecure: true, credentials: `${server}-creds-${driver}`, datacenters: [datacenter] },
    },
  ]),
  {
    apiVersion: 'vdo.vmware.com/v1alpha1',
    kind: 'VDOConfig',
    metadata: { name: 'vdo-config-5f1b', namespace },
    spec: {
      cloudProvider: { vsphereCloudConfigs: [`${server}-cpi`] },
      storageProvider: { vsphereCloudConfig: `${server}-csi` },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'vdo-controller-manager', namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { 'control-plane': 'controller-manager' } },
      template: {
        metadata: { labels: { 'control-plane': 'controller-manager' } },
        spec: { containers: [{ name: 'manager', image: 'registry.example/vdo-operator:0.7.0' }] },
      },
    },
  },
];

/** What that operator writes about its objects. */
export const v1alpha1Statuses = ({ server }: V1alpha1Settings) => [
  { resource: 'vspherecloudconfigs', name: `${server}-cpi`, status: { config: 'verified' } },
  { resource: 'vspherecloudconfigs', name: `${server}-csi`, status: { config: 'verified' } },
  {
    resource: 'vdoconfigs',
    name: 'vdo-config-5f1b',
    status: { cpi: { phase: 'Configured', statusMsg: '' }, csi: { phase: 'Configured', statusMsg: '' } },
  },
];
