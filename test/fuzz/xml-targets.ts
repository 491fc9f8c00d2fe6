import { createRequestDecoder, decodeReply, encodeFault, encodeReply, encodeRequest } from '@vdo/vsphere/wire/envelope';
import { retrievePropertiesEx } from '@vdo/vsphere/wire/methods/property';
import { login } from '@vdo/vsphere/wire/methods/session';
import { moref } from '@vdo/vsphere/wire/moref';
import { anyOf, array, make } from '@vdo/vsphere/wire/schema';
import { NoPermission } from '@vdo/vsphere/wire/types/faults';
import { GuestNicInfo } from '@vdo/vsphere/wire/types/guest';
import { VirtualMachineRuntimeInfo } from '@vdo/vsphere/wire/types/vm';
import { WireError } from '@vdo/vsphere/wire/wire-error';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import type { FuzzTarget } from './fuzz.ts';

const runtime = make(VirtualMachineRuntimeInfo, {
  connectionState: 'connected',
  powerState: 'poweredOn',
  toolsInstallerMounted: false,
  bootTime: new Date(0),
  consolidationNeeded: false,
});
const reply = encodeReply(wireTypes, retrievePropertiesEx, {
  token: 't',
  objects: [
    {
      obj: moref('VirtualMachine', 'vm-1'),
      propSet: [
        { name: 'runtime', val: runtime },
        {
          name: 'guest.net',
          val: anyOf(array(GuestNicInfo), [{ connected: true, deviceConfigId: 1, ipAddress: ['::1'] }]),
        },
        { name: 'size', val: 5n },
      ],
    },
  ],
});
const fault = encodeFault(wireTypes, {
  namespace: 'urn:vim25',
  message: 'no',
  fault: make(NoPermission, { object: moref('Folder', 'f'), privilegeId: 'System.Read' }),
});
const request = encodeRequest(wireTypes, login, {
  args: { _this: moref('SessionManager', 's'), userName: 'u', password: 'p<&' },
});

const pieces = [
  ...[
    '<',
    '>',
    '&',
    '</',
    '/>',
    '<!DOCTYPE x>',
    '<![CDATA[',
    ']]>',
    '&#0;',
    '&x;',
    '<?p ?>',
    '<!--',
    'xsi:type="',
    '"',
  ],
  ...['<a>', '<a b="', ' c="d"', '&amp;', '<!ENTITY a "b">', 'xsi:nil="true"'],
];

/** As a network hands it over: in two parts. */
const inParts = (bytes: Uint8Array): readonly Uint8Array[] => {
  const cut = bytes.length >> 1;
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
};

const target = (
  name: string,
  text: string,
  decode: (parts: readonly Uint8Array[]) => Promise<unknown>,
): FuzzTarget => ({
  name: `XML: ${name}`,
  seeds: [Buffer.from(text)],
  pieces,
  read: (bytes) =>
    decode(inParts(bytes)).then(
      () => true,
      (error) => {
        if (!(error instanceof WireError)) throw error;
        return false;
      },
    ),
});

const requests = createRequestDecoder(wireTypes, [login]);
const readReply = (parts: readonly Uint8Array[]) => decodeReply(parts, retrievePropertiesEx, { registry: wireTypes });

/** What vCenters answer, and what the simulated one is asked. */
export const xmlTargets: readonly FuzzTarget[] = [
  target('replies', reply, readReply),
  target('faults', fault, readReply),
  target('requests', request, (parts) => requests(parts)),
];
