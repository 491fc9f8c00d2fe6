import { createSystemClock } from '@vdo/base/clock';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckOutcome } from '@vdo/checks/check';
import { runChecks } from '@vdo/checks/run-checks';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { gatherFacts } from '@vdo/gather/gather-facts';
import { type ConnectedKubeClient, connectKube } from '@vdo/kube/connect-kube';
import { namespaces } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { wordsOf } from './remedy-commands.ts';
import { namespace, testbedSpec } from './testbed-model.ts';
import { put } from './testbed-objects.ts';

/** As the storage driver runs on nodes: privileged, with an account that is made with the installation. */
const nodeDriver: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'vsphere-csi-node', namespace },
  spec: {
    selector: { matchLabels: { app: 'vsphere-csi-node' } },
    template: {
      metadata: { labels: { app: 'vsphere-csi-node' } },
      spec: {
        serviceAccountName: 'vsphere-csi-node',
        hostNetwork: true,
        priorityClassName: 'system-node-critical',
        containers: [{ name: 'main', image: 'registry.example/vdo:1.0.0', securityContext: { privileged: true } }],
      },
    },
  },
};

describe('checks on a real API server', () => {
  const clock = createSystemClock();
  const clients: ConnectedKubeClient[] = [];
  let plane: ControlPlane;
  let admin: ConnectedKubeClient;
  const connect = async (kubeconfigPath: string): Promise<ConnectedKubeClient> => {
    const client = await connectKube({ kubeconfigPath, env: {}, clock });
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    plane = await startControlPlane({ controllers: ['serviceaccount-controller'] });
    admin = await connect(plane.kubeconfigPath);
    await put(admin, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (let tries = 0; tries < 100; tries++) {
      const found = await plane.kubectl(['-n', namespace, 'get', 'serviceaccount', 'default', '--ignore-not-found']);
      if (found !== '') return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await plane?.stop();
  });

  const judge = async (kube: ConnectedKubeClient): Promise<readonly CheckOutcome[]> => {
    const facts = await gatherFacts(
      {
        kube,
        spec: vsphereDriversSpec.parse(testbedSpec()),
        namespace,
        vcenters: [],
        releases: { drivers: [] },
        clock,
        probes: {},
        planned: [nodeDriver],
      },
      { groups: ['csi', 'versions', 'cluster', 'storage'] },
      { signal: new AbortController().signal },
    );
    return runChecks(allChecks, facts);
  };
  const admission = async (kube = admin): Promise<CheckOutcome | undefined> =>
    (await judge(kube)).find(({ id }) => id === 'cluster/admission-allows');

  it('accept privileged pods before their service account is made', async () => {
    expect(await admission()).toMatchObject({ result: 'Pass' });
  });

  it('see pod security in the way, and what the remedy makes of it', async () => {
    await plane.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
    const refused = await admission();
    expect(refused).toMatchObject({ result: 'Fail', reason: 'PodSecurityForbids' });
    for (const line of refused?.commands ?? []) await plane.kubectl(wordsOf(line).slice(1));
    expect(await admission()).toMatchObject({ result: 'Pass' });
    expect(await plane.kubectl(['-n', namespace, 'get', 'pods'])).toBe('');
  });

  it('name the rule to add where RBAC refuses', async () => {
    const stranger = await connect(await plane.asUser('stranger'));
    const outcomes = await judge(stranger);
    expect(outcomes.filter(({ result }) => result === 'Fail').map(({ id, message }) => [id, message])).toEqual([]);
    const refused = outcomes.find(({ id }) => id === 'cluster/admission-allows');
    expect(refused).toMatchObject({ result: 'Unknown', reason: 'KubeForbidden' });
    expect(refused?.remedy).toContain('resources: ["pods"]');
  });

  it('read everything that they look at', async () => {
    const unread = (await judge(admin)).filter(
      ({ result, reason }) => result === 'Unknown' && reason.startsWith('Kube'),
    );
    expect(unread).toEqual([]);
  });
});
