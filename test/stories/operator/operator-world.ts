import { afterEach } from 'vitest';
import { createOperatorStory, type OperatorStory, type OperatorStoryOptions } from './create-operator-story.ts';

export { account, namespace, type OperatorStory } from './create-operator-story.ts';

const opened: OperatorStory[] = [];
afterEach(async () => {
  for (const story of opened.splice(0)) await story.stop();
});

/** A story that ends with its test. */
export const openOperatorStory = async (options: OperatorStoryOptions = {}): Promise<OperatorStory> => {
  const story = await createOperatorStory(options);
  opened.push(story);
  return story;
};
