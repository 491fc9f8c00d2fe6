import { lstat, rm, rmdir } from 'node:fs/promises';
import { VdoError } from '@vdo/base/vdo-error';
import type { NodeVolumeDeps } from './node-volumes.ts';

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'ENOENT';

const notEmpty = (path: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'NodeMountFailed',
    message: `nothing is mounted at ${path}, but it is not empty: ${cause instanceof Error ? cause.message : String(cause)}`,
    remedy: `A program wrote there while the volume was not mounted. Save or delete the contents of ${path} on the node.`,
    retry: 'on-change',
  });

/** Removes a mount point: an empty directory, or the file that a device was mounted on. Never deletes data. */
export const removeMountPoint = async (path: string): Promise<void> => {
  const stat = await lstat(path).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!stat) return;
  if (stat.isDirectory())
    await rmdir(path).catch((error) => {
      if (!isMissing(error)) throw notEmpty(path, error);
    });
  else if (stat.isFile() && stat.size > 0) throw notEmpty(path, `a file of ${stat.size} bytes`);
  else await rm(path, { force: true });
};

/** Unmounts a path and removes the mount point. */
export const unmountPath = async (asked: string, { mounter }: NodeVolumeDeps, signal: AbortSignal): Promise<void> => {
  const path = await mounter.place(asked, { signal });
  await mounter.unmount(path, { signal });
  await removeMountPoint(path);
};
