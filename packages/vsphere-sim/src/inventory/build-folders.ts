import type { MoRef } from '@vdo/vsphere/wire/moref';
import { folderTree } from './compute-tree.ts';
import type { Links } from './links.ts';
import type { FolderKind, ObjectIds } from './object-ids.ts';

/** Creates folders by path, each once, and keeps them until their children are known. */
export interface FolderBuilder {
  /** A folder with a fixed name: the root, and the four of a datacenter. */
  fixed(kind: FolderKind, name: string, parent: MoRef | undefined): MoRef;
  /** The folder at a path below another; missing folders are created. The path may be empty. */
  at(kind: FolderKind, top: MoRef, path: string | undefined): MoRef;
  trees(): readonly { readonly ref: MoRef; readonly tree: ReturnType<typeof folderTree> }[];
}

export const createFolderBuilder = (ids: ObjectIds, children: Links): FolderBuilder => {
  const folders = new Map<
    MoRef,
    { readonly kind: FolderKind; readonly name: string; readonly parent: MoRef | undefined }
  >();
  const byPath = new Map<string, MoRef>();

  const fixed: FolderBuilder['fixed'] = (kind, name, parent) => {
    const ref = ids.folder(kind);
    folders.set(ref, { kind, name, parent });
    return ref;
  };

  return {
    fixed,
    at: (kind, top, path) => {
      let current = top;
      let key = top.value;
      for (const name of (path ?? '').split('/').filter((part) => part !== '')) {
        key = `${key}/${name}`;
        const known = byPath.get(key);
        const folder = known ?? fixed(kind, name, current);
        if (!known) {
          byPath.set(key, folder);
          children.add(current, folder);
        }
        current = folder;
      }
      return current;
    },
    trees: () =>
      [...folders].map(([ref, folder]) => ({ ref, tree: folderTree({ ...folder, children: children.of(ref) }) })),
  };
};
