import { deployments } from '@vdo/kube/types/workloads';
import { describe, expect, it } from 'vitest';
import { account, namespace, openOperatorStory } from './operator-world.ts';

const changed = { ...account, password: 'obviously-fake-changed' };

// Issue 17: a session outlives the password it was opened with, so nothing but another login tells that it is no longer accepted.
describe('a password that is changed at vCenter alone', () => {
  it('is told within forty minutes, takes nothing down, and is mended by the Secret', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    story.vsphere.control.setAccount(changed);
    await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected', 25_000);
    await story.advance(20 * 60_000);
    expect(await story.condition('CredentialsValid')).toMatchObject({ status: 'False' });
    expect(await story.condition('Available')).toMatchObject({ status: 'True' });
    // What runs is repaired as ever.
    await story.kube.delete(deployments, { namespace, name: 'vsphere-csi-controller' });
    await story.until('the controller to be back', () =>
      story.kube.find(deployments, { namespace, name: 'vsphere-csi-controller' }),
    );
    await story.putSecret(changed);
    await story.becomes('Ready', 'True', 'AllReady');
    expect(await story.condition('CredentialsValid')).toMatchObject({ status: 'True' });
  });

  it('that is set back is accepted again by itself', async () => {
    const story = await openOperatorStory();
    story.start();
    await story.install();
    story.vsphere.control.setAccount(changed);
    await story.becomes('CredentialsValid', 'False', 'VCenterLoginRejected', 25_000);
    story.vsphere.control.setAccount(account);
    await story.becomes('CredentialsValid', 'True', 'LoginSucceeded', 25_000);
  });
});
