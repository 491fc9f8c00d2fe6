import type { KubeObject } from '@vdo/kube/types/object';

/** Remembers what this program wrote last, because acting on an older copy of an object would do the same work twice. */
export interface OwnWrites {
  note(key: string, written: KubeObject): void;
  /** True while the copy is older than the last write; the watch will deliver the newer version. */
  isOutdated(key: string, copy: KubeObject): boolean;
  /** Call this for a deleted object. */
  forget(key: string): void;
}

const versionOf = ({ metadata: { resourceVersion = '' } }: KubeObject): bigint | undefined =>
  /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;

export const createOwnWrites = (): OwnWrites => {
  const versions = new Map<string, bigint>();
  return {
    note: (key, written) => {
      const version = versionOf(written);
      if (version !== undefined) versions.set(key, version);
    },
    isOutdated: (key, copy) => {
      const wanted = versions.get(key);
      const version = versionOf(copy);
      if (wanted !== undefined && version !== undefined && version < wanted) return true;
      versions.delete(key);
      return false;
    },
    forget: (key) => void versions.delete(key),
  };
};
