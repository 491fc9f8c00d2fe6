import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import {
  Controller,
  GroupController,
  Identity,
  VolumeCapability_AccessMode_Mode as Mode,
} from '@vdo/csi-proto/gen/csi-pb';
import { type CsiClient, createCsiClient } from '@vdo/csi-proto/rpc/csi-client';
import { createOperationObserver } from '@vdo/csi-proto/rpc/operation-observer';
import { type GrpcServer, serveGrpc } from '@vdo/csi-proto/rpc/serve-grpc';
import { toGrpcService } from '@vdo/csi-proto/rpc/to-grpc-service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDomainTestbedOn } from '../testing/domain-testbed.ts';
import { acknowledgeCreated } from './acknowledge-created.ts';
import { createGroupControllerService } from './group-controller-service.ts';
import { createIdentityService } from './identity-service.ts';

const clock = createSystemClock();
const gib = 1024n ** 3n;
const mount = { accessType: { case: 'mount' as const, value: {} }, accessMode: { mode: Mode.SINGLE_NODE_WRITER } };

let folder: string;
let server: GrpcServer;
let controller: CsiClient<typeof Controller>;
let identity: CsiClient<typeof Identity>;
let group: CsiClient<typeof GroupController>;
let testbed: ReturnType<typeof createDomainTestbedOn>;
const metrics = createMetrics();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csi-'));
  testbed = createDomainTestbedOn(clock);
  const observer = createOperationObserver({ clock, logger: silentLogger, metrics });
  const options = { observer, lifetime: new AbortController().signal };
  const endpoint = `unix://${join(folder, 'csi.sock')}`;
  const handlers = acknowledgeCreated(testbed.controller, { volumes: testbed.service, logger: silentLogger });
  const identityHandlers = createIdentityService({ topology: false, onlineExpansion: false, ready: () => true });
  server = await serveGrpc({
    endpoint,
    clock,
    services: [
      toGrpcService(Identity, identityHandlers, options),
      toGrpcService(GroupController, createGroupControllerService(), options),
      toGrpcService(Controller, handlers, options),
    ],
  });
  controller = createCsiClient(Controller, endpoint);
  identity = createCsiClient(Identity, endpoint);
  group = createCsiClient(GroupController, endpoint);
});

afterEach(async () => {
  controller.close();
  identity.close();
  group.close();
  await server.close();
  await testbed.close();
  await rm(folder, { recursive: true });
});

