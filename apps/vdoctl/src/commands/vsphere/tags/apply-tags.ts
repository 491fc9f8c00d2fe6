import { VdoError } from '@vdo/base/vdo-error';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { taggedTypes } from './find-tags.ts';
import type { TagPlan, TagStep } from './tag-plan.ts';

const description = 'Regions and zones of Kubernetes nodes (VDO)';

/** Applies the plan step by step. If a step fails, the changes before it are kept. */
export const applyTags = async (
  { tags }: Pick<FullVCenter, 'tags'>,
  { steps }: TagPlan,
  options: { readonly signal: AbortSignal; readonly onStep: (step: TagStep) => void },
): Promise<void> => {
  const { signal } = options;
  const missing = (what: string): VdoError =>
    new VdoError({
      code: 'VCenterObjectNotFound',
      message: `${what} was deleted a moment ago`,
      remedy: 'Somebody else is changing tags at the same time. Run the command again.',
    });
  const categoryId = async (name: string): Promise<string> => {
    const found = (await tags.categories({ signal })).find((one) => one.name === name);
    if (!found) throw missing(`tag category ${name}`);
    return found.id;
  };
  const tagId = async (category: string, name: string): Promise<string> => {
    const found = (await tags.tagsIn(await categoryId(category), { signal })).find((one) => one.name === name);
    if (!found) throw missing(`tag ${name} of category ${category}`);
    return found.id;
  };
  for (const step of steps) {
    options.onStep(step);
    if (step.action === 'create-category')
      await tags.createCategory({ name: step.category, description, types: taggedTypes }, { signal });
    else if (step.action === 'create-tag')
      await tags.createTag({ name: step.tag, categoryId: await categoryId(step.category) }, { signal });
    else {
      if (step.instead !== undefined) await tags.detach(await tagId(step.category, step.instead), step.ref, { signal });
      await tags.attach(await tagId(step.category, step.tag), step.ref, { signal });
    }
  }
};
