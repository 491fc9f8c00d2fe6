/** A system call as strace wrote it down; `nth` of its kind in its thread, as strace counts for an injection. */
export interface SystemCall {
  readonly call: string;
  readonly nth: number;
  readonly args: string;
}

/** What changes files, mounts, disks or locks, whatever its arguments. What only makes it last (fsync) is counted among them. */
const changing = [
  ...[
    'mkdir',
    'mkdirat',
    'rmdir',
    'unlink',
    'unlinkat',
    'rename',
    'renameat',
    'renameat2',
    'link',
    'linkat',
    'symlink',
  ],
  ...[
    'symlinkat',
    'mknod',
    'mknodat',
    'truncate',
    'ftruncate',
    'fallocate',
    'fsync',
    'fdatasync',
    'sync',
    'syncfs',
    'flock',
  ],
  ...['mount', 'umount2', 'fsopen', 'fspick', 'fsconfig', 'fsmount', 'move_mount', 'open_tree', 'mount_setattr'],
];
const writing = ['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2'];
/** By these a process says something to another one, or to nobody. */
const noFile = /^\d+<(pipe|socket|UNIX|anon_inode|\/dev\/null|\/dev\/pts)/;
/** Requests that ask. Every other one is taken for a change. */
const asking =
  /, (TC\w+|TIOC\w+|FIO\w+|BLK\w*GET\w*|BLKALIGNOFF|BLKIO\w+|BLKROTATIONAL|BLKDISCARDZEROES|CDROM\w+|HDIO_GET\w+|FS_IOC_GET\w+|LOOP_GET\w+|XFS_IOC_FSGEOM\w*|BTRFS_IOC_(FS_INFO|DEV_INFO|SPACE_INFO|TREE_SEARCH\w*|GET_\w+))/;

/** By which a shell starts what does its work: killed there, it has done a part of it. */
const forking = ['clone', 'vfork'];
export const isFork = ({ call }: SystemCall): boolean => forking.includes(call);

/** Of programs: all that changes something, and what they decide by. */
export const tracedInPrograms = [...changing, ...writing, ...forking, 'openat', 'ioctl'].join(',');

/** True if what the call leaves differs from what it found: the rule by which kill points are told apart. */
export const changesState = ({ call, args }: SystemCall): boolean => {
  if (changing.includes(call)) return true;
  if (writing.includes(call)) return !noFile.test(args);
  if (call === 'openat') return /O_CREAT|O_TRUNC/.test(args);
  return call === 'ioctl' && !asking.test(args);
};

/** The calls in a log of strace, in their order. Of several threads, for each kind of call those of the one that makes most. */
export const callsIn = (log: string): readonly SystemCall[] => {
  const counts = new Map<string, number>();
  const all = [...log.matchAll(/^(?:(\d+) +)?(\w+)\((.*)$/gm)].map(([, thread = '', call = '', args = '']) => {
    const nth = (counts.get(`${call} ${thread}`) ?? 0) + 1;
    counts.set(`${call} ${thread}`, nth);
    return { thread, call, nth, args };
  });
  const busiest = new Map<string, { readonly thread: string; readonly count: number }>();
  for (const [key, count] of counts) {
    const [call = '', thread = ''] = key.split(' ');
    if (count > (busiest.get(call)?.count ?? 0)) busiest.set(call, { thread, count });
  }
  return all
    .filter(({ call, thread }) => busiest.get(call)?.thread === thread)
    .map(({ call, nth, args }) => ({ call, nth, args }));
};
