import type { KubeObject } from '@vdo/kube/types/object';
import { lastAppliedAnnotation } from '@vdo/kube/types/well-known';

type Fields = Record<string, unknown>;

/**
 * Reduces the memory of received objects, because tens of thousands are cached. Strings that many objects contain are kept only once; the
 * first thousand different strings are remembered, which are the common ones. Changes the objects in place, which is safe because the
 * informer is their only owner. Copies would use more memory than the objects of the parser.
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
