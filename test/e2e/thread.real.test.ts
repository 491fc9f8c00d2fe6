import type { PolicyRule } from '@vdo/kube/types/cluster';
import { roleObject } from '@vdo/releases/render/roles/driver-role';
import { nativeCsiRoles } from '@vdo/releases/render/roles/native-roles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEvent } from '../harness/control-plane.ts';
import type { LoggedProcess } from '../harness/process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { covers, describeRight, type GrantedRules, type Right, rightsOf, usedRights } from './operator-rbac.ts';
import { unusedRights } from './operator-rbac-reasons.ts';
import { operatorNamespace } from './operator-testbed.ts';
import { type RealTestbed, startRealTestbed } from './real-testbed.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const nodeName = 'node-1';
const nodeAddress = '10.20.30.40';
const vmName = 'DC0_C0_RP0_VM0';

interface Binding {
  readonly metadata: { readonly namespace?: string };
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly name: string; readonly namespace?: string }[];
}

/** When a test took rights away: what was refused then says nothing about the roles. */
const takenAway: { readonly fromMs: number; readonly toMs: number }[] = [];
/** From here on the drivers may be going: a pod that ends after its rights cannot give its Lease back, and need not. */
let removalMs = Number.POSITIVE_INFINITY;
/** Until the API server's authorizer has seen a role that is back. */
const settleMs = 2_000;
/** Account → what it may do, read while everything runs. */
const granted = new Map<string, GrantedRules[]>();

let testbed: RealTestbed;
let operator: LoggedProcess;

const kubectl = (...args: readonly string[]) => testbed.controlPlane.kubectl(args);
const apply = (object: unknown) =>
  testbed.controlPlane.kubectl(['apply', '--server-side', '-f', '-'], { stdin: JSON.stringify(object) });
const readJson = async (...args: readonly string[]) => JSON.parse(await kubectl(...args, '-o', 'json'));
const conditions = async (): Promise<Record<string, Condition>> => {
  const { status } = await readJson('get', 'vspheredrivers', 'cluster');
  return Object.fromEntries((status?.conditions ?? []).map((condition: Condition) => [condition.type, condition]));
};

/** Waits with the operator's log at hand; on failure the drivers' logs are shown too. */
const eventually = async <T>(what: string, attempt: () => Promise<T>, timeoutMs = 60_000) => {
  try {
    return await waitFor(attempt, { what, timeoutMs, everyMs: 250, processes: [operator] });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const events = await kubectl('get', 'events', '-A', '--sort-by=.lastTimestamp');
    const state = JSON.stringify(await conditions(), undefined, 1);
    throw new Error([message, await testbed.driverLogs(), events, state].join('\n'));
  }
};

const credentials = (username: string, password: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'vcenter', namespace: operatorNamespace },
  stringData: { username, password },
});
const drivers = (vcenter: Record<string, unknown> = {}) => ({
  apiVersion: 'vdo.vmware.com/v1beta1',
  kind: 'VSphereDrivers',
  metadata: { name: 'cluster' },
  spec: {
    distribution: 'Native',
    vcenters: [
      {
        server: testbed.vcsim.host,
        port: testbed.vcsim.port,
        credentialsSecret: 'vcenter',
        tls: { thumbprints: [testbed.vcsim.thumbprintSha256] },
        datacenters: ['DC0'],
        ...vcenter,
      },
    ],
    topology: { region: 'k8s-region', zone: 'k8s-zone' },
    cpi: {},
    csi: {},
  },
});

const prepareVCenter = async () => {
  const { govc } = testbed.vcsim;
  await govc('tags.category.create', 'k8s-region');
  await govc('tags.category.create', 'k8s-zone');
  await govc('tags.create', '-c', 'k8s-region', 'region-a');
  await govc('tags.create', '-c', 'k8s-zone', 'zone-a');
  await govc('tags.attach', 'region-a', '/DC0');
  await govc('tags.attach', 'zone-a', '/DC0/host/DC0_C0');
  await govc(
    'vm.change',
    '-vm',
    vmName,
    '-e',
    `SET.guest.ipAddress=${nodeAddress}`,
    '-e',
    `SET.guest.hostName=${nodeName}`,
  );
  const [vm] = JSON.parse(await govc('vm.info', '-json', vmName)).virtualMachines;
  return vm.config.uuid as string;
};

