import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { namespaces, secrets } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { Resource } from '@vdo/kube/types/resource';
import { afterEach, describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { applyDefinitions } from '../../testing/seed-resource.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

const guide = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../../docs/guides/${name}.md`, import.meta.url)), 'utf8');

/** The command lines of the blocks of a guide, without their remarks. */
const linesOf = (name: string): readonly string[] =>
  [...guide(name).matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.replace(/ +#.*$/, '').trim())
    .filter((line) => line.startsWith('vdoctl '));

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const conf =
  '[Global]\ncluster-id = "c"\n\n[VirtualCenter "vc"]\nuser = "k8s@vsphere.local"\npassword = "obviously-fake"\n';
const labels = { app: 'vsphere-csi-controller' };
/** A storage driver as its manifests bring it, cut down to what a migration reads. */
const byHand: readonly AnyObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'vsphere-config-secret', namespace: 'vmware-system-csi' },
    data: { 'csi-vsphere.conf': base64(conf) },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'vsphere-csi-controller', namespace: 'vmware-system-csi' },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'main', image: 'registry.example/csi-vsphere/driver:v3.5.0' }],
          volumes: [{ name: 'config', secret: { secretName: 'vsphere-config-secret' } }],
        },
      },
    },
  },
];

describe('the guide to a migration from drivers installed by hand', () => {
  let cluster: SimCluster;
  afterEach(() => cluster?.stop());

  const becomeReady = () =>
    cluster.kube.patch(
      vsphereDrivers,
      { name: 'cluster' },
      {
        type: 'merge',
        body: {
          status: {
            observedGeneration: 1,
            conditions: [
              {
                type: 'Ready',
                status: 'True',
                reason: 'Test',
                message: '',
                lastTransitionTime: '2026-01-01T00:00:00Z',
              },
            ],
          },
        },
      },
      { subresource: 'status' },
    );
  const type = async (line: string) => {
    const isPlan = line.includes('--dry-run');
    const words = line.split(' ').slice(1);
    return runVdoctl([...words, '--kubeconfig', cluster.kubeconfig, ...(isPlan ? [] : ['--yes', '--timeout', '1s'])]);
  };

  it('can be typed as it stands: there, to the end, and no way back from there', async () => {
    cluster = await startSimCluster();
    const { kube } = cluster;
    for (const name of ['vmware-system-vdo', 'vmware-system-csi'])
      await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const object of byHand)
      await kube.create((await kube.resourceFor(object.apiVersion, object.kind)) as Resource<AnyObject>, object);
    await applyDefinitions(kube);
    const lines = linesOf('migrate-drivers');
    expect(lines).toHaveLength(4);
    const codes: number[] = [];
    for (const line of lines) {
      if (line.endsWith('--finish')) await becomeReady();
      codes.push((await type(line)).exitCode);
    }
    // Nobody reconciles here, so that the wait for the drivers ends; behind the end there is no way back.
    expect(codes).toEqual([0, 124, 0, 2]);
    expect(await kube.find(secrets, { namespace: 'kube-system', name: 'vdo-migration' })).toBeUndefined();
  });

  it.each(['vdo', 'drivers', 'in-tree'])('%s names the end, its point of no return, and the way back', (kind) => {
    const lines = linesOf(`migrate-${kind}`);
    expect(lines).toContain(`vdoctl migrate ${kind} --finish`);
    expect(lines.some((line) => line.startsWith('vdoctl migrate undo'))).toBe(true);
    expect(guide(`migrate-${kind}`)).toContain('point of no return');
  });
});
