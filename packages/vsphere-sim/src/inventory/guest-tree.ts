import type { Value } from '@vdo/vsphere/wire/schema';
import type { GuestInfo } from '@vdo/vsphere/wire/types/guest';
import { deviceKeys } from './vm-devices.ts';

/** The guest of a VM; vCenter sees it only while VMware Tools is running. */
export interface Guest {
  readonly hostName: string;
  readonly tools: boolean;
  readonly guestId: string;
  readonly nics: readonly {
    readonly network: string;
    readonly mac: string;
    readonly ips: readonly string[];
    readonly insideGuest: boolean;
  }[];
}

const prefixLength = (ip: string): number => (ip.includes(':') ? 64 : 24);

const fullNames: Readonly<Record<string, string>> = {
  ubuntu64Guest: 'Ubuntu Linux (64-bit)',
  debian12_64Guest: 'Debian GNU/Linux 12 (64-bit)',
  rhel9_64Guest: 'Red Hat Enterprise Linux 9 (64-bit)',
  other5xLinux64Guest: 'Other 5.x or later Linux (64-bit)',
  windows2019srvNext_64Guest: 'Microsoft Windows Server 2022 (64-bit)',
};

export const guestFullName = (guestId: string): string => fullNames[guestId] ?? guestId;

/** What vCenter reports about a guest. When VMware Tools stops, addresses are removed, and the last known host name is kept. */
export const guestTree = (guest: Guest, running: boolean): Value<typeof GuestInfo> => {
  const heard = running && guest.tools;
  const ips = guest.nics.filter((nic) => !nic.insideGuest).flatMap((nic) => nic.ips);
  let card = 0;
  return {
    toolsStatus: heard ? 'toolsOk' : guest.tools ? 'toolsNotRunning' : 'toolsNotInstalled',
    toolsVersionStatus: guest.tools ? 'guestToolsUnmanaged' : 'guestToolsNotInstalled',
    toolsVersionStatus2: guest.tools ? 'guestToolsUnmanaged' : 'guestToolsNotInstalled',
    toolsRunningStatus: heard ? 'guestToolsRunning' : 'guestToolsNotRunning',
    toolsVersion: guest.tools ? '12352' : '0',
    ...(guest.tools
      ? { guestId: guest.guestId, guestFamily: 'linuxGuest', guestFullName: guestFullName(guest.guestId) }
      : {}),
    ...(guest.tools ? { hostName: guest.hostName } : {}),
    ...(heard && ips[0] !== undefined ? { ipAddress: ips[0] } : {}),
    net: heard
      ? guest.nics.map((nic) => ({
          ...(nic.insideGuest ? {} : { network: nic.network }),
          ipAddress: nic.ips,
          macAddress: nic.mac,
          connected: true,
          deviceConfigId: nic.insideGuest ? -1 : deviceKeys.nic + card++,
          ipConfig: {
            ipAddress: nic.ips.map((ip) => ({ ipAddress: ip, prefixLength: prefixLength(ip), state: 'preferred' })),
          },
        }))
      : [],
    ipStack: [],
    disk: [],
    guestState: heard ? 'running' : 'notRunning',
  };
};
