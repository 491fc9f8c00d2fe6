import type { KubeObject } from '@vdo/kube/types/object';

/** Knows what this program wrote last: whoever acts on an older copy of an object does the same work twice. */
export interface OwnWrites {
  note(key: string, written: KubeObject): void;
  /** True while the copy is older than what was written; the watch will bring the newer one. */
  isOutdated(key: string, copy: KubeObject): boolean;
  /** For an object that is gone. */
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
