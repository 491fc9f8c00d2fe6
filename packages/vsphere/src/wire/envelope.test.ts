import { describe, expect, it } from 'vitest';
import { createRequestDecoder, decodeReply, encodeFault, encodeReply, encodeRequest } from './envelope.ts';
import { cnsCreateVolume } from './methods/cns.ts';
import { retrievePropertiesEx, waitForUpdatesEx } from './methods/property.ts';
import { findAllByUuid } from './methods/search.ts';
import { currentTime, login, logout } from './methods/session.ts';
import { moref } from './moref.ts';
import { make } from './schema.ts';
import { CnsBlockBackingDetails, CnsKubernetesEntityMetadata } from './types/cns.ts';
import { NoPermission, NotAuthenticated } from './types/faults.ts';
import { wireTypes } from './wire-types.ts';

const requests = createRequestDecoder(wireTypes, [currentTime, login, logout, retrievePropertiesEx, cnsCreateVolume]);
const sessionManager = moref('SessionManager', 'SessionManager');

describe('requests', () => {
  it('carry arguments and header to the server', async () => {
    const xml = encodeRequest(wireTypes, login, {
      args: { _this: sessionManager, userName: 'DOM\\user', password: 'p&<>"\\' },
      header: { operationID: 'op-1', vcSessionCookie: 'c' },
    });
    const request = await requests([xml]);
    expect(request).toMatchObject({
      name: 'Login',
      method: login,
      args: { _this: sessionManager, userName: 'DOM\\user', password: 'p&<>"\\' },
      header: { operationID: 'op-1', vcSessionCookie: 'c' },
    });
  });

  it('carry polymorphic specs in the namespace of their endpoint', async () => {
    const metadata = make(CnsKubernetesEntityMetadata, {
      entityName: 'pv',
      entityType: 'PERSISTENT_VOLUME',
    });
    const cluster = { clusterType: 'KUBERNETES', clusterId: 'c', vSphereUser: 'u' };
    const args = {
      _this: moref('CnsVolumeManager', 'cns-volume-manager'),
      createSpecs: [
        {
          name: 'pv',
          volumeType: 'BLOCK',
          datastores: [moref('Datastore', 'd')],
          metadata: { containerCluster: cluster, entityMetadata: [metadata], containerClusterArray: [cluster] },
          backingObjectDetails: make(CnsBlockBackingDetails, { capacityInMb: 1024n }),
        },
      ],
    };
    const xml = encodeRequest(wireTypes, cnsCreateVolume, { args });
    expect(xml).toContain('<CnsCreateVolume xmlns="urn:vsan">');
    expect(xml).toContain('<backingObjectDetails xsi:type="CnsBlockBackingDetails">');
    expect((await requests([xml])).args).toMatchObject(args);
  });

  it('of an unknown method keep its name', async () => {
    const xml = encodeRequest(wireTypes, findAllByUuid, {
      args: { _this: moref('SearchIndex', 's'), uuid: 'u', vmSearch: true },
    });
    expect(await requests([xml])).toMatchObject({ name: 'FindAllByUuid', method: undefined });
  });

  it('without a body are refused', async () => {
    await expect(requests(['<Envelope><Body/></Envelope>'])).rejects.toMatchObject({ kind: 'malformed' });
  });
});

describe('replies', () => {
  it('carry a value', async () => {
    const now = new Date('2026-01-01T00:00:00Z');
    expect(await decodeReply([encodeReply(wireTypes, currentTime, now)], currentTime, { registry: wireTypes })).toEqual(
      {
        ok: true,
        value: now,
      },
    );
  });

  it.each([
    ['a method that returns nothing', logout, undefined, undefined],
    ['an optional value that is absent', waitForUpdatesEx, undefined, undefined],
    ['an empty list', findAllByUuid, [], []],
  ])('of %s', async (_name, method, value, expected) => {
    const xml = encodeReply(wireTypes, method as typeof logout, value as undefined);
    expect(await decodeReply([xml], method as typeof logout, { registry: wireTypes })).toEqual({
      ok: true,
      value: expected,
    });
  });

  it('of another method are malformed, and the message says which', async () => {
    const xml = encodeReply(wireTypes, logout, undefined);
    await expect(decodeReply([xml], currentTime, { registry: wireTypes })).rejects.toThrow(
      'expected CurrentTimeResponse, got LogoutResponse',
    );
  });
});

describe('faults', () => {
  const fault = async (xml: string) => {
    const reply = await decodeReply([xml], currentTime, { registry: wireTypes });
    return reply.ok ? undefined : reply.fault;
  };

  it('carry their type and fields', async () => {
    const xml = encodeFault(wireTypes, {
      namespace: 'urn:vim25',
      message: 'Permission to perform this operation was denied.',
      fault: make(NoPermission, { object: moref('Datastore', 'd1'), privilegeId: 'Datastore.FileManagement' }),
    });
    expect(await fault(xml)).toMatchObject({
      faultcode: 'ServerFaultCode',
      faultstring: 'Permission to perform this operation was denied.',
      fault: { $type: 'NoPermission', object: moref('Datastore', 'd1'), privilegeId: 'Datastore.FileManagement' },
    });
  });

  it('are known by their base type', async () => {
    const xml = encodeFault(wireTypes, {
      namespace: 'urn:vim25',
      message: 'x',
      fault: make(NotAuthenticated, { object: moref('Folder', 'f'), privilegeId: 'System.View' }),
    });
    expect(wireTypes.is((await fault(xml))?.fault, NoPermission)).toBe(true);
  });

  it.each([
    [
      'a type that nobody knows',
      '<detail><ZFault xsi:type="Novel"><a>1</a></ZFault></detail>',
      { $type: 'Novel', a: '1' },
    ],
    ['a type told by the element name alone', '<detail><InvalidLoginFault/></detail>', { $type: 'InvalidLogin' }],
    ['no detail', '', undefined],
  ])('are read with %s', async (_name, detail, expected) => {
    const xml = `<e:Envelope xmlns:e="e" xmlns:xsi="i"><e:Body><e:Fault><faultcode>c</faultcode><faultstring>s</faultstring>${detail}</e:Fault></e:Body></e:Envelope>`;
    expect((await fault(xml))?.fault).toEqual(expected);
  });
});
