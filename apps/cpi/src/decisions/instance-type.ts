import type { VmFacts } from '@vdo/vsphere/inventory/node-inventory';

/**
 * Guest IDs whose short name is not simply the ID without its suffixes (`Guest`, `64`). The names are part of a label that
 * schedulers and autoscalers compare, so they are exactly what other vSphere cloud providers write.
 */
const irregular: Readonly<Record<string, string>> = {
  centos64Guest: 'centos64',
  sles64Guest: 'sles64',
  genericLinuxGuest: 'linux',
  redhatGuest: 'rhel',
  vmwarePhoton64Guest: 'photon',
  turboLinux64Guest: 'turbolinux',
  turboLinuxGuest: 'turbolinux',
  unixWare7Guest: 'unixware7',
};

const versioned: Readonly<Record<string, string>> = {
  asianux: '3 4 5 7',
  centos: '6 7',
  debian: '4 5 6 7 8 9 10',
  netware: '4 5 6',
  oracleLinux: '6 7',
  openServer: '5 6',
  rhel: '2 3 4 5 6 7 8 9 10',
  sles: '10 11 12',
  solaris: '6 7 8 9 10 11',
  vmkernel: '5 6 65',
};

const plain =
  'centos coreos dos eComStation eComStation2 fedora freebsd mandrake mandriva nld9 oes opensuse oracleLinux os2 sjds sles suse ubuntu vmkernel'.split(
    ' ',
  );

const regular: ReadonlySet<string> = new Set([
  ...plain,
  ...Object.entries(versioned).flatMap(([family, versions]) => versions.split(' ').map((version) => family + version)),
]);

const windowsEditions: Readonly<Record<string, string>> = {
  windows7: 'win7',
  windows7Server: 'win7server',
  windows8: 'win8',
  windows8Server: 'win8server',
  windows9: 'win10',
  windows9Server: 'win10server',
};

const olderWindows: ReadonlySet<string> = new Set(
  (
    '2000AdvServ 2000Pro 2000Serv 31 95 98 dowsHyperV Longhorn Me NetBusiness NetDatacenter NetEnterprise NetStandard NetWeb NT Vista ' +
    'XPHome XPPro'
  ).split(' '),
);

/** The operating system part of the instance type; `unknown` for guest ids without a name. */
export const guestOsName = (guestId: string): string => {
  const named = irregular[guestId];
  if (named !== undefined) return named;
  if (/^other\d*x?Linux(64)?Guest$/.test(guestId))
    return /^other(24x|26x|3x)?Linux/.test(guestId) ? 'linux' : 'unknown';
  if (/^otherGuest(64)?$/.test(guestId)) return 'other';
  if (/^darwin(1[0-6])?(_?64)?Guest$/.test(guestId)) return 'darwin';
  const stem = guestId.replace(/_?(64)?Guest$/, '');
  if (stem === guestId) return 'unknown';
  const windows = windowsEditions[stem];
  if (windows !== undefined) return windows;
  if (stem.startsWith('win') && olderWindows.has(stem.slice(3))) return stem.toLowerCase();
  return regular.has(stem) ? stem : 'unknown';
};

/** `vsphere-vm.cpu-4.mem-8gb.os-ubuntu`: memory in whole GiB, rounded down. */
export const instanceTypeOf = (vm: Pick<VmFacts, 'numCpu' | 'memoryMb' | 'guestId'>): string =>
  `vsphere-vm.cpu-${vm.numCpu}.mem-${Math.floor(vm.memoryMb / 1024)}gb.os-${guestOsName(vm.guestId)}`;
