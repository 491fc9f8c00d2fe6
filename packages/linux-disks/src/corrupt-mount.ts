import { stat } from 'node:fs/promises';

/** What the kernel says of a mount whose device or server is gone. */
const corrupt: readonly unknown[] = ['ENOTCONN', 'ESTALE', 'EIO', 'EHOSTDOWN', 'EACCES'];

/** True if a path is mounted but cannot be used any more. Not for network mounts, which may make the caller wait for ever. */
export const isCorrupt = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: { readonly code?: unknown }) => corrupt.includes(error.code),
  );
