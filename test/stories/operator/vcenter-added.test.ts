import { configMaps } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { describe, expect, it } from 'vitest';
import { account, namespace, openOperatorStory } from './operator-world.ts';

const server = 'vc.example.com';
const added = 'vc2.example.com';
const controller = { namespace, name: 'vsphere-csi-controller' };
const topology = { region: 'k8s-region', zone: 'k8s-zone' };

// What needs the cluster alone does not wait for a vCenter.
describe('a vCenter that is added to the spec and cannot be used yet', () => {
  it.each([
    ['its Secret is missing', 'SecretMissing', undefined],
    ['its account is refused', 'VCenterLoginRejected', { ...account, password: 'mistyped' }],
  ] as const)('does not keep running drivers from repair: %s', async (_why, reason, secret) => {
    const story = await openOperatorStory({ checks: [], otherVCenters: { [added]: demoModel() } });
    story.start();
    await story.install({ topology });
    const before = await story.kube.get(configMaps, { namespace, name: 'vsphere-config' });
    if (secret) await story.putSecret(secret, 'second');
    await story.describe({
      topology,
      vcenters: [
        { server, credentialsSecret: 'vcenter' },
        { server: added, credentialsSecret: 'second' },
      ],
    });
    await story.becomes('CredentialsValid', 'False', reason);
    await story.kube.delete(deployments, controller);
    await story.until('the controller to be repaired', () => story.kube.find(deployments, controller));
    const config = await story.kube.get(configMaps, { namespace, name: 'vsphere-config' });
    expect(config.data).toEqual(before.data);
    expect(await story.condition('Ready')).toMatchObject({ status: 'False', reason });
    await story.putSecret(account, 'second');
    await story.until('the drivers to have both', async () =>
      (await story.kube.get(configMaps, { namespace, name: 'vsphere-config' })).data?.['vsphere.conf']?.includes(added),
    );
  });
});
