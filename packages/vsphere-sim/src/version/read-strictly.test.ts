import { describe, expect, it } from 'vitest';
import { SimFault } from '../sim-fault.ts';
import { callerOf, profileOf } from './profile.ts';
import { readStrictly } from './read-strictly.ts';
import { readXmlTree } from './xml-tree.ts';

const xmlns =
  'xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** The answer of a vCenter of the release; `taken` if it accepts the request. */
const answer = (body: string, action: string, release = '8.0.3'): string => {
  const caller = callerOf(profileOf(release), action);
  if (typeof caller === 'string') return caller;
  try {
    readStrictly(
      readXmlTree(`<soapenv:Envelope ${xmlns}><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`),
      caller,
    );
    return 'taken';
  } catch (error) {
    if (error instanceof SimFault && error.fault.$type === 'InvalidRequest') return error.message;
    throw error;
  }
};

const manager = '<_this type="CnsVolumeManager">cns-volume-manager</_this>';
const extend = (specs: string, namespace = 'urn:vsan') =>
  `<CnsExtendVolume xmlns="${namespace}">${manager}<extendSpecs>${specs}</extendSpecs></CnsExtendVolume>`;
const id = '<volumeId><id>a</id></volumeId>';
const size = '<capacityInMb>1</capacityInMb>';
const owner = 'data object of type CnsVolumeExtendSpec';

describe('a request', () => {
  it.each([
    ['as it should be', extend(id + size), 'taken'],
    [
      'with an element that nobody knows',
      extend(`${id}${size}<color>red</color>`),
      `Unexpected element tag "color" seen while parsing serialized ${owner}`,
    ],
    ['with elements in another order', extend(size + id), `Required property volumeId is missing from ${owner}`],
    [
      'with an element twice',
      extend(id + id + size),
      `Unexpected element tag "volumeId" seen while parsing serialized ${owner}`,
    ],
    ['without a required element', extend(id), `Required property capacityInMb is missing from ${owner}`],
    ['with a value of another type', extend(`${id}<capacityInMb>much</capacityInMb>`), '"capacityInMb" holds no long'],
    [
      'without an object to call',
      '<CnsExtendVolume xmlns="urn:vsan"></CnsExtendVolume>',
      'The managed object to call is missing: _this',
    ],
    [
      'of another namespace',
      extend(id + size, 'urn:vim25'),
      'CnsExtendVolume is in the namespace "urn:vim25", but the action is of urn:vsan',
    ],
    [
      'without a namespace',
      extend(id + size, ''),
      'CnsExtendVolume is in the namespace "", but the action is of urn:vsan',
    ],
    [
      'of a method that nobody has',
      extend(id + size).replaceAll('CnsExtendVolume', 'CnsShrinkVolume'),
      'Unable to resolve WSDL method name CnsShrinkVolume for vsan/8.0.0.4',
    ],
  ])('%s', (_name, body, expected) => {
    expect(answer(body, 'urn:vsan/8.0.0.4')).toBe(expected);
  });

  it.each([
    ['urn:vsan/8.0.0.4', 'taken'],
    ['"urn:vsan/8.0.0.4"', 'taken'],
    ['urn:vsan/vSAN 6.7U3', 'taken'],
    ['urn:vsan', 'taken'],
    ['urn:vsan/9.0.0.0', "Request version 'urn:vsan/9.0.0.0' and namespace 'urn:vsan' are not supported"],
    ['urn:vsan/vSAN', "Request version 'urn:vsan/vSAN' and namespace 'urn:vsan' are not supported"],
    ['urn:other/1', 'Unsupported namespace "urn:other"'],
  ])('with the action %s', (action, expected) => {
    expect(answer(extend(id + size), action)).toBe(expected);
  });
});

describe('fields that a version introduced', () => {
  const cluster = (more: string) =>
    `<containerCluster><clusterType>KUBERNETES</clusterType><clusterId>c</clusterId><vSphereUser>u</vSphereUser>${more}</containerCluster>`;
  const update = (more: string) =>
    `<CnsUpdateVolumeMetadata xmlns="urn:vsan">${manager}<updateSpecs>${id}<metadata>${cluster(more)}</metadata></updateSpecs></CnsUpdateVolumeMetadata>`;
  const flavor = '<clusterFlavor>VANILLA</clusterFlavor>';
  const distribution = '<clusterDistribution>D</clusterDistribution>';

  it.each([
    ['6.7.3', 'urn:vsan/vSAN 6.7U3', 'clusterFlavor'],
    ['7.0.0', 'urn:vsan/7.0', 'clusterDistribution'],
    ['7.0.1', 'urn:vsan/vSAN 7.0U1', 'clusterDistribution'],
    ['7.0.2', 'urn:vsan/vSAN 7.0U2', undefined],
    // A newer vCenter answers an older caller as the older vCenter would.
    ['9.0.0', 'urn:vsan/vSAN 6.7U3', 'clusterFlavor'],
  ])('is refused by %s to %s', (release, action, refused) => {
    const expected = refused
      ? `Unexpected element tag "${refused}" seen while parsing serialized data object of type CnsContainerCluster`
      : 'taken';
    expect(answer(update(flavor + distribution), action, release)).toBe(expected);
  });

  it('methods, too', () => {
    const body = `<CnsCreateSnapshots xmlns="urn:vsan">${manager}<snapshotSpecs>${id}<description>d</description></snapshotSpecs></CnsCreateSnapshots>`;
    expect(answer(body, 'urn:vsan/7.0', '7.0.0')).toBe('taken');
    expect(answer(body, 'urn:vsan/vSAN 6.7U3', '6.7.3')).toContain('Unable to resolve WSDL method name');
  });
});

describe('an entry of a list of a base type', () => {
  const permission = '<netPermission><ips>*</ips></netPermission>';
  const configure = (attributes: string) =>
    `<CnsConfigureVolumeACLs xmlns="urn:vsan">${manager}<ACLConfigSpecs>${id}<accessControlSpecList${attributes}>${permission}</accessControlSpecList></ACLConfigSpecs></CnsConfigureVolumeACLs>`;

  it.each([
    ['that tells its type', ' xsi:type="CnsNFSAccessControlSpec"', 'taken'],
    [
      'that does not',
      '',
      'Unexpected element tag "netPermission" seen while parsing serialized data object of type CnsAccessControlSpec',
    ],
    [
      'of a type that nobody knows',
      ' xsi:type="CnsSmbSpec"',
      'Unknown type "CnsSmbSpec" of element "accessControlSpecList"',
    ],
    [
      'of a type that does not belong there',
      ' xsi:type="CnsVolumeId"',
      '"accessControlSpecList" is declared as CnsAccessControlSpec, which CnsVolumeId does not extend',
    ],
  ])('%s', (_name, attributes, expected) => {
    expect(answer(configure(attributes), 'urn:vsan/8.0.0.4')).toBe(expected);
  });
});

it('an option of any type must declare it', () => {
  const reconfigure = (attributes: string) =>
    `<ReconfigVM_Task xmlns="urn:vim25"><_this type="VirtualMachine">vm-1</_this><spec><extraConfig xsi:type="OptionValue"><key>k</key><value${attributes}>TRUE</value></extraConfig></spec></ReconfigVM_Task>`;
  expect(answer(reconfigure(' xsi:type="xsd:string"'), 'urn:vim25/8.0.3.0')).toBe('taken');
  expect(answer(reconfigure(''), 'urn:vim25/8.0.3.0')).toBe('"value" does not tell its type');
  expect(answer(reconfigure(' xsi:type="xsd:int"'), 'urn:vim25/8.0.3.0')).toBe('"value" holds no int');
});
