import type { AnyObject } from '@vdo/kube/types/object';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LifecycleTestbed, startLifecycleTestbed } from './lifecycle-testbed.ts';
import { operatorNamespace } from './operator-testbed.ts';

// What can be shown without OpenShift: its kinds are custom resources here, and nobody enforces what they say.
let testbed: LifecycleTestbed;
const cloudPlace = { name: 'vsphere-cloud-controller-manager', namespace: 'openshift-cloud-controller-manager' };
const nodeAgent = { name: 'vsphere-csi-node', namespace: operatorNamespace };

const kindOf = (group: string, kind: string, plural: string): AnyObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, test only' } },
  spec: {
    group,
    scope: 'Cluster',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
const constraints = (name: string): AnyObject => ({
  apiVersion: 'security.openshift.io/v1',
  kind: 'SecurityContextConstraints',
  metadata: { name },
});
const clusterDriver = (managementState: string): AnyObject => ({
  apiVersion: 'operator.openshift.io/v1',
  kind: 'ClusterCSIDriver',
  metadata: { name: 'csi.vsphere.vmware.com' },
  spec: { managementState },
});
const own = async () => [
  ...(await testbed.kube.list(deployments, { namespace: operatorNamespace })).items,
  ...(await testbed.kube.list(daemonSets, { namespace: operatorNamespace })).items,
];
const mayUse = async (account: string, scc: string, namespace = operatorNamespace): Promise<boolean> => {
  const as = `--as=system:serviceaccount:${operatorNamespace}:${account}`;
  const resource = `securitycontextconstraints.security.openshift.io/${scc}`;
  return testbed.kubectl(['auth', 'can-i', 'use', resource, as, '-n', namespace]).then(
    (answer) => answer.trim() === 'yes',
    () => false,
  );
};
const becomes = (type: string, status: string, reason: string) =>
  testbed.until(`${type}=${status}/${reason}`, async () => {
    const found = await testbed.condition(type);
    return found?.status === status && found.reason === reason ? found : undefined;
  });

describe('a cluster with the kinds of OpenShift, on a real API server', () => {
  beforeAll(async () => {
    testbed = await startLifecycleTestbed();
    await testbed.putSecret(testbed.a);
    await testbed.joinNode(testbed.a, true);
    for (const crd of [
      kindOf('config.openshift.io', 'ClusterVersion', 'clusterversions'),
      kindOf('config.openshift.io', 'Infrastructure', 'infrastructures'),
      kindOf('operator.openshift.io', 'ClusterCSIDriver', 'clustercsidrivers'),
      kindOf('security.openshift.io', 'SecurityContextConstraints', 'securitycontextconstraints'),
    ])
      await testbed.apply(crd);
    await testbed.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
    const vsphere = { status: { platformStatus: { type: 'VSphere' } } };
    await testbed.until('the kinds to be served', async () => {
      await testbed.apply({
        apiVersion: 'config.openshift.io/v1',
        kind: 'Infrastructure',
        metadata: { name: 'cluster' },
        ...vsphere,
      });
      for (const name of ['privileged', 'hostnetwork-v2', 'anyuid']) await testbed.apply(constraints(name));
      await testbed.apply(clusterDriver('Managed'));
      return true;
    });
    await testbed.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: cloudPlace.namespace } });
    await testbed.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: cloudPlace,
      spec: {
        selector: { matchLabels: { app: 'ccm' } },
        template: {
          metadata: { labels: { app: 'ccm' } },
          spec: { containers: [{ name: 'ccm', image: 'registry.example/ccm:v1' }] },
        },
      },
    });
  });
  afterAll(async () => {
    await testbed?.stop();
  });

  it('keeps its own drivers: the operator installs nothing and says by whom they are kept', async () => {
    await testbed.describe({ vcenters: [testbed.a.spec], cpi: {} });
    const shown = await becomes('Available', 'True', 'PlatformManaged');
    expect(shown.message).toContain('ClusterCSIDriver csi.vsphere.vmware.com');
    expect(shown.message).toContain(`Deployment ${cloudPlace.namespace}/${cloudPlace.name}`);
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'True', reason: 'PlatformManaged' });
    expect(await own()).toEqual([]);
  });

  it('gets ours where it has removed its own, with the right to the constraints that the pods name, there only', async () => {
    await testbed.apply(clusterDriver('Removed'));
    await testbed.kube.delete(deployments, cloudPlace);
    await testbed.recheck();
    await becomes('Ready', 'True', 'AllReady');
    const { spec } = await testbed.kube.get(daemonSets, nodeAgent);
    expect(spec.template.metadata?.annotations).toMatchObject({ 'openshift.io/required-scc': 'privileged' });
    const cpi = await testbed.kube.get(deployments, { name: cloudPlace.name, namespace: operatorNamespace });
    expect(cpi.spec.template.metadata?.annotations).toMatchObject({ 'openshift.io/required-scc': 'hostnetwork-v2' });
    expect(await mayUse(nodeAgent.name, 'privileged')).toBe(true);
    expect(await mayUse(cloudPlace.name, 'hostnetwork-v2')).toBe(true);
    expect(await mayUse(nodeAgent.name, 'anyuid')).toBe(false);
    expect(await mayUse(nodeAgent.name, 'privileged', 'default')).toBe(false);
    expect(await mayUse('vsphere-csi-controller', 'privileged')).toBe(false);
  });

  it('does not lose ours when it takes storage back', async () => {
    const before = await testbed.kube.get(daemonSets, nodeAgent);
    await testbed.apply(clusterDriver('Managed'));
    await testbed.recheck();
    await becomes('StorageReady', 'True', 'PlatformManaged');
    await testbed.recheck();
    const after = await testbed.kube.get(daemonSets, nodeAgent);
    expect([after.metadata.uid, after.metadata.deletionTimestamp]).toEqual([before.metadata.uid, undefined]);
  });

  it('was asked for nothing that the operator may not do', async () => {
    const refused = (await testbed.auditEvents()).filter(
      ({ user, responseStatus }) =>
        user.username === `system:serviceaccount:${operatorNamespace}:vdo-operator` && responseStatus?.code === 403,
    );
    expect(refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  });
});
