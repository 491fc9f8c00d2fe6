import { configMaps, secrets } from '@vdo/kube/types/core';
import { deployments } from '@vdo/kube/types/workloads';
import { versionLabel } from '@vdo/releases/render/shared/labels';
import { describe, expect, it } from 'vitest';
import { loosenCrd } from './loosen-crd.ts';
import { both, fromConfigMap } from './matrices.ts';
import { account, namespace, type OperatorStory, openOperatorStory } from './operator-world.ts';

const controller = { namespace, name: 'vsphere-csi-controller' };
const config = { namespace, name: 'vsphere-config' };

const mistakes = [
  ['one field is wrong', { distribution: 'Mine' }],
  ['the vCenters are no list', { vcenters: 'vc.example.com' }],
  ['no vCenter is left', { vcenters: [] }],
] as const;

// Who mistypes the spec has not asked for anything: what was asked for before is kept.
describe('a spec that cannot be read', () => {
  const installed = async () => {
    const story = await openOperatorStory({ checks: [] });
    story.start();
    await story.publish(1, both('1.0.0'));
    await story.install({ updates: fromConfigMap });
    await loosenCrd(story.kube);
    return story;
  };
  const mistype = async (story: OperatorStory, mistake: object) => {
    await story.describe({ updates: fromConfigMap, ...mistake });
    await story.becomes('Stalled', 'True', 'ConfigInvalid');
  };

  it.each(mistakes)('does not keep running drivers from repair: %s', async (_what, mistake) => {
    const story = await installed();
    const before = await story.kube.get(configMaps, config);
    await mistype(story, mistake);
    await story.kube.delete(deployments, controller);
    await story.until('the controller to be repaired', () => story.kube.find(deployments, controller));
    await story.kube.delete(configMaps, config);
    await story.until('the configuration to be repaired', () => story.kube.find(configMaps, config));
    expect((await story.kube.get(configMaps, config)).data).toEqual(before.data);
    expect(await story.condition('Ready')).toMatchObject({ status: 'False', reason: 'ConfigInvalid' });
    await story.until('Available', async () => (await story.condition('Available'))?.status === 'True');
    await story.describe({ updates: fromConfigMap });
    await story.becomes('Ready', 'True', 'AllReady');
  });

  it('does not keep a next leader from repair', async () => {
    const story = await installed();
    await mistype(story, { distribution: 'Mine' });
    await story.operators[0]?.kill();
    await story.kube.delete(deployments, controller);
    story.start('operator-2');
    await story.until('the controller to be repaired', () => story.kube.find(deployments, controller));
  });

  it('does not keep a new password from the drivers', async () => {
    const story = await installed();
    await mistype(story, { vcenters: 'vc.example.com' });
    const next = { ...account, password: 'also-fake' };
    story.vsphere.control.setAccount(next);
    await story.putSecret(next);
    await story.until('the drivers to have it', async () => {
      const { data = {} } = await story.kube.get(secrets, { namespace, name: 'vsphere-credentials' });
      return Object.values(data).some((value) => Buffer.from(value, 'base64').toString() === next.password);
    });
  });

  it('lets no upgrade begin', async () => {
    const story = await installed();
    await mistype(story, { distribution: 'Mine' });
    await story.publish(2, both('1.0.0', '1.0.1'));
    await story.advance(10 * 60_000);
    const version = async () => (await story.kube.get(deployments, controller)).metadata.labels?.[versionLabel];
    expect(await version()).toBe('1.0.0');
    await story.describe({ updates: fromConfigMap });
    await story.until('the upgrade', async () => (await version()) === '1.0.1');
  });

  it('is no reason to install anything', async () => {
    const story = await openOperatorStory({ checks: [] });
    story.start();
    await loosenCrd(story.kube);
    await story.putSecret(account);
    await mistype(story, { distribution: 'Mine' });
    await story.advance(60_000);
    expect((await story.kube.list(deployments, { namespace })).items).toEqual([]);
  });
});