const ourSessions = async (): Promise<number> => {
  const { sessionList } = JSON.parse(await testbed.vcsim.govc('session.ls', '-json'));
  return sessionList.filter(({ userAgent = '' }: { userAgent?: string }) => !userAgent.startsWith('govc')).length;
};

const registerNode = async (systemUUID: string) => {
  await apply({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: nodeName, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': nodeName } },
    spec: { taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }] },
  });
  const status = {
    nodeInfo: {
      systemUUID,
      machineID: '',
      bootID: '',
      kernelVersion: '',
      osImage: '',
      containerRuntimeVersion: '',
      kubeletVersion: 'v1.34.4',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is ready' }];
  const body = JSON.stringify({ status: { ...status, conditions } });
  await kubectl('patch', 'node', nodeName, '--subresource=status', '--type=merge', '-p', body);
  // Admission puts it on; kube-controller-manager would take it off a Ready node, but its node controller does not run here.
  await kubectl('taint', 'node', nodeName, 'node.kubernetes.io/not-ready-');
};

const eventsFor = async (kind: string, name: string): Promise<{ reason: string; message: string; type: string }[]> =>
  (await readJson('get', 'events', '-A', '--field-selector', `involvedObject.kind=${kind},involvedObject.name=${name}`))
    .items;

/** A failure must reach people three ways: the condition, the event, and in both the remedy. */
const showsFailure = async (reason: string | RegExp, condition: string, remedy: RegExp) => {
  const matches = (actual: string) => (typeof reason === 'string' ? actual === reason : reason.test(actual));
  await eventually(`${condition}=False/${reason}`, async () => {
    const found = (await conditions())[condition];
    return found?.status === 'False' && matches(found.reason) && remedy.test(found.message);
  });
  expect((await conditions()).Ready).toMatchObject({ status: 'False', reason: expect.stringMatching(reason) });
  await eventually(`a warning event ${reason} with its remedy`, async () =>
    (await eventsFor('VSphereDrivers', 'cluster')).some(
      (event) => event.type === 'Warning' && matches(event.reason) && remedy.test(event.message),
    ),
  );
};

describe('thread', () => {
  beforeAll(async () => {
    testbed = await startRealTestbed({ audit: true });
    await registerNode(await prepareVCenter());
    operator = await testbed.startOperator();
  });
  afterAll(async () => {
    await testbed?.stop();
  });

  it('shows a missing Secret, and how to create it', async () => {
    await apply(drivers());
    await showsFailure(
      'SecretMissing',
      'CredentialsValid',
      /kubectl -n vmware-system-vdo create secret generic vcenter/,
    );
    expect((await conditions()).VCenterReachable).toMatchObject({ status: 'True' });
    expect((await conditions()).Stalled).toMatchObject({ status: 'True', reason: 'SecretMissing' });
  });

  it('shows a wrong password, and does not try it twice', async () => {
    await apply(credentials(testbed.vcsim.username, 'also-obviously-fake'));
    await showsFailure(/^VCenterLogin(Rejected|Suspended)$/, 'CredentialsValid', /Secret/);
    // A new process must not try the same password again: that is how restart loops lock accounts.
    await operator.stop();
    operator = await testbed.startOperator();
    const changed = { spec: { updates: { interval: '7h' } } };
    await kubectl('patch', 'vspheredrivers', 'cluster', '--type=merge', '-p', JSON.stringify(changed));
    await eventually('the restarted operator to look, and to hold back', async () => {
      const { metadata, status } = await readJson('get', 'vspheredrivers', 'cluster');
      const found = (await conditions()).CredentialsValid;
      return (
        status.observedGeneration === metadata.generation &&
        /^VCenterLogin(Rejected|Suspended)$/.test(found?.reason ?? '')
      );
    });
    const { data } = await readJson('-n', operatorNamespace, 'get', 'configmap', 'vsphere-login-guard');
    expect(JSON.parse(data.operator)).toMatchObject({
      [`${testbed.vcsim.host} ${testbed.vcsim.username}`]: { attemptsMs: [expect.any(Number)] },
    });
  });

  it('shows an unreachable vCenter', async () => {
    await apply(drivers({ port: 1 }));
    await showsFailure('VCenterUnreachable', 'VCenterReachable', /firewall|port/i);
    expect((await conditions()).CredentialsValid).toMatchObject({ status: 'Unknown' });
  });

  it('shows missing RBAC, with the rule to add', async () => {
    const role = await readJson('get', 'clusterrole', 'vdo-operator');
    const without = role.rules.filter(
      (rule: PolicyRule) => !(rule.resources?.includes('csidrivers') && rule.resourceNames),
    );
    expect(without.length).toBeLessThan(role.rules.length);
    const fromMs = Date.now();
    await kubectl('patch', 'clusterrole', 'vdo-operator', '--type=merge', '-p', JSON.stringify({ rules: without }));
    await apply(credentials(testbed.vcsim.username, testbed.vcsim.password));
    await apply(drivers());
    await showsFailure('KubeForbidden', 'Ready', /csidrivers/);
    await kubectl('patch', 'clusterrole', 'vdo-operator', '--type=merge', '-p', JSON.stringify({ rules: role.rules }));
    takenAway.push({ fromMs, toMs: Date.now() + settleMs });
  });

  it('reaches Ready with both native drivers once the causes are gone', async () => {
    await eventually('Ready=True', async () => (await conditions()).Ready?.status === 'True', 90_000);
    const { status } = await readJson('get', 'vspheredrivers', 'cluster');
    expect(status.drivers).toMatchObject([
      { kind: 'CPI', version: expect.stringMatching(/^\d/) },
      { kind: 'CSI', version: expect.stringMatching(/^\d/) },
      { kind: 'CNI', distribution: 'unknown' },
    ]);
    expect(status.nodes).toMatchObject({ total: 1, initialized: 1 });
    // One each for operator, CPI and CSI controller: never one per reconcile, node or volume.
    expect(await ourSessions()).toBeLessThanOrEqual(3);
    expect(await ourSessions()).toBeGreaterThan(0);
  });

  it('has initialized the node: providerID, addresses, zone labels, no taint', async () => {
    const node = await readJson('get', 'node', nodeName);
    expect(node.spec.providerID).toMatch(/^vsphere:\/\/[0-9a-f-]{36}$/);
    expect(node.spec.taints ?? []).not.toContainEqual(
      expect.objectContaining({ key: 'node.cloudprovider.kubernetes.io/uninitialized' }),
    );
    expect(node.metadata.labels).toMatchObject({
      'topology.kubernetes.io/region': 'region-a',
      'topology.kubernetes.io/zone': 'zone-a',
    });
    expect(node.status.addresses).toEqual(
      expect.arrayContaining([
        { type: 'InternalIP', address: nodeAddress },
        { type: 'ExternalIP', address: nodeAddress },
      ]),
    );
  });

  it('gives each account its own rights', async () => {
    const bound = async (kind: 'role' | 'clusterrole') =>
      (await readJson('get', `${kind}bindings`, '-A')).items.flatMap(({ metadata, roleRef, subjects = [] }: Binding) =>
        subjects
          .filter(({ namespace }) => namespace === operatorNamespace)
          .map(({ name }) => ({ name, namespace: metadata.namespace, role: roleRef })),
      );
    for (const { name, namespace, role } of [...(await bound('role')), ...(await bound('clusterrole'))]) {
      const place = role.kind === 'Role' ? ['-n', namespace] : [];
      const { rules } = await readJson(...place, 'get', role.kind.toLowerCase(), role.name);
      granted.set(name, [...(granted.get(name) ?? []), { ...(namespace ? { namespace } : {}), rules }]);
    }
    expect(JSON.stringify([...granted.values()])).not.toContain('"*"');
  });

  it('keeps credentials out of the ConfigMap and serves both drivers from one configuration', async () => {
    const { data } = await readJson('-n', operatorNamespace, 'get', 'configmap', 'vsphere-config');
    expect(data['vsphere.conf']).toContain(testbed.vcsim.host);
    expect(JSON.stringify(data)).not.toContain(testbed.vcsim.password);
    const secret = await readJson('-n', operatorNamespace, 'get', 'secret', 'vsphere-credentials');
    expect(Object.keys(secret.data)).toEqual(
      expect.arrayContaining([`${testbed.vcsim.host}.username`, `${testbed.vcsim.host}.password`]),
    );
  });

  it('turns a claim into a CNS volume and a bound PV', async () => {
    await apply({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'vsphere' },
      provisioner: 'csi.vsphere.vmware.com',
    });
    await apply({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'vsphere',
        resources: { requests: { storage: '1Gi' } },
      },
    });
    const claim = await eventually('the claim to be Bound', async () => {
      const found = await readJson('get', 'pvc', 'data');
      return found.status?.phase === 'Bound' ? found : undefined;
    });
    const volume = await readJson('get', 'pv', claim.spec.volumeName);
    expect(volume.spec.csi.driver).toBe('csi.vsphere.vmware.com');
    expect(await testbed.vcsim.govc('volume.ls')).toContain(volume.spec.csi.volumeHandle);
  });

  it('repairs what somebody deletes, edits or takes the rights of, within seconds', async () => {
    const soon = (what: string, attempt: () => Promise<unknown>) =>
      eventually(what, async () => Boolean(await attempt().catch(() => false)), 15_000);
    const inOurs = (...args: string[]) => readJson('-n', operatorNamespace, ...args);
    await kubectl('-n', operatorNamespace, 'delete', 'daemonset', 'vsphere-csi-node', '--wait=false');
    await soon('the DaemonSet', () => inOurs('get', 'daemonset', 'vsphere-csi-node'));
    await kubectl('-n', operatorNamespace, 'scale', 'deployment', 'vsphere-csi-controller', '--replicas=3');
    await soon(
      'one replica',
      async () => (await inOurs('get', 'deployment', 'vsphere-csi-controller')).spec.replicas === 1,
    );
    const fromMs = Date.now();
    const right = 'vdo:native-csi-1:controller';
    await kubectl('delete', 'clusterrolebinding', right);
    await soon('the ClusterRoleBinding', () => readJson('get', 'clusterrolebinding', right));
    takenAway.push({ fromMs, toMs: Date.now() + settleMs });
    await eventually('Ready=True', async () => (await conditions()).Ready?.status === 'True', 60_000);
  });

  it('says which role is missing, which it may not write, and goes on when it is back', async () => {
    const fromMs = Date.now();
    await kubectl('delete', 'clusterrole', 'vdo:native-csi-1:state');
    const ready = await eventually('the report', async () => {
      const { Ready } = await conditions();
      return Ready?.reason === 'DriverRoleMissing' ? Ready : undefined;
    });
    expect(ready?.message).toContain('ClusterRole vdo:native-csi-1:state');
    const role = roleObject(nativeCsiRoles.state);
    await apply(role);
    takenAway.push({ fromMs, toMs: Date.now() + settleMs });
    await eventually('Ready=True', async () => (await conditions()).Ready?.status === 'True', 60_000);
  });

  it('shows a class and a claim that cannot be served, and why', async () => {
    const withParameters = (name: string, parameters: Record<string, string>) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name },
      provisioner: 'csi.vsphere.vmware.com',
      parameters,
    });
    await expect(apply(withParameters('broken', { datastorurl: 'ds:///x' }))).rejects.toThrow(/datastoreurl/);
    const nowhere = 'ds:///vmfs/volumes/nowhere/';
    await apply(withParameters('nowhere', { datastoreurl: nowhere }));
    const resources = { requests: { storage: '1Gi' } };
    await apply({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'wrong', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'nowhere', resources },
    });
    await eventually('an event that names the datastore', async () =>
      (await eventsFor('PersistentVolumeClaim', 'wrong')).some(
        (event) => event.type === 'Warning' && event.message.includes(nowhere),
      ),
    );
    await kubectl('delete', 'pvc', 'wrong', '--wait=false');
  });

  it('refuses to be removed while a volume exists, before and after it is marked', async () => {
    // It is counted by itself, too, but not for minutes.
    await kubectl('annotate', '--overwrite', 'vspheredrivers', 'cluster', 'vdo.vmware.com/run-checks=before-removal');
    await eventually('the volume to be counted', async () => {
      const { status } = await readJson('get', 'vspheredrivers', 'cluster');
      return status.volumes?.total > 0;
    });
    await expect(kubectl('delete', 'vspheredrivers', 'cluster', '--wait=false')).rejects.toThrow(
      /1 PersistentVolumes .* would lose their driver/,
    );
    expect((await readJson('get', 'vspheredrivers', 'cluster')).metadata.deletionTimestamp).toBeUndefined();
    await kubectl('annotate', 'vspheredrivers', 'cluster', 'vdo.vmware.com/allow-removal=true');
    await kubectl('delete', 'vspheredrivers', 'cluster', '--wait=false');
    await eventually('VolumesInUse', async () => (await conditions()).Ready?.reason === 'VolumesInUse');
    expect(await kubectl('-n', operatorNamespace, 'get', 'deployments', '-o', 'name')).toContain(
      'vsphere-csi-controller',
    );
  });

  it('deletes the volume with its claim', async () => {
    removalMs = Date.now();
    await kubectl('delete', 'pvc', 'data', '--wait=false');
    await eventually(
      'the PV and the CNS volume to go',
      async () =>
        (await readJson('get', 'pv')).items.length === 0 && (await testbed.vcsim.govc('volume.ls')).trim() === '',
    );
  });

  it('removes everything it made, and logs out', async () => {
    await eventually(
      'the resource to go',
      async () => (await kubectl('get', 'vspheredrivers', '-o', 'name')).trim() === '',
    );
    await eventually(
      'the drivers to go',
      async () =>
        (await kubectl('-n', operatorNamespace, 'get', 'deployments,daemonsets,pods', '-o', 'name')).trim() === '',
    );
    expect((await readJson('get', 'csidrivers')).items).toEqual([]);
    const ours = ['-A', '-l', 'app.kubernetes.io/managed-by=vdo'];
    expect((await readJson('get', 'clusterroles,clusterrolebindings,rolebindings', ...ours)).items).toEqual([]);
    await operator.stop();
    await waitFor(async () => (await ourSessions()) === 0, { what: 'our sessions to end', timeoutMs: 10_000 });
  });

  describe('rights', () => {
    const accounts = ['vdo-operator', 'vsphere-cloud-controller-manager', 'vsphere-csi-controller', 'vsphere-csi-node'];
    const requestsOf = async (name: string) => {
      const user = `system:serviceaccount:${operatorNamespace}:${name}`;
      return (await testbed.controlPlane.auditEvents()).filter((event) => event.user.username === user);
    };

    it.each(accounts)('of %s suffice: nothing was refused but what a test took away', async (name) => {
      const wasTaken = ({ requestReceivedTimestamp = '', objectRef }: AuditEvent) => {
        const atMs = Date.parse(requestReceivedTimestamp);
        const isLate = atMs >= removalMs && objectRef?.resource === 'leases';
        return isLate || takenAway.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
      };
      const refused = (await requestsOf(name)).filter(
        (event) => event.responseStatus?.code === 403 && !wasTaken(event),
      );
      const asked = new Set(usedRights(refused).map(describeRight));
      expect([...asked]).toEqual([]);
    });

    it.each(accounts)('of %s are all used, or kept for a reason', async (name) => {
      const used = usedRights(await requestsOf(name));
      const rights = rightsOf(granted.get(name) ?? []);
      expect(rights.length).toBeGreaterThan(0);
      const unused = rights.filter((right: Right) => !used.some((one) => covers(right, one)));
      const without = unused.filter((right) => !unusedRights.some(({ matches }) => matches(name, right, rights)));
      expect(without.map(describeRight)).toEqual([]);
    });
  });
});
