import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { clusterRoleBindings, clusterRoles, roleBindings } from '@vdo/kube/types/cluster';
import { configMaps, namespaces, nodes, persistentVolumes, pods, secrets, serviceAccounts } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { csiDrivers } from '@vdo/kube/types/storage';
import { type DaemonSet, daemonSets, deployments } from '@vdo/kube/types/workloads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, namespace, type SimTestbed } from './testing/sim-testbed.ts';

const fieldManager = 'somebody';
let testbed: SimTestbed;
beforeEach(async () => {
  testbed = await createSimTestbed();
  await testbed.joinNode('node-1');
  await testbed.putSecret(account);
});
afterEach(() => testbed.stop());

const ready = () => testbed.becomes('Ready', 'True', 'AllReady');
const apply = async (object: AnyObject) => {
  const resource = await testbed.kube.resourceFor(object.apiVersion, object.kind);
  return testbed.kube.apply(resource, object, { fieldManager, force: true });
};
const namespaceObject = (name: string): AnyObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const handMade = (
  kind: 'Deployment' | 'DaemonSet',
  place: { readonly name: string; readonly namespace: string; readonly image: string },
  labels: Readonly<Record<string, string>> = {},
): AnyObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: place.name, namespace: place.namespace, labels },
  spec: {
    selector: { matchLabels: { app: place.name } },
    template: {
      metadata: { labels: { app: place.name } },
      spec: { containers: [{ name: 'main', image: place.image }] },
    },
  },
});
const upstreamImage = 'registry.example/csi-vsphere/driver:v3.3.1';
const upstreamController = { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi', image: upstreamImage };
const upstreamNode = { name: 'vsphere-csi-node', namespace: 'vmware-system-csi', image: upstreamImage };

describe('drivers that somebody else installed', { timeout: 60_000 }, () => {
  beforeEach(() => apply(namespaceObject('vmware-system-csi')));

  it('give way to ours, and their volumes stay', async () => {
    await apply(handMade('Deployment', upstreamController));
    await apply(handMade('DaemonSet', upstreamNode));
    await testbed.kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1' },
      spec: { capacity: { storage: '1Gi' }, csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'h' } },
    });
    await testbed.describe();
    await ready();
    expect(await testbed.kube.find(deployments, upstreamController)).toBeUndefined();
    expect(await testbed.kube.find(daemonSets, upstreamNode)).toBeUndefined();
    expect(await testbed.kube.find(deployments, { ...upstreamController, namespace })).toBeDefined();
    expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(1);
  });

  it('hand on the id under which their volumes are registered, and another one is refused until it is set back', async () => {
    await apply(handMade('Deployment', upstreamController));
    const conf = '[Global]\ncluster-id = "by-hand"\n[VirtualCenter "vc"]\nuser = "u@d"\npassword = "p"\n';
    const data = { 'csi-vsphere.conf': Buffer.from(conf, 'utf8').toString('base64') };
    const place = { name: 'vsphere-config-secret', namespace: 'vmware-system-csi' };
    await apply({ apiVersion: 'v1', kind: 'Secret', metadata: place, data });
    const given = async () =>
      (await testbed.kube.find(configMaps, { namespace, name: 'vsphere-config' }))?.data?.['vsphere.conf'];
    await testbed.describe();
    await ready();
    expect(await given()).toContain('clusterId: "by-hand"');
    // Whoever tidies up what the former driver left does not change the id.
    await testbed.kube.delete(secrets, place);
    await testbed.describe({ csi: { clusterId: 'another' } });
    const shown = await testbed.becomes('Stalled', 'True', 'ConfigInvalid');
    expect(shown.message).toContain('Set spec.csi.clusterId to by-hand, or remove it');
    expect(await given()).toContain('clusterId: "by-hand"');
    await testbed.describe({ csi: {} });
    await ready();
    expect(await given()).toContain('clusterId: "by-hand"');
  });

  it('are left alone while Helm keeps them, until the takeover is allowed', async () => {
    await apply(handMade('Deployment', upstreamController, { 'app.kubernetes.io/managed-by': 'Helm' }));
    await testbed.describe();
    const shown = await testbed.becomes('Stalled', 'True', 'DriverManagedElsewhere');
    expect(shown.message).toContain('vdo.vmware.com/adopt=true');
    expect(await testbed.warnings()).toMatchObject([{ reason: 'DriverManagedElsewhere' }]);
    expect(await testbed.kube.find(deployments, { ...upstreamController, namespace })).toBeUndefined();
    await testbed.describe({}, { 'vdo.vmware.com/adopt': 'true' });
    await ready();
  });

  it('are left alone while the former operator runs, and go when it is gone', async () => {
    const former = { name: 'vdo-controller-manager', namespace, image: 'registry.example/vdo-operator:0.7.0' };
    await apply(handMade('Deployment', upstreamController));
    await apply(handMade('Deployment', former));
    await testbed.describe();
    const shown = await testbed.becomes('Stalled', 'True', 'DriverManagedElsewhere');
    expect(shown.message).toContain('kubectl -n vmware-system-vdo delete deployment vdo-controller-manager');
    expect(await testbed.kube.find(deployments, { ...upstreamController, namespace })).toBeUndefined();
    await testbed.kube.delete(deployments, former);
    await ready();
    expect(await testbed.kube.find(deployments, upstreamController)).toBeUndefined();
  });

  it('are not deleted to change what cannot be changed', async () => {
    await apply(handMade('Deployment', { ...upstreamController, namespace }));
    await testbed.kube.patch(
      deployments,
      { ...upstreamController, namespace },
      { type: 'merge', body: { metadata: { annotations: { mine: 'yes' } } } },
    );
    const before = await testbed.kube.get(deployments, { ...upstreamController, namespace });
    const foreign = { ...before.spec.selector, matchLabels: { other: 'selector' } };
    await testbed.kube.delete(deployments, { ...upstreamController, namespace });
    const object = handMade('Deployment', { ...upstreamController, namespace });
    const spec = object['spec'] as Record<string, unknown>;
    const template = { metadata: { labels: foreign.matchLabels }, spec: { containers: [{ name: 'm', image: 'x:1' }] } };
    await apply({ ...object, spec: { ...spec, selector: foreign, template } });
    await testbed.describe();
    const shown = await testbed.becomes('Stalled', 'True', 'KubeImmutableField');
    expect(shown.message).toContain('kubectl delete deployment vsphere-csi-controller');
    expect(await testbed.kube.find(deployments, { ...upstreamController, namespace })).toBeDefined();
  });
});

