import { describe, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory, promise, redFor, type Story } from './story-world.ts';

const nobody = { name: 'nobody', ips: '*', permissions: 'NO_ACCESS', rootSquash: false } as const;

/** A share that nobody may mount but the nodes it is published to, published to node-1. */
const openWithShare = async () => {
  const story = await openStory({ csi: { netPermissions: [nobody] } });
  const first = story.start('replica-1');
  await story.claim('shared', 'vsphere', { accessModes: ['ReadWriteMany'] });
  const { volume, disk } = await provisioned(story, 'shared');
  await story.attachment('a', volume, 1);
  await story.attached('a');
  return { story, first, share: disk };
};

const allowed = ({ sim }: Story, share: string): readonly string[] =>
  (sim.volumes.get(share)?.netPermissions ?? [])
    .filter(({ permissions }) => permissions !== 'NO_ACCESS')
    .map(({ ips }) => ips ?? '');

/** The attachment ends under another controller: what the first one remembers of the VM does not count. */
const unpublish = async (story: Story, first: { stop(): void }): Promise<void> => {
  first.stop();
  await story.advance(1_000);
  story.start('replica-2');
  await story.deleteAttachment('a');
  await story.until('the attachment is gone', async () => (await story.getAttachment('a')) === undefined);
  await story.advance(60_000);
};

describe('story 17: a share lets in nobody whom it is not published to', () => {
  it.fails(
    'although the address of the node has changed',
    redFor(/10\.10\.0\.11 .*may still mount the share: the address changed/, async () => {
      const { story, first, share } = await openWithShare();
      story.sim.control.setIps('node-1', 0, ['10.10.0.99']);
      await unpublish(story, first);
      const left = allowed(story, share);
      promise(left.length === 0, `${left.join(' and ')} may still mount the share: the address changed`);
    }),
  );

  it.fails(
    'although the VM of the node is gone',
    redFor(/10\.10\.0\.11 .*may still mount the share: the VM is gone/, async () => {
      const { story, first, share } = await openWithShare();
      story.sim.control.deleteVm('node-1');
      await unpublish(story, first);
      const left = allowed(story, share);
      promise(left.length === 0, `${left.join(' and ')} may still mount the share: the VM is gone`);
    }),
  );
});
