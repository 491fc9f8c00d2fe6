import { isVdoError } from '@vdo/base/vdo-error';
import type { RestClient } from '../rest/rest-client.ts';
import { inPath, taggingRoot } from '../rest/tagging.ts';
import { fenced } from '../soap/fenced.ts';
import type { DestructiveCalls } from './destructive-calls.ts';

export const createTagRemoval = (rest: RestClient): Pick<DestructiveCalls, 'deleteTagCategory'> => ({
  deleteTagCategory: async (id, options) => {
    const path = `${taggingRoot}/category/id:${inPath(id)}`;
    try {
      await rest.request({ ...fenced(options), name: 'category/delete', method: 'DELETE', path });
      return true;
    } catch (error) {
      if (isVdoError(error, 'VCenterObjectNotFound')) return false;
      throw error;
    }
  },
});
