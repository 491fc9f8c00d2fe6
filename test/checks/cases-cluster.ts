import { VdoError } from '@vdo/base/vdo-error';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { nodes, pods } from '@vdo/kube/types/core';
import { csiNodes } from '@vdo/kube/types/storage';
import { daemonSets, deployments } from '@vdo/kube/types/workloads';
import type { CheckCase } from './check-case.ts';
import type { CheckTestbed } from './check-testbed.ts';
import { server } from './testbed-model.ts';
import {
  csiDriver,
  csiNodeObject,
  daemonSet,
  deployment,
  nodeObject,
  podObject,
  put,
  snapshotCrd,
} from './testbed-objects.ts';

const dayMs = 24 * 3_600_000;
const setMatrix = (testbed: CheckTestbed, change: object): void => {
  const { releases } = testbed.world;
  testbed.world.releases = { ...releases, ...(releases.matrix ? { matrix: { ...releases.matrix, ...change } } : {}) };
};
const setDriver = (testbed: CheckTestbed, kind: string, verdict: 'inside' | 'too-new'): void => {
  const drivers = testbed.world.releases.drivers.map((driver) =>
    driver.kind === kind && driver.kubernetes ? { ...driver, kubernetes: { ...driver.kubernetes, verdict } } : driver,
  );
  testbed.world.releases = { ...testbed.world.releases, drivers };
};
/** The storage driver and its workloads. */
export const csiCases: readonly CheckCase[] = [
  {
    check: 'csi/node-registered',
    when: 'the kubelet does not know the driver',
    breaks: async (testbed) => {
      await testbed.kube.delete(csiNodes, { name: 'node-1' });
      await testbed.clock.advance(6 * 60_000);
    },
    result: 'Fail',
    reason: 'NotRegistered',
    names: ({ home }) => [
      csiDriver,
      'spec.advanced.kubeletPath',
      `kubectl -n ${home.csi} get pods -l app=vsphere-csi-node --field-selector spec.nodeName=node-1`,
      `kubectl -n ${home.csi} delete pod -l app=vsphere-csi-node --field-selector spec.nodeName=node-1`,
    ],
    repair: ({ kube }) => put(kube, csiNodes, csiNodeObject(1)),
  },
  {
    check: 'csi/workloads-ready',
    when: 'the controller crashes',
    breaks: async ({ kube, home }) => {
      await put(kube, deployments, deployment('vsphere-csi-controller', { driver: 'csi', ready: 0, where: home.csi }));
      await put(
        kube,
        pods,
        podObject('vsphere-csi-controller-0', { waiting: { reason: 'CrashLoopBackOff' } }, home.csi),
      );
    },
    result: 'Fail',
    reason: 'WorkloadsNotReady',
    names: ({ home }) => ['0 of 1', `kubectl -n ${home.csi} logs vsphere-csi-controller-0 -c main --previous`],
    repair: ({ kube, home }) =>
      put(kube, deployments, deployment('vsphere-csi-controller', { driver: 'csi', where: home.csi })),
  },
  {
    check: 'csi/workloads-ready',
    when: 'a pod starts',
    breaks: async ({ kube, home }) => {
      await put(kube, deployments, deployment('vsphere-csi-controller', { driver: 'csi', ready: 0, where: home.csi }));
      await put(
        kube,
        pods,
        podObject('vsphere-csi-controller-0', { waiting: { reason: 'ContainerCreating' } }, home.csi),
      );
    },
    result: 'Warn',
    reason: 'Starting',
    names: ({ home }) => ['0 of 1', `kubectl -n ${home.csi} describe pod vsphere-csi-controller-0`],
    repair: ({ kube, home }) =>
      put(kube, deployments, deployment('vsphere-csi-controller', { driver: 'csi', where: home.csi })),
  },
  {
    check: 'csi/workloads-ready',
    when: 'the node of a pod is silent',
    breaks: async ({ kube, home }) => {
      const node = nodeObject(1);
      const conditions = [{ type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' }];
      await put(kube, nodes, { ...node, status: { ...node.status, conditions } });
      const short = daemonSet('vsphere-csi-node', { driver: 'csi', where: home.csi });
      await put(kube, daemonSets, { ...short, status: { ...short.status, numberReady: 4 } });
      await put(kube, pods, podObject('vsphere-csi-node-abcde', undefined, home.csi));
    },
    result: 'Fail',
    reason: 'NodeNotReady',
    names: ['4 of 5', 'node node-1 is not Ready', 'kubectl describe node node-1'],
    repair: async ({ kube, home }) => {
      await put(kube, nodes, nodeObject(1));
      await put(kube, daemonSets, daemonSet('vsphere-csi-node', { driver: 'csi', where: home.csi }));
    },
  },
  {
    check: 'csi/foreign-manager',
    when: 'somebody else runs the driver too',
    breaks: ({ kube, home }) => put(kube, deployments, deployment('vsphere-csi-controller', { where: home.stranger })),
    result: 'Fail',
    reason: 'ForeignManager',
    names: ({ home }) => [
      `${home.stranger}/vsphere-csi-controller`,
      `kubectl -n ${home.stranger} delete deployment vsphere-csi-controller`,
    ],
    repair: 'run',
  },
  {
    check: 'csi/snapshot-crds',
    when: 'a CRD is missing',
    breaks: ({ kube }) => kube.delete(customResourceDefinitions, { name: 'volumesnapshots.snapshot.storage.k8s.io' }),
    result: 'Fail',
    reason: 'SnapshotCrdMissing',
    names: ['"install":true', 'kubectl apply -k'],
    repair: ({ kube }) => put(kube, customResourceDefinitions, snapshotCrd('volumesnapshots', 'VolumeSnapshot')),
  },
  {
    check: 'csi/topology-keys',
    when: 'the driver registered before there was topology',
    breaks: async ({ kube }) => {
      await kube.delete(csiNodes, { name: 'node-1' });
      await put(kube, csiNodes, csiNodeObject(1, []));
    },
    result: 'Fail',
    reason: 'TopologyKeysMissing',
    names: ({ home }) => [
      'topology.kubernetes.io/zone',
      `kubectl -n ${home.csi} delete pod -l app=vsphere-csi-node --field-selector spec.nodeName=node-1`,
    ],
    repair: async ({ kube }) => {
      await kube.delete(csiNodes, { name: 'node-1' });
      await put(kube, csiNodes, csiNodeObject(1));
    },
  },
];

/** Versions, images and the cluster around the drivers. */
export const clusterCases: readonly CheckCase[] = [
  ...(['CPI', 'CSI'] as const).map(
    (kind): CheckCase => ({
      check: kind === 'CPI' ? 'versions/cpi-skew' : 'versions/csi-range',
      when: 'Kubernetes is newer than the release knows',
      breaks: (testbed) => setDriver(testbed, kind, 'too-new'),
      result: 'Fail',
      reason: 'KubernetesTooNew',
      names: ['v1.34.4', '1.28 to 1.37', '"policy":"Automatic"'],
      repair: (testbed) => setDriver(testbed, kind, 'inside'),
    }),
  ),
  {
    check: 'versions/kubelet-skew',
    when: 'a kubelet is four minors behind',
    breaks: ({ kube }) => {
      const node = nodeObject(1);
      const nodeInfo = { ...node.status.nodeInfo, kubeletVersion: 'v1.30.1+rke2r1' };
      return put(kube, nodes, { ...node, status: { ...node.status, nodeInfo } });
    },
    result: 'Fail',
    reason: 'KubeletSkew',
    names: ['v1.30.1+rke2r1', '1.31 to 1.34', 'kubeadm upgrade node'],
    repair: ({ kube }) => put(kube, nodes, nodeObject(1)),
  },
  {
    check: 'versions/matrix-age',
    when: 'the matrix is a year old',
    breaks: (testbed) => setMatrix(testbed, { publishedMs: testbed.clock.now() - 365 * dayMs }),
    result: 'Warn',
    reason: 'MatrixStale',
    names: ['365 days', 'spec.updates.matrix'],
    repair: (testbed) => setMatrix(testbed, { publishedMs: testbed.clock.now() }),
  },
  {
    check: 'versions/matrix-age',
    when: 'the matrix is good for ten days more',
    breaks: (testbed) => setMatrix(testbed, { expiresMs: testbed.clock.now() + 10 * dayMs }),
    result: 'Warn',
    reason: 'MatrixExpires',
    names: ['expires on', 'spec.updates.matrix'],
    repair: (testbed) => setMatrix(testbed, { expiresMs: testbed.clock.now() + 365 * dayMs }),
  },
  {
    check: 'versions/matrix-age',
    when: 'the matrix has expired',
    breaks: (testbed) => setMatrix(testbed, { expiresMs: testbed.clock.now() - dayMs }),
    result: 'Warn',
    reason: 'MatrixExpired',
    names: ['expired on', 'rolled back'],
    repair: (testbed) => setMatrix(testbed, { expiresMs: testbed.clock.now() + 365 * dayMs }),
  },
  {
    check: 'versions/matrix-signature',
    when: 'the matrix is signed by a stranger',
    breaks: (testbed) => setMatrix(testbed, { source: 'https://example.com/matrix.json', signature: 'untrusted' }),
    result: 'Fail',
    reason: 'MatrixUntrusted',
    names: ['spec.updates.trustedKeys'],
    repair: (testbed) => setMatrix(testbed, { signature: 'trusted' }),
  },
  {
    check: 'versions/matrix-signature',
    when: 'the configured matrix cannot be read',
    breaks: (testbed) =>
      setMatrix(testbed, {
        refused: new VdoError({ code: 'MatrixInvalid', message: 'it is not JSON', remedy: 'Publish a corrected one.' }),
      }),
    result: 'Fail',
    reason: 'MatrixInvalid',
    names: ['it is not JSON', 'matrix 7'],
    repair: (testbed) => setMatrix(testbed, { refused: undefined }),
  },
  {
    check: 'versions/image-pull',
    when: 'the registry does not have the image',
    breaks: ({ kube, home }) =>
      put(
        kube,
        pods,
        podObject(
          'vsphere-csi-controller-0',
          { waiting: { reason: 'ImagePullBackOff', message: 'not found' } },
          home.csi,
        ),
      ),
    result: 'Fail',
    reason: 'ImagePullBackOff',
    names: ['registry.example/vdo:1.0.0', 'spec.images.registry'],
    repair: ({ kube, home }) => put(kube, pods, podObject('vsphere-csi-controller-0', undefined, home.csi)),
  },
  {
    check: 'cluster/cni-ready',
    when: 'no CNI is installed',
    breaks: async ({ kube }) => {
      await kube.delete(daemonSets, { namespace: 'kube-system', name: 'antrea-agent' });
      const node = nodeObject(1);
      const message =
        'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized';
      await put(kube, nodes, {
        ...node,
        status: { ...node.status, conditions: [{ type: 'Ready', status: 'False', message }] },
      });
    },
    result: 'Fail',
    reason: 'CniNotReady',
    names: ['no known CNI', 'spec.cni.manifest'],
    repair: async ({ kube }) => {
      await put(kube, daemonSets, daemonSet('antrea-agent', { where: 'kube-system' }));
      await put(kube, nodes, nodeObject(1));
    },
  },
  {
    check: 'cluster/dns-resolves-vcenter',
    when: 'the cluster does not know the domain of the vCenter',
    breaks: (testbed) => {
      testbed.world.clusterDns.delete(server);
    },
    result: 'Fail',
    reason: 'ClusterDnsFails',
    names: ['NXDOMAIN', 'example.com:53 { forward', 'kubectl -n kube-system edit configmap coredns'],
    repair: (testbed) => {
      testbed.world.clusterDns.set(server, ['10.10.0.2']);
    },
  },
  {
    check: 'cluster/admission-allows',
    when: 'pod security refuses the pods',
    breaks: (testbed) => testbed.enforcePodSecurity(),
    result: 'Fail',
    reason: 'PodSecurityForbids',
    names: ['violates PodSecurity', 'pod-security.kubernetes.io/enforce=privileged'],
    repair: 'run',
  },
];
