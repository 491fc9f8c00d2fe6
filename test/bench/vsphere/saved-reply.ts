import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import { vmProperties } from '@vdo/vsphere/inventory/vm-properties';
import { viewSpec } from '@vdo/vsphere/property/specs';
import { encodeRequest } from '@vdo/vsphere/wire/envelope';
import {
  continueRetrievePropertiesEx,
  createContainerView,
  retrievePropertiesEx,
} from '@vdo/vsphere/wire/methods/property';
import { moref } from '@vdo/vsphere/wire/moref';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { managers } from '@vdo/vsphere-sim/soap/service-content';
import { createRawClient } from '@vdo/vsphere-sim/testing/raw-client';

// vCenter keeps dozens of such options for each VM.
const options = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`pciBridge${index}.functions`, String(index)]),
);

const vmOf = (index: number) => ({
  name: `node-${index}`,
  uuid: `4210aabb-1122-4000-8000-${String(index).padStart(12, '0')}`,
  nics: [
    { network: 'VM Network', ips: [`10.0.${index >> 8}.${index & 255}`, `fe80::250:56ff:fe00:${index.toString(16)}`] },
    { network: '', ips: ['172.17.0.1'], insideGuest: true },
  ],
  extraConfig: { 'disk.EnableUUID': 'TRUE', 'guestinfo.metadata': `<cloud & init ${index}>`, ...options },
});

/** A simulated vCenter tells no more than so many objects in one reply. */
const pageSize = 1000;

const startSim = (vms: number) =>
  createVSphereSim({
    model: {
      datacenters: [
        {
          name: 'DC0',
          clusters: [{ name: 'C0', hosts: [{ name: 'h0' }, { name: 'h1' }] }],
          datastores: [{ name: 'ds', type: 'VMFS' }],
          vms: Array.from({ length: vms }, (_, index) => vmOf(index)),
        },
      ],
    },
    clock: createSystemClock(),
    random: createSeededRandom(1),
  });

/** One reply with everything the inventory asks of this many VMs, some 4 kB each: the pages of a simulated vCenter, joined. */
export const savedReply = async (vms: number): Promise<string> => {
  const sim = startSim(vms);
  const client = createRawClient(sim.handler);
  await client.login();
  const scope = { container: moref('Folder', 'group-d1'), type: ['VirtualMachine'], recursive: true };
  const view = await client.call(createContainerView, { _this: managers.viewManager, ...scope });

  const exchange = async (body: string): Promise<string> => {
    const headers = { 'content-type': 'text/xml', soapaction: 'urn:vim25/8.0.3.0', cookie: client.jar.cookie };
    const response = await sim.handler({ method: 'POST', path: '/sdk', headers, body });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const page = Buffer.concat(chunks).toString('utf8');
    if (!page.includes('</objects>')) throw new Error(`no objects in the reply: ${page.slice(0, 1000)}`);
    return page;
  };

  const _this = managers.propertyCollector;
  const specSet = [viewSpec(vmProperties, view)];
  const asked = { args: { _this, specSet, options: { maxObjects: pageSize } } };
  const first = await exchange(encodeRequest(wireTypes, retrievePropertiesEx, asked));
  const pages = [first];
  for (let token = tokenOf(first); token !== undefined; token = tokenOf(pages.at(-1) ?? ''))
    pages.push(await exchange(encodeRequest(wireTypes, continueRetrievePropertiesEx, { args: { _this, token } })));
  const [before = '', after = ''] = [first.split('<token>')[0], first.split('</objects>').at(-1)];
  return `${before}${pages.map(objectsOf).join('')}${after}`;
};

const tokenOf = (page: string): string | undefined => /<token>([^<]+)<\/token>/.exec(page)?.[1];

const objectsOf = (page: string): string =>
  page.slice(page.indexOf('<objects>'), page.lastIndexOf('</objects>') + '</objects>'.length);
