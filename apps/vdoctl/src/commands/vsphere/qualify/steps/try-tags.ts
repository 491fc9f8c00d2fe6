import { trialDescription } from '@vdo/acts/trials/trial-marks';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { trialName } from '../trial.ts';
import type { TryDeps } from './try-disks.ts';
import { wrong } from './wrong.ts';

/** Creates a category and a tag, attaches it to the test VM, reads it like the topology, and deletes both. */
export const tryTags = async ({ vcenter, steps, site, run, undo, signal }: TryDeps): Promise<void> => {
  const { tags, health } = vcenter;
  const name = trialName(site.vm, run, 'tags');
  const categoryId = await steps.try('create a tag category', 'tags', () =>
    tags.createCategory({ name, description: trialDescription, types: ['VirtualMachine'] }, { signal }),
  );
  if (categoryId === undefined) return;
  const tagId = await steps.try('create a tag', 'tags', () => tags.createTag({ name, categoryId }, { signal }));
  if (tagId !== undefined) {
    await steps.try('attach the tag to the test VM', 'tags', () => tags.attach(tagId, site.vm, { signal }));
    await steps.try('find the tag on the test VM', 'tags', async () => {
      const found = (await health.tags([site.vm], { signal })).get(morefKey(site.vm)) ?? [];
      if (!found.some(({ category, tag }) => category === name && tag === name))
        throw wrong('a tag that was attached to a VM is not found there');
    });
    await steps.try('detach the tag', 'tags', () => tags.detach(tagId, site.vm, { signal }));
  }
  await steps.try('delete the tag category', 'tags', () => undo.deleteCategory(categoryId));
};