describe('a switch of the distribution', { timeout: 120_000 }, () => {
  it('goes to Upstream and back without losing volumes, and is never unavailable', async () => {
    await testbed.describe();
    await ready();
    await testbed.kube.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1' },
      spec: { capacity: { storage: '1Gi' }, csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'h' } },
    });
    const csiDriver = (await testbed.kube.get(csiDrivers, { name: 'csi.vsphere.vmware.com' })).metadata.uid;
    const distributions = async () =>
      ((await testbed.drivers())?.status?.drivers ?? []).slice(0, 2).map(({ distribution }) => distribution);
    const available = new Set<string>();
    for (const distribution of ['Upstream', 'Native']) {
      await testbed.describe({ distribution, images: { registry: 'registry.example' } });
      await testbed.until(
        `both drivers ${distribution}`,
        async () => {
          available.add((await testbed.condition('Available'))?.status ?? '?');
          const now = await distributions();
          return now.every((one) => one === distribution) && (await testbed.condition('Ready'))?.status === 'True';
        },
        3_000,
      );
      const own = (await testbed.kube.list(deployments, { namespace })).items.map(({ metadata }) => metadata.name);
      const theirs = (await testbed.kube.list(daemonSets, { namespace: 'vmware-system-csi' })).items.length;
      expect(own.length > 0).toBe(distribution === 'Native');
      expect(theirs > 0).toBe(distribution === 'Upstream');
    }
    expect(available).toEqual(new Set(['True']));
    expect((await testbed.kube.list(persistentVolumes)).items).toHaveLength(1);
    expect((await testbed.kube.get(csiDrivers, { name: 'csi.vsphere.vmware.com' })).metadata.uid).toBe(csiDriver);
  });
});

