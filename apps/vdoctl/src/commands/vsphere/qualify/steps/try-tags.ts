import { trialDescription } from '@vdo/acts/trials/trial-marks';
import { morefKey } from '@vdo/vsphere/wire/moref';
import { trialName } from '../trial.ts';
import type { TryDeps } from './try-disks.ts';
import { wrong } from './wrong.ts';

/** Makes a category and a tag, puts it on the test VM, reads it as topology is read, and deletes both. */
export const tryTags = async ({ vcenter, steps, site, run, undo, signal }: TryDeps): Promise<void> => {
  const { tags, health } = vcenter;
  const name = trialName(site.vm, run, 'tags');
  const categoryId = await steps.try('make a tag category', 'tags', () =>
    tags.createCategory({ name, description: trialDescription, types: ['VirtualMachine'] }, { signal }),
  );
  if (categoryId === undefined) return;
  const tagId = await steps.try('make a tag', 'tags', () => tags.createTag({ name, categoryId }, { signal }));
  if (tagId !== undefined) {
    await steps.try('put the tag on the test VM', 'tags', () => tags.attach(tagId, site.vm, { signal }));
    await steps.try('find the tag on the test VM', 'tags', async () => {
      const found = (await health.tags([site.vm], { signal })).get(morefKey(site.vm)) ?? [];
      if (!found.some(({ category, tag }) => category === name && tag === name))
        throw wrong('a tag that was put on a VM is not found there');
    });
    await steps.try('take the tag off', 'tags', () => tags.detach(tagId, site.vm, { signal }));
  }
  await steps.try('delete the tag category', 'tags', () => undo.deleteCategory(categoryId));
};
