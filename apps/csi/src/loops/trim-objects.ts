import type { KubeObject } from '@vdo/kube/types/object';
import { lastAppliedAnnotation } from '@vdo/kube/types/well-known';

type Fields = Record<string, unknown>;

/**
 * Makes objects that arrive small: tens of thousands are kept. Words that all of them contain are kept once, although the API server sends
 * them with each; the first thousand different ones are remembered, which are the common ones. Changes the objects themselves, whose
 * only owner the informer is: copies would be larger than what a parser makes.
 */
export const createTrimmer = (limit = 1_000): (<T extends KubeObject>(object: T) => T) => {
  const words = new Map<string, string>();
  const shared = (word: string): string => {
    const known = words.get(word);
    if (known === undefined && words.size < limit) words.set(word, word);
    return known ?? word;
  };
  const shareWithin = (fields: Fields): void => {
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      if (typeof value === 'string') fields[key] = shared(value);
      else if (typeof value === 'object' && value !== null) shareWithin(value as Fields);
    }
  };
  return (object) => {
    const { annotations } = object.metadata;
    if (annotations?.[lastAppliedAnnotation] !== undefined) {
      const { [lastAppliedAnnotation]: _written, ...others } = annotations;
      (object.metadata as { annotations: Readonly<Record<string, string>> }).annotations = others;
    }
    shareWithin(object as unknown as Fields);
    return object;
  };
};
