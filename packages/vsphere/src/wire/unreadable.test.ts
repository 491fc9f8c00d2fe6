import { describe, expect, it } from 'vitest';
import { decodeReply } from './envelope.ts';
import { cnsQueryVolume } from './methods/cns.ts';
import { retrievePropertiesEx, waitForUpdatesEx } from './methods/property.ts';
import { wireTypes } from './wire-types.ts';

const envelope = (body: string): string =>
  `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`;

const property = (name: string, val: string): string => `<propSet><name>${name}</name>${val}</propSet>`;
const object = (id: string, ...properties: readonly string[]): string =>
  `<objects><obj type="VirtualMachine">${id}</obj>${properties.join('')}</objects>`;
const text = (value: string): string => `<val xsi:type="xsd:string">${value}</val>`;

const odd =
  '<val xsi:type="ArrayOfOptionValue"><OptionValue><value xsi:type="xsd:string">v</value></OptionValue></val>';

const read = async (...objects: readonly string[]) => {
  const unreadable: string[] = [];
  const xml = envelope(
    `<RetrievePropertiesExResponse xmlns="urn:vim25"><returnval>${objects.join('')}</returnval></RetrievePropertiesExResponse>`,
  );
  const reply = await decodeReply([xml], retrievePropertiesEx, {
    registry: wireTypes,
    onUnreadable: (path, why, { object: of, property: name }) =>
      unreadable.push(`${name} of ${of?.value}: ${path.split('/').slice(4).join('/')}: ${why.split(': ').at(-1)}`),
  });
  if (!reply.ok) throw new Error('a fault');
  return { objects: reply.value?.objects ?? [], unreadable };
};

describe('a property that cannot be read', () => {
  it('is left out, and the others and the other objects are there', async () => {
    const { objects, unreadable } = await read(
      object('vm-1', property('name', text('a')), property('config.extraConfig', odd), property('guest', text('g'))),
      object('vm-2', property('name', text('b'))),
    );
    expect(objects.map(({ obj, propSet }) => [obj.value, propSet.map(({ name }) => name)])).toEqual([
      ['vm-1', ['name', 'guest']],
      ['vm-2', ['name']],
    ]);
    expect(unreadable).toEqual([
      'config.extraConfig of vm-1: objects/propSet/val/OptionValue: OptionValue lacks its element key',
    ]);
  });

  it.each([
    ['a number', '<val xsi:type="xsd:int">many</val>'],
    ['no value at all', ''],
    ['something deep inside', '<val xsi:type="VirtualMachineConfigInfo"><hardware><numCPU>x</numCPU></hardware></val>'],
  ])('may be %s', async (_name, val) => {
    const { objects, unreadable } = await read(object('vm-1', property('odd', val), property('name', text('a'))));
    expect(objects[0]?.propSet).toMatchObject([{ name: 'name', val: 'a' }]);
    expect(unreadable).toHaveLength(1);
  });

  it('is a change without a value for who watches', async () => {
    const change = '<changeSet><name>n</name><op>assign</op><val xsi:type="xsd:int">many</val></changeSet>';
    const xml = envelope(
      `<WaitForUpdatesExResponse xmlns="urn:vim25"><returnval><version>1</version><filterSet><filter type="PropertyFilter">f</filter><objectSet><kind>modify</kind><obj type="VirtualMachine">vm-1</obj>${change}</objectSet></filterSet></returnval></WaitForUpdatesExResponse>`,
    );
    const reply = await decodeReply([xml], waitForUpdatesEx, { registry: wireTypes });
    expect(reply.ok && reply.value?.filterSet[0]?.objectSet[0]?.changeSet).toEqual([
      { $type: 'PropertyChange', name: 'n', op: 'assign' },
    ]);
  });
});

it('a volume that cannot be read is an error: it must not look as if it were not there', async () => {
  const xml = envelope(
    '<CnsQueryVolumeResponse xmlns="urn:vsan"><returnval><volumes><name>a</name></volumes></returnval></CnsQueryVolumeResponse>',
  );
  await expect(decodeReply([xml], cnsQueryVolume, { registry: wireTypes })).rejects.toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('CnsVolume lacks its element volumeId'),
  });
});
