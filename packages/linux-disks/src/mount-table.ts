import { posix } from 'node:path';

/** One line of /proc/self/mountinfo. */
export interface MountEntry {
  /** Its position in the mount tree, and its peer group. Absent if mounts are simulated. */
  readonly tree?: { readonly id: string; readonly parent: string; readonly peers: string | undefined };
  /** `8:16`. */
  readonly device: string;
  /** Path within the file system that is mounted; `/` unless it is a bind mount of a part. */
  readonly root: string;
  readonly target: string;
  readonly options: readonly string[];
  readonly fsType: string;
  readonly source: string;
  /** Options of the file system itself, without those of this mount. */
  readonly superOptions: readonly string[];
}

const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** Parses mountinfo (see proc(5)); invalid lines are ignored. Later entries cover earlier ones. */
export const parseMountInfo = (text: string): readonly MountEntry[] =>
  text.split('\n').flatMap((line) => {
    const [before = '', after] = line.split(' - ');
    const [id = '', parent = '', device, root, target, options, ...tags] = before.split(' ');
    const [fsType, source, superOptions] = after?.split(' ') ?? [];
    if (!device || !root || !target || !options || !fsType || source === undefined) return [];
    return [
      {
        tree: { id, parent, peers: tags.find((tag) => tag.startsWith('shared:')) },
        device,
        root: unescapeOctal(root),
        target: unescapeOctal(target),
        options: options.split(','),
        fsType,
        source: unescapeOctal(source),
        superOptions: superOptions?.split(',') ?? [],
      },
    ];
  });

/** The topmost mount at a path. */
export const mountAt = (entries: readonly MountEntry[], target: string): MountEntry | undefined =>
  entries.findLast((entry) => entry.target === target);

/** The path at which an entry is mounted in the file system of its parent; undefined unless the parent has peers with the same content. */
const placeAmongPeers = (entries: readonly MountEntry[], { tree, target }: MountEntry): string | undefined => {
  const parent = entries.find((entry) => entry.tree && entry.tree.id === tree?.parent);
  if (!parent?.tree?.peers) return undefined;
  return `${parent.tree.peers} ${posix.join(parent.root, posix.relative(parent.target, target))}`;
};

/**
 * The copies of the mount at a path that the kernel propagated, because the directory around it is mounted at several paths. The kernel
 * unmounts them together with it, so they must not be counted as users of the file system.
 */
export const doublesOf = (entries: readonly MountEntry[], target: string): readonly MountEntry[] => {
  const own = entries.filter((entry) => entry.target === target);
  const isDouble = (entry: MountEntry, of: MountEntry): boolean => {
    if (entry.device !== of.device || entry.root !== of.root) return false;
    const place = placeAmongPeers(entries, of);
    return place !== undefined && placeAmongPeers(entries, entry) === place;
  };
  return entries.filter((entry) => entry.target !== target && own.some((one) => isDouble(entry, one)));
};

export const isReadOnly = ({ options, superOptions }: MountEntry): boolean =>
  options.includes('ro') || superOptions.includes('ro');
