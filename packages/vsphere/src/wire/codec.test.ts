import { describe, expect, it } from 'vitest';
import { createDecoder } from './decode.ts';
import { encodeElement, escapeXml } from './encode.ts';
import { moref } from './moref.ts';
import { anyOf, array, int, make, type ObjectType, short, string } from './schema.ts';
import { CnsBlockBackingDetails, CnsVolume } from './types/cns.ts';
import { OptionValue } from './types/common.ts';
import { DatastoreSummary } from './types/datastore.ts';
import { GuestNicInfo } from './types/guest.ts';
import { DynamicProperty, SelectionSpec, TraversalSpec } from './types/property-collector.ts';
import { TaskInfo } from './types/task.ts';
import { VirtualHardware, VirtualMachineRuntimeInfo } from './types/vm.ts';
import { VirtualDisk, VirtualDiskFlatVer2BackingInfo } from './types/vm-device.ts';
import { WireError } from './wire-error.ts';
import { wireTypes } from './wire-types.ts';

const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

const decode = (type: ObjectType, xml: string, chunkSize = 1 << 20): unknown => {
  const decoder = createDecoder({ registry: wireTypes, rootName: 'x', root: wireTypes.planOf(type) });
  const bytes = new TextEncoder().encode(xml);
  for (let i = 0; i < bytes.length; i += chunkSize) decoder.write(bytes.subarray(i, i + chunkSize));
  return decoder.end();
};
const encode = (type: ObjectType, value: object): string =>
  encodeElement(wireTypes, 'x', wireTypes.planOf(type), value).replace('<x', `<x ${xsi}`);
const val = (xml: string): unknown =>
  (decode(DynamicProperty, `<x ${xsi}><name>p</name>${xml}</x>`) as { readonly val: unknown }).val;
