/** One line of /proc/self/mountinfo. */
export interface MountEntry {
  /** `8:16`. */
  readonly device: string;
  /** Path within the file system that is mounted; `/` unless it is a bind mount of a part. */
  readonly root: string;
  readonly target: string;
  readonly options: readonly string[];
  readonly fsType: string;
  readonly source: string;
  /** Of the file system itself, whatever this mount adds. */
  readonly superOptions: readonly string[];
}

const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** Reads mountinfo (see proc(5)); lines that are none are left out. Later entries lie over earlier ones. */
export const parseMountInfo = (text: string): readonly MountEntry[] =>
  text.split('\n').flatMap((line) => {
    const [before = '', after] = line.split(' - ');
    const [, , device, root, target, options] = before.split(' ');
    const [fsType, source, superOptions] = after?.split(' ') ?? [];
    if (!device || !root || !target || !options || !fsType || source === undefined) return [];
    return [
      {
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

/** What is mounted at a path now: the topmost entry. */
export const mountAt = (entries: readonly MountEntry[], target: string): MountEntry | undefined =>
  entries.findLast((entry) => entry.target === target);

export const isReadOnly = ({ options, superOptions }: MountEntry): boolean =>
  options.includes('ro') || superOptions.includes('ro');