describe('a node that falls silent', { timeout: 60_000 }, () => {
  it('is named with what to do after half a minute, and forgotten when it is back', async () => {
    await testbed.describe();
    await ready();
    const setReady = async (status: 'True' | 'Unknown') => {
      const at = { lastTransitionTime: new Date(testbed.clock.now()).toISOString() };
      const conditions = [{ type: 'Ready', status, message: 'Kubelet stopped posting node status.', ...at }];
      const body = { type: 'merge', body: { status: { conditions } } } as const;
      await testbed.kube.patch(nodes, { name: 'node-1' }, body, { subresource: 'status' });
      for (const { metadata } of (await testbed.kube.list(pods, { namespace, labelSelector: 'app=vsphere-csi-node' }))
        .items) {
        const key = { name: metadata.name ?? '', namespace };
        const podReady = { type: 'Ready', status: status === 'True' ? status : 'False', ...at };
        const podStatus = { type: 'merge', body: { status: { conditions: [podReady] } } } as const;
        await testbed.kube.patch(pods, key, podStatus, { subresource: 'status' });
      }
    };
    await setReady('Unknown');
    await testbed.becomes('Progressing', 'True', 'RollingOut');
    const shown = await testbed.becomes('Degraded', 'True', 'WorkloadsNotReady');
    expect(shown.message).toMatch(/node node-1 is not ready \(Kubelet stopped.*kubectl describe node node-1/);
    expect(await testbed.condition('Progressing')).toMatchObject({ status: 'False', reason: 'WorkloadsNotReady' });
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    await setReady('True');
    await ready();
    expect(await testbed.condition('Degraded')).toMatchObject({ status: 'False' });
  });
});

describe('a role that comes with the operator', { timeout: 60_000 }, () => {
  const controller = { name: 'vdo:native-csi-1:controller' };

  it('keeps a driver from being installed while it is not there, and is named', async () => {
    const role = await testbed.kube.get(clusterRoles, controller);
    await testbed.kube.delete(clusterRoles, controller);
    await testbed.describe();
    const { message } = await testbed.becomes('Ready', 'False', 'DriverRoleMissing');
    expect(message).toContain('ClusterRole vdo:native-csi-1:controller');
    expect(message).toContain('operator.yaml');
    expect((await testbed.kube.list(clusterRoleBindings)).items).toEqual([]);
    expect((await testbed.kube.list(deployments, { namespace })).items).toEqual([]);
    const { metadata, rules = [] } = role;
    const { name, labels = {} } = metadata;
    const put = (some: typeof rules) =>
      testbed.kube.apply(
        clusterRoles,
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name: name ?? '', labels },
          rules: some,
        },
        { fieldManager: 'test', force: true },
      );
    await put(rules.slice(1));
    await testbed.until('what it lacks', async () =>
      ((await testbed.condition('Ready'))?.message ?? '').includes(
        'lacks a permission that the driver needs: get nodes.',
      ),
    );
    await put(rules);
    await ready();
  });

  it('is missed within seconds when somebody takes it away from a driver that runs, and nothing is removed', async () => {
    await testbed.describe();
    await ready();
    const before = (await testbed.kube.list(clusterRoleBindings)).items.length;
    await testbed.kube.delete(clusterRoles, controller);
    await testbed.until(
      'the report',
      async () => (await testbed.condition('Ready'))?.reason === 'DriverRoleMissing',
      50,
    );
    expect((await testbed.kube.list(clusterRoleBindings)).items).toHaveLength(before);
  });
});

describe('rights that the operator of v0.1.0 wrote', { timeout: 60_000 }, () => {
  it('go when the drivers have the new ones, and not before', async () => {
    const name = 'vsphere-csi-controller';
    const group = 'rbac.authorization.k8s.io';
    const labels = { 'app.kubernetes.io/managed-by': 'vdo' };
    const asOperator = { fieldManager: 'vdo-operator', force: true };
    const metadata = { name, labels };
    await testbed.kube.apply(
      clusterRoles,
      { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata, rules: [] },
      asOperator,
    );
    await testbed.kube.apply(
      clusterRoleBindings,
      {
        apiVersion: `${group}/v1`,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: group, kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', namespace, name }],
      },
      asOperator,
    );
    const seen: string[] = [];
    const stop = testbed.kubeSim.store.onChange(({ bucket, type, object }) => {
      if (bucket.endsWith('/clusterrolebindings')) seen.push(`${type} ${object.metadata.name}`);
    });
    await testbed.describe();
    await ready();
    await testbed.until('them to go', async () => (await testbed.kube.find(clusterRoles, { name })) === undefined);
    stop();
    const gone = seen.findIndex((text) => /delete/i.test(text) && text.endsWith(` ${name}`));
    const bound = seen.findIndex((text) => text.endsWith(' vdo:native-csi-1:controller'));
    expect(seen.join(), 'the order').toContain(name);
    expect(bound).toBeGreaterThanOrEqual(0);
    expect(gone).toBeGreaterThan(bound);
  });
});

