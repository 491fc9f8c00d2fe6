import type { Container, Pod } from '@vdo/kube/types/core';
import { describe, expect, it } from 'vitest';
import { containerCommand } from './container-command.ts';
import { podStatus } from './pod-status.ts';
import { chooseNode } from './schedule.ts';

const container: Container = {
  name: 'csi',
  image: 'vdo',
  command: ['node', '/app/csi.js'],
  args: [
    'controller',
    '--csi-endpoint=unix:///csi/csi.sock',
    '--vsphere-conf=/etc/vsphere/vsphere.conf',
    '--bind-address=0.0.0.0',
    '--namespace=$(NAMESPACE)',
  ],
  env: [
    { name: 'NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ],
};
const pod = (spec: Partial<Pod['spec']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'vdo' },
  spec: { containers: [container], nodeName: 'n1', ...spec },
});

describe('a container as a local command', () => {
  const paths = (path: string) => path.replace(/^\/csi\//, '/tmp/x/csi/').replace(/^\/etc\/vsphere\//, '/tmp/x/conf/');
  const command = containerCommand(pod(), container, { address: '127.77.0.1', paths });

  it('names the app and resolves variables, paths and the listening address', () => {
    expect(command.app).toBe('csi');
    expect(command.args).toEqual([
      'controller',
      '--csi-endpoint=unix:///tmp/x/csi/csi.sock',
      '--vsphere-conf=/tmp/x/conf/vsphere.conf',
      '--bind-address=127.77.0.1',
      '--namespace=vdo',
    ]);
  });

  it("knows the app also behind flags of Node's own", () => {
    const flagged = { ...container, command: ['node', '--optimize-for-size', '/app/cpi.js'], args: ['--v=2'] };
    const { app, nodeFlags, args } = containerCommand(pod(), flagged, { address: '127.77.0.1', paths });
    expect({ app, nodeFlags, args }).toEqual({ app: 'cpi', nodeFlags: ['--optimize-for-size'], args: ['--v=2'] });
  });

  it('leaves a command that is no app as it is, and tells it where its mounts are', () => {
    const shell = {
      ...container,
      command: ['sh', '-c', 'date > $VDO_MOUNT_MY_DATA/now', '/csi/file'],
      args: [],
      volumeMounts: [{ name: 'my-data', mountPath: '/csi/' }],
    };
    const { app, args, env } = containerCommand(pod(), shell, { address: '127.77.0.1', paths });
    expect({ app, args }).toEqual({
      app: '',
      args: ['sh', '-c', 'date > $VDO_MOUNT_MY_DATA/now', '/tmp/x/csi/file'],
    });
    expect(env).toMatchObject({ VDO_MOUNT_MY_DATA: '/tmp/x/csi/' });
  });

  it('fills the environment from the pod', () => {
    expect(command.env).toEqual({ NAMESPACE: 'vdo', NODE: 'n1' });
  });
});

describe('choosing a node', () => {
  const node = (name: string, taints: { key: string; effect: 'NoSchedule' }[] = []) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': 'linux' } },
    spec: { taints },
  });
  const tainted = node('tainted', [{ key: 'a', effect: 'NoSchedule' }]);

  it('keeps off a taint that is not tolerated', () => {
    expect(chooseNode(pod(), { nodes: [tainted] })).toBeUndefined();
    expect(
      chooseNode(pod({ tolerations: [{ key: 'a', operator: 'Exists' }] }), { nodes: [tainted] })?.metadata.name,
    ).toBe('tainted');
    expect(chooseNode(pod({ tolerations: [{ operator: 'Exists' }] }), { nodes: [tainted] })?.metadata.name).toBe(
      'tainted',
    );
  });

  it('obeys labels and the node a DaemonSet names', () => {
    expect(
      chooseNode(pod({ nodeSelector: { 'kubernetes.io/os': 'windows' } }), { nodes: [node('a')] }),
    ).toBeUndefined();
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] }],
        },
      },
    };
    expect(chooseNode(pod({ affinity }), { nodes: [node('a'), node('b')] })?.metadata.name).toBe('b');
  });
});

describe('the status of a pod', () => {
  it('is Ready only when its containers are', () => {
    const at = (state: 'starting' | 'ready' | 'crashed') =>
      podStatus(pod(), { state, address: '127.77.0.1', restarts: 2, nowMs: 0 });
    const ready = (state: 'starting' | 'ready' | 'crashed') =>
      at(state).conditions?.find(({ type }) => type === 'Ready')?.status;
    expect([ready('starting'), ready('ready'), ready('crashed')]).toEqual(['False', 'True', 'False']);
    expect(at('crashed').containerStatuses?.[0]).toMatchObject({
      restartCount: 2,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    });
  });
});