describe('the driver on its socket', () => {
  it('offers no snapshots of groups of volumes, and says why to a caller that tries', async () => {
    expect((await group.groupControllerGetCapabilities({})).capabilities).toEqual([]);
    await expect(group.createVolumeGroupSnapshot({ name: 'group', sourceVolumeIds: ['a', 'b'] })).rejects.toMatchObject(
      { code: status.UNIMPLEMENTED, details: expect.stringContaining('no single point in time') },
    );
  });

  it('introduces itself and says only what it can', async () => {
    expect(await identity.getPluginInfo({})).toMatchObject({ name: 'csi.vsphere.vmware.com' });
    expect((await identity.probe({})).ready).toBe(true);
    const { capabilities } = await identity.getPluginCapabilities({});
    expect(capabilities.map(({ type }) => type.value?.type)).toEqual([1]);
  });

  it('creates, validates and deletes a volume', async () => {
    const { volume } = await controller.createVolume({
      name: 'pvc-1',
      capacityRange: { requiredBytes: gib },
      volumeCapabilities: [mount],
    });
    expect(volume).toMatchObject({
      capacityBytes: gib,
      volumeContext: { type: 'vSphere CNS Block Volume', 'vdo.vmware.com/blank': 'true' },
    });
    expect(testbed.kept.size).toBe(0);
    const volumeId = volume?.volumeId ?? '';
    const { confirmed } = await controller.validateVolumeCapabilities({ volumeId, volumeCapabilities: [mount] });
    expect(confirmed?.volumeCapabilities).toHaveLength(1);
    await controller.deleteVolume({ volumeId });
    await controller.deleteVolume({ volumeId });
    expect(testbed.sim.volumes.list()).toEqual([]);
  });

  it('says of no raw volume that it is empty: whoever formats it later must look', async () => {
    const raw = { ...mount, accessType: { case: 'block' as const, value: {} } };
    const { volume } = await controller.createVolume({ name: 'pvc-1', volumeCapabilities: [raw] });
    expect(volume?.volumeContext).toEqual({ type: 'vSphere CNS Block Volume' });
  });

  it('does not confirm what it cannot do, and says why', async () => {
    const { volume } = await controller.createVolume({ name: 'pvc-1', volumeCapabilities: [mount] });
    const shared = { ...mount, accessMode: { mode: Mode.MULTI_NODE_MULTI_WRITER } };
    const reply = await controller.validateVolumeCapabilities({
      volumeId: volume?.volumeId ?? '',
      volumeCapabilities: [shared],
    });
    expect(reply.confirmed).toBeUndefined();
    expect(reply.message).toContain('is a disk, which only one node can use at a time');
  });

  it.each([
    ['a volume without name', { volumeCapabilities: [mount] }, status.INVALID_ARGUMENT],
    ['a volume without capabilities', { name: 'a' }, status.INVALID_ARGUMENT],
    ['a name that is too long', { name: 'x'.repeat(129), volumeCapabilities: [mount] }, status.INVALID_ARGUMENT],
    [
      'an unknown parameter',
      { name: 'a', volumeCapabilities: [mount], parameters: { colour: 'red' } },
      status.INVALID_ARGUMENT,
    ],
    [
      'many nodes on a raw device',
      {
        name: 'a',
        volumeCapabilities: [
          {
            ...mount,
            accessType: { case: 'block' as const, value: {} },
            accessMode: { mode: Mode.MULTI_NODE_MULTI_WRITER },
          },
        ],
      },
      status.INVALID_ARGUMENT,
    ],
    [
      'a file system nobody knows',
      {
        name: 'a',
        volumeCapabilities: [{ ...mount, accessType: { case: 'mount' as const, value: { fsType: 'fat' } } }],
      },
      status.INVALID_ARGUMENT,
    ],
    [
      'an impossible size',
      { name: 'a', volumeCapabilities: [mount], capacityRange: { requiredBytes: 2n ** 62n } },
      status.OUT_OF_RANGE,
    ],
    [
      'a datastore no node reaches',
      { name: 'a', volumeCapabilities: [mount], parameters: { datastoreurl: 'ds:///x/' } },
      status.RESOURCE_EXHAUSTED,
    ],
  ])('refuses %s', async (_name, request, code) => {
    await expect(controller.createVolume(request)).rejects.toMatchObject({ code });
    expect(testbed.sim.volumes.list()).toEqual([]);
  });

  it('answers UNIMPLEMENTED to what it does not advertise', async () => {
    await expect(controller.getSnapshot({ snapshotId: 's' })).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });

  it('answers ALREADY_EXISTS to another size, with a remedy', async () => {
    await controller.createVolume({ name: 'a', volumeCapabilities: [mount], capacityRange: { requiredBytes: gib } });
    const again = controller.createVolume({
      name: 'a',
      volumeCapabilities: [mount],
      capacityRange: { requiredBytes: 2n * gib },
    });
    await expect(again).rejects.toMatchObject({
      code: status.ALREADY_EXISTS,
      details: expect.stringMatching(/delete it in vCenter.*\[VolumeConflict\]/),
    });
  });

  it('answers NOT_FOUND for the capabilities of a volume that is not there', async () => {
    const request = { volumeId: '00000000-0000-4000-8000-00000000ffff', volumeCapabilities: [mount] };
    await expect(controller.validateVolumeCapabilities(request)).rejects.toMatchObject({ code: status.NOT_FOUND });
  });

  it('counts operations by method and code', async () => {
    await controller.deleteVolume({ volumeId: '' }).catch(() => {});
    const { body } = await metrics.expose();
    expect(body).toContain('vdo_csi_operations_total{method="DeleteVolume",code="InvalidArgument"} 1');
  });
});

describe('the socket', () => {
  it('is not taken from a living process', async () => {
    const endpoint = `unix://${join(folder, 'csi.sock')}`;
    await expect(serveGrpc({ endpoint, clock, services: [] })).rejects.toMatchObject({ code: 'ListenFailed' });
    await identity.probe({});
  });

  it('replaces a file that a dead process left behind, and is removed at the end', async () => {
    const path = join(folder, 'sub', 'stale.sock');
    const endpoint = `unix://${path}`;
    const first = await serveGrpc({ endpoint, clock, services: [] });
    await first.close();
    await writeFile(path, '');
    const second = await serveGrpc({ endpoint, clock, services: [] });
    await second.close();
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([['csi.sock'], ['http://x'], [`unix:///${'x'.repeat(120)}`], ['tcp://0.0.0.0:1']])(
    'refuses the endpoint %s',
    async (endpoint) => {
      await expect(serveGrpc({ endpoint, clock, services: [] })).rejects.toMatchObject({ code: 'InvalidArgument' });
    },
  );
});