describe('drift', { timeout: 60_000 }, () => {
  it('of rights and accounts is repaired within seconds, and then nothing is written any more but when checks ran', async () => {
    await testbed.describe();
    await ready();
    const within = (what: string, ask: () => Promise<unknown>) =>
      testbed.until(what, async () => Boolean(await ask()), 50);
    const controller = { name: 'vdo:native-csi-1:controller' };
    await testbed.kube.delete(clusterRoleBindings, controller);
    await within('the ClusterRoleBinding', () => testbed.kube.find(clusterRoleBindings, controller));
    const state = { name: 'vdo:native-csi-1:state', namespace };
    await testbed.kube.delete(roleBindings, state);
    await within('the RoleBinding', () => testbed.kube.find(roleBindings, state));
    await testbed.kube.patch(roleBindings, state, { type: 'merge', body: { subjects: [] } });
    await within('its subject', async () => ((await testbed.kube.get(roleBindings, state)).subjects ?? []).length > 0);
    await testbed.kube.delete(serviceAccounts, { name: 'vsphere-csi-node', namespace });
    await within('the account', () => testbed.kube.find(serviceAccounts, { name: 'vsphere-csi-node', namespace }));
    await testbed.kube.delete(configMaps, { name: 'vsphere-config', namespace });
    await within('the configuration', () => testbed.kube.find(configMaps, { name: 'vsphere-config', namespace }));
    await ready();
    // Every group of checks has run again by then.
    await testbed.clock.advance(10 * 60_000);
    const shown = async () => {
      const { checks, ...status } = (await testbed.drivers())?.status ?? {};
      return { ...status, checks: { ...checks, lastRunTime: '' } };
    };
    const before = await shown();
    let writes = 0;
    const stop = testbed.kubeSim.store.onChange(({ bucket }) => {
      if (bucket.endsWith('/vspheredrivers')) writes += 1;
    });
    await testbed.clock.advance(20 * 60_000);
    stop();
    expect(await shown()).toEqual(before);
    expect(writes).toBeLessThanOrEqual(4);
  });
});

describe('OpenShift', { timeout: 60_000 }, () => {
  const crd = (group: string, kind: string, plural: string): AnyObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
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
  const openShift = async () => {
    for (const object of [
      crd('config.openshift.io', 'ClusterVersion', 'clusterversions'),
      crd('operator.openshift.io', 'ClusterCSIDriver', 'clustercsidrivers'),
    ])
      await apply(object);
    await testbed.clock.advance(1_000);
  };
  const clusterDriver = (managementState: string): AnyObject => ({
    apiVersion: 'operator.openshift.io/v1',
    kind: 'ClusterCSIDriver',
    metadata: { name: 'csi.vsphere.vmware.com' },
    spec: { managementState },
  });

  it('keeps its drivers to itself: the operator stands down and only looks', async () => {
    await openShift();
    await apply(clusterDriver('Managed'));
    await apply(namespaceObject('openshift-cloud-controller-manager'));
    const place = { name: 'vsphere-cloud-controller-manager', namespace: 'openshift-cloud-controller-manager' };
    await apply(handMade('Deployment', { ...place, image: 'x:1' }));
    await testbed.describe();
    const shown = await testbed.becomes('Available', 'True', 'PlatformManaged');
    expect(shown.message).toContain('ClusterCSIDriver csi.vsphere.vmware.com');
    expect(await testbed.condition('Ready')).toMatchObject({ status: 'True', reason: 'PlatformManaged' });
    expect((await testbed.kube.list(deployments, { namespace })).items).toEqual([]);
  });

  it('gets drivers with its security constraints where it has removed its own', async () => {
    await openShift();
    await apply(clusterDriver('Removed'));
    await testbed.describe();
    await ready();
    const agent = await testbed.kube.get(daemonSets, { name: 'vsphere-csi-node', namespace });
    expect(agent.spec.template.metadata?.annotations).toMatchObject({ 'openshift.io/required-scc': 'privileged' });
  });

  it('takes no driver away that runs when it takes one back', async () => {
    await openShift();
    await apply(clusterDriver('Removed'));
    await testbed.describe();
    await ready();
    await apply(clusterDriver('Managed'));
    await testbed.becomes('StorageReady', 'True', 'PlatformManaged');
    await testbed.clock.advance(60_000);
    expect(await testbed.kube.find(daemonSets, { name: 'vsphere-csi-node', namespace })).toBeDefined();
  });
});

