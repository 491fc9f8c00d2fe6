import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyObject } from '@vdo/kube/types/object';
import { parseAllDocuments } from 'yaml';

const readObjects = async (path: string): Promise<readonly AnyObject[]> =>
  parseAllDocuments(await readFile(path, 'utf8')).flatMap((document) => {
    const object: unknown = document.toJS();
    return object ? [object as AnyObject] : [];
  });

/** The manifests that an administrator applies by hand: definitions first, then the operator with its rights. */
export const readInstallManifests = async (
  deployFolder: string,
): Promise<{ readonly definitions: readonly AnyObject[]; readonly operator: readonly AnyObject[] }> => {
  const folder = join(deployFolder, 'crds');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  const definitions = await Promise.all(files.map((file) => readObjects(join(folder, file))));
  return { definitions: definitions.flat(), operator: await readObjects(join(deployFolder, 'operator.yaml')) };
};