const failure = (run: () => unknown): WireError => {
  try {
    run();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error('expected a WireError');
};

describe('a value survives the way out and back', () => {
  const disk = make(VirtualDisk, {
    key: 2000,
    unitNumber: 0,
    controllerKey: 1000,
    capacityInKB: 9_007_199_254_740_993n,
    backing: make(VirtualDiskFlatVer2BackingInfo, { fileName: '[ds] a/b.vmdk', diskMode: 'persistent', uuid: 'u-1' }),
  });

  it('keeps polymorphic objects, and longs beyond what a number holds', () => {
    const value = { numCPU: 2, memoryMB: 4096, device: [disk] };
    expect(decode(VirtualHardware, encode(VirtualHardware, value))).toEqual({ ...value, $type: 'VirtualHardware' });
  });

  it('keeps dates, references, enumerations and absent fields', () => {
    const value = {
      host: moref('HostSystem', 'host-9'),
      connectionState: 'connected',
      powerState: 'poweredOn',
      toolsInstallerMounted: false,
      bootTime: new Date('2026-03-04T05:06:07.089Z'),
      consolidationNeeded: false,
    };
    const back = decode(VirtualMachineRuntimeInfo, encode(VirtualMachineRuntimeInfo, value));
    expect(back).toEqual({ ...value, $type: 'VirtualMachineRuntimeInfo' });
  });

  it.each([['päss<&>"\' wörd]]>'], ['tab\there'], ['line\r\nbreak'], ['  spaces  '], ['😀'], ['\\back`tick$']])(
    'keeps the text %j exactly',
    (text) => {
      expect(decode(OptionValue, encode(OptionValue, { key: 'k', value: text }))).toMatchObject({ value: text });
    },
  );

  it('reads the same from chunks of one byte, also inside a character', () => {
    const xml = encode(OptionValue, { key: 'schlüssel', value: '€ & 😀' });
    expect(decode(OptionValue, xml, 1)).toEqual({ $type: 'OptionValue', key: 'schlüssel', value: '€ & 😀' });
  });

  it('keeps a recursive type', () => {
    const spec = make(TraversalSpec, {
      name: 'visit',
      type: 'Folder',
      path: 'childEntity',
      skip: false,
      selectSet: [{ $type: SelectionSpec.name, name: 'visit' }],
    });
    expect(decode(SelectionSpec, encode(SelectionSpec, spec))).toEqual(spec);
  });
});

describe('a value in an anyType place', () => {
  it.each([
    ['a string', '<val xsi:type="xsd:string">a</val>', 'a'],
    ['an int', '<val xsi:type="xsd:int">-7</val>', -7],
    ['a long', '<val xsi:type="xsd:long">9223372036854775807</val>', 9223372036854775807n],
    ['a boolean', '<val xsi:type="xsd:boolean">true</val>', true],
    [
      'a date without a zone is UTC',
      '<val xsi:type="xsd:dateTime">2026-01-02T03:04:05</val>',
      new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
    ],
    ['an enumeration of any name', '<val xsi:type="VirtualMachinePowerState">poweredOff</val>', 'poweredOff'],
    [
      'a reference',
      '<val type="Folder" xsi:type="ManagedObjectReference">group-d1</val>',
      { type: 'Folder', value: 'group-d1' },
    ],
    ['an array of strings', '<val xsi:type="ArrayOfString"><string>a</string><string>b</string></val>', ['a', 'b']],
    ['an empty array', '<val xsi:type="ArrayOfGuestNicInfo"/>', []],
    [
      'an array of references',
      '<val xsi:type="ArrayOfManagedObjectReference"><ManagedObjectReference type="Datastore" xsi:type="ManagedObjectReference">d1</ManagedObjectReference></val>',
      [{ type: 'Datastore', value: 'd1' }],
    ],
    [
      'an unknown object',
      '<val xsi:type="FromTheFuture"><a>1</a><b><c xsi:type="xsd:int">2</c></b><a>3</a></val>',
      { $type: 'FromTheFuture', a: ['1', '3'], b: { c: 2 } },
    ],
    ['an unknown empty object', '<val xsi:type="FromTheFuture"/>', { $type: 'FromTheFuture' }],
    ['text in CDATA', '<val xsi:type="xsd:string"><![CDATA[<a>&b]]></val>', '<a>&b'],
  ])('is read: %s', (_name, xml, expected) => {
    expect(val(xml)).toEqual(expected);
  });

  it.each([
    ['a string', 'a'],
    ['an int', 5],
    ['a double', 1.5],
    ['a long', 5n],
    ['bytes', new Uint8Array([1, 2, 255])],
    ['a date', new Date(0)],
    ['a reference', moref('Folder', 'f')],
    ['an object', make(GuestNicInfo, { connected: true, deviceConfigId: 4000, ipAddress: ['::1'] })],
  ])('survives: %s', (_name, value) => {
    expect(decode(DynamicProperty, encode(DynamicProperty, { name: 'p', val: value }))).toMatchObject({ val: value });
  });

  it('tells the wire type that anyOf names', () => {
    const nics = [{ connected: true, deviceConfigId: 1, ipAddress: [] }];
    expect(encode(DynamicProperty, { name: 'p', val: anyOf(array(GuestNicInfo), nics) })).toContain(
      '<val xsi:type="ArrayOfGuestNicInfo"><GuestNicInfo><connected>',
    );
    expect(encode(DynamicProperty, { name: 'p', val: anyOf(array(string), []) })).toContain('xsi:type="ArrayOfString"');
    expect(encode(DynamicProperty, { name: 'p', val: anyOf(array(int), [1]) })).toContain('"ArrayOfInt"><int>1</int>');
    expect(encode(DynamicProperty, { name: 'p', val: anyOf(short, 2) })).toContain('xsi:type="xsd:short"');
  });
});

describe('what a newer server adds', () => {
  it('skips unknown elements with everything inside', () => {
    const xml = `<x><volumeId><id>1</id></volumeId><novel><deep><id>2</id></deep></novel><name>n</name><metadata><containerCluster><clusterType>KUBERNETES</clusterType><clusterId>c</clusterId><vSphereUser>u</vSphereUser></containerCluster></metadata></x>`;
    expect(decode(CnsVolume, xml)).toMatchObject({ volumeId: { id: '1' }, name: 'n' });
  });

  it('reads an unknown subtype as far as its declared base goes, and keeps its name', () => {
    const xml = `<x ${xsi} xsi:type="ns1:QuantumDisk"><capacityInMb>5</capacityInMb><spin>up</spin></x>`;
    expect(decode(CnsBlockBackingDetails, xml)).toEqual({ $type: 'QuantumDisk', capacityInMb: 5n });
  });

  it('recognises xsi:type under any prefix', () => {
    const xml = `<x xmlns:XMLSchema-instance="http://www.w3.org/2001/XMLSchema-instance"><name>p</name><val XMLSchema-instance:type="xsd:boolean">1</val></x>`;
    expect(decode(DynamicProperty, xml)).toMatchObject({ val: true });
  });

  it('knows what extends what', () => {
    expect(wireTypes.is({ $type: 'TraversalSpec' }, SelectionSpec)).toBe(true);
    expect(wireTypes.is({ $type: 'SelectionSpec' }, TraversalSpec)).toBe(false);
    expect(wireTypes.is({ $type: 'FromTheFuture' }, SelectionSpec)).toBe(false);
    expect(wireTypes.is(undefined, SelectionSpec)).toBe(false);
  });
});

describe('bad input gives a named error', () => {
  const summary =
    '<name>d</name><url>u</url><capacity>1</capacity><freeSpace>1</freeSpace><accessible>true</accessible>';
  it.each([
    ['a DOCTYPE', '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', 'forbidden'],
    ['a billion laughs', `<!DOCTYPE l [<!ENTITY a "ha">${'<!ENTITY b "&a;&a;">'.repeat(9)}]><x>&b;</x>`, 'forbidden'],
    ['a web page', '<!DOCTYPE html><html></html>', 'not-soap'],
    ['JSON', '{"a":1}', 'not-soap'],
    ['nothing', '', 'truncated'],
    ['only blanks', '   ', 'not-soap'],
    ['an undeclared entity', `<x><name>&xxe;</name></x>`, 'malformed'],
    ['text that ends inside an element', '<x><name>d</na', 'truncated'],
    ['tags that do not match', '<x><name>d</url></x>', 'malformed'],
    ['a required element missing', '<x><name>d</name></x>', 'malformed'],
    [
      'letters for a number',
      `<x>${summary.replace('<capacity>1', '<capacity>many')}<type>VMFS</type></x>`,
      'malformed',
    ],
    ['an empty number', `<x>${summary.replace('<capacity>1', '<capacity>')}<type>VMFS</type></x>`, 'malformed'],
    ['a third boolean', `<x>${summary.replace('true', 'perhaps')}<type>VMFS</type></x>`, 'malformed'],
    ['another root element', '<y/>', 'not-soap'],
    ['depth without end', `<x>${'<a>'.repeat(5000)}`, 'too-deep'],
    ['depth inside a known field', `<x><name>p</name>${'<val>'.repeat(5000)}`, 'too-deep'],
  ])('%s', (_name, xml, kind) => {
    expect(failure(() => decode(DatastoreSummary, xml)).kind).toBe(kind);
  });

  it('says where and what in a message', () => {
    const error = failure(() =>
      decode(TaskInfo, '<x><key>k</key><task type="Task">t</task><progress>half</progress></x>'),
    );
    expect(error.message).toBe('x/progress: expected an integer, got "half"');
  });

  it('refuses more bytes than allowed before it has parsed them', () => {
    const decoder = createDecoder({
      registry: wireTypes,
      rootName: 'x',
      root: wireTypes.planOf(OptionValue),
      maxBytes: 10,
    });
    expect(failure(() => decoder.write('<x><key>0123456789')).kind).toBe('too-large');
  });

  it('refuses bytes that are no UTF-8', () => {
    const decoder = createDecoder({ registry: wireTypes, rootName: 'x', root: wireTypes.planOf(OptionValue) });
    decoder.write('<x><key>');
    expect(failure(() => decoder.write(new Uint8Array([0xc3, 0x28]))).kind).toBe('malformed');
  });

  it('never lets an element become a prototype', () => {
    const value = val('<val xsi:type="Evil"><__proto__ xsi:type="Evil"><polluted>1</polluted></__proto__></val>');
    expect((value as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('what cannot be sent', () => {
  it.each([
    ['a control character', 'a\u0000b'],
    ['an escape character', '\u001b[31m'],
    ['half a surrogate pair', '\ud800'],
    ['a non-character', '\uffff'],
  ])('is refused without quoting it: %s', (_name, text) => {
    const error = failure(() => encode(OptionValue, { key: 'k', value: text }));
    expect(error.kind).toBe('unencodable');
    expect(error.message).not.toContain(text);
    expect(error.message).toMatch(/^x: value: /);
  });

  it.each([
    ['a required field left out', { value: 'v' }, 'x: OptionValue needs key'],
    ['a wrong type', { key: 5, value: 'v' }, 'x: key: expected a string, got number'],
    ['an untyped object', { key: 'k', value: { a: 1 } }, 'x: value: needs a $type here'],
    ['an array of unknown kind', { key: 'k', value: [] }, 'x: value: set the type of this array with anyOf()'],
  ])('%s', (_name, value, message) => {
    expect(failure(() => encode(OptionValue, value)).message).toBe(message);
  });

  it('escapes what XML reserves', () => {
    expect(escapeXml('a<b>&"c"\r')).toBe('a&lt;b&gt;&amp;&quot;c&quot;&#13;');
  });
});