describe('the pod network', { timeout: 60_000 }, () => {
  it.each([
    ['Antrea', 'kube-system', 'antrea-agent'],
    ['Calico', 'calico-system', 'calico-node'],
    ['Cilium', 'kube-system', 'cilium'],
    ['Flannel', 'kube-flannel', 'kube-flannel-ds'],
    ['OVN-Kubernetes', 'ovn-kubernetes', 'ovnkube-node'],
    ['NCP', 'nsx-system', 'nsx-node-agent'],
  ])('%s is recognised', async (name, place, agent) => {
    await apply(namespaceObject(place));
    await apply(handMade('DaemonSet', { name: agent, namespace: place, image: `registry.example/${agent}:v1.2.3` }));
    await testbed.describe();
    await ready();
    const cni = (await testbed.drivers())?.status?.drivers?.find(({ kind }) => kind === 'CNI');
    expect(cni).toEqual({ kind: 'CNI', distribution: name, version: 'v1.2.3', nodes: { desired: 1, ready: 1 } });
  });

  it('is reported per node and never keeps the drivers from running', async () => {
    const message = 'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady';
    const body = { status: { conditions: [{ type: 'Ready', status: 'False', message }] } };
    await testbed.kube.patch(nodes, { name: 'node-1' }, { type: 'merge', body }, { subresource: 'status' });
    await testbed.describe();
    await testbed.until('CNI 0 of 1', async () =>
      ((await testbed.drivers())?.status?.drivers ?? []).some(
        ({ kind, nodes: count }) => kind === 'CNI' && count?.ready === 0,
      ),
    );
    expect(await testbed.kube.find(deployments, { name: 'vsphere-cloud-controller-manager', namespace })).toBeDefined();
  });

  const manifest = (tag: string, extra = '') =>
    ['antrea-agent', extra]
      .filter((name) => name !== '')
      .map((name) => JSON.stringify(handMade('DaemonSet', { name, namespace: 'kube-system', image: `cni:${tag}` })))
      .join('\n---\n');
  const publish = (text: string) =>
    testbed.kube.apply(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cni', namespace }, data: { 'cni.yaml': text } },
      { fieldManager, force: true },
    );
  const withCni = { cni: { manifest: { configMap: { name: 'cni' } } } };
  const agent = (name = 'antrea-agent'): Promise<DaemonSet | undefined> =>
    testbed.kube.find(daemonSets, { name, namespace: 'kube-system' });

  it('is installed, upgraded, pruned and removed from a manifest', async () => {
    await publish(manifest('1', 'second'));
    await testbed.describe(withCni);
    await ready();
    expect(await agent('second')).toBeDefined();
    await publish(manifest('2'));
    await testbed.until(
      'the new one',
      async () => (await agent())?.spec.template.spec.containers[0]?.image === 'cni:2',
    );
    await testbed.until('the second to go', async () => (await agent('second')) === undefined);
    await testbed.describe();
    await testbed.until('the network to go', async () => (await agent()) === undefined);
    await ready();
  });

  it('needs a right that is bound apart, and the operator says exactly that', async () => {
    const grant = testbed.kubeSim.faults.add({
      match: { resource: 'daemonsets', verb: 'patch', namespace: 'kube-system' },
      effect: { kind: 'deny' },
    });
    await publish(manifest('1'));
    await testbed.describe(withCni);
    const shown = await testbed.becomes('Ready', 'False', 'CniRoleMissing');
    expect(shown.message).toContain('kubectl apply -f deploy/cni-role.yaml');
    expect(await testbed.condition('Available')).toMatchObject({ status: 'True' });
    grant();
    await ready();
  });

  it('is not touched by a manifest that cannot be read', async () => {
    await publish(manifest('1'));
    await testbed.describe(withCni);
    await ready();
    await publish('kind: [');
    expect((await testbed.becomes('Ready', 'False', 'CniManifestInvalid')).message).toContain('at line 1');
    expect(await agent()).toBeDefined();
  });
});

describe('the end', { timeout: 60_000 }, () => {
  it('takes accounts and rights away after the last pod has ended, so that each can give its Lease back', async () => {
    await testbed.describe();
    await ready();
    const { store } = testbed.kubeSim;
    const early: string[] = [];
    let rights = 0;
    const stop = store.onChange(({ type, bucket, object }) => {
      if (type !== 'DELETED' || !/^(rbac\..*|\/serviceaccounts)$/.test(bucket)) return;
      rights += 1;
      if (store.list('/pods').length > 0) early.push(object.metadata.name ?? '');
    });
    await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
    await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
    stop();
    expect(rights).toBeGreaterThan(10);
    expect(early).toEqual([]);
  });

  it('leaves nothing but what it must, and says what that is', async () => {
    await testbed.describe();
    await ready();
    await testbed.kube.delete(vsphereDrivers, { name: 'cluster' });
    await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
    const left = (await testbed.events()).find(({ reason }) => reason === 'LeftBehind');
    expect(left?.message).toContain('Namespace vmware-system-vdo');
    const maps = (await testbed.kube.list(configMaps, { namespace })).items.map(({ metadata }) => metadata.name);
    expect(maps.filter((name) => name?.startsWith('vdo-'))).toEqual([]);
    expect((await testbed.kube.list(namespaces)).items.length).toBeGreaterThan(0);
  });
});
