import { createSystemClock } from '@vdo/base/clock';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import { serveHttp } from '@vdo/base/http-server';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { describe, expect, it } from 'vitest';
import { makeAccounts, sandboxModel } from '../sandbox-model.ts';
import { createFaultBoard } from './fault-board.ts';
import { faultCatalogue } from './fault-catalogue.ts';
import { createFaultEndpoint, faultHeader } from './fault-endpoint.ts';
import { vcenterFaults } from './vcenter-faults.ts';

const build = () => {
  const random = createSeededRandom(1);
  const accounts = makeAccounts(random);
  const vsphere = createVSphereSim({ model: sandboxModel(5, accounts), clock: createSystemClock(), random });
  const passwords: string[] = [];
  const faults = vcenterFaults({
    control: vsphere.control,
    volumes: vsphere.volumes,
    nodeNames: ['node-1', 'node-2', 'node-3', 'node-4', 'node-5'],
    username: accounts.drivers.username,
    usePassword: async (password) => void passwords.push(password),
    random,
  });
  let observations = 0;
  const board = createFaultBoard(faults, async () => {
    observations++;
  });
  return { board, faults, vsphere, passwords, observations: () => observations };
};

describe('the faults of the sandbox', () => {
  it('are all there that need the simulated vCenter', () => {
    const named = faultCatalogue.filter((fault) => 'vcenter' in fault).map(({ name }) => name);
    expect(Object.keys(build().faults).sort()).toEqual([...named].sort());
  });

  it('are undone one by one or all together, and are looked at after each change', async () => {
    const { board, vsphere, observations } = build();
    const { control } = vsphere;
    await board.break('datastore-full');
    await board.break('tools-stopped');
    expect(control.read('shared-vmfs', 'summary.freeSpace')).toBe(0n);
    expect(control.read('node-5', 'guest.toolsRunningStatus')).toBe('guestToolsNotRunning');
    expect(board.active().map(({ name }) => name)).toEqual(['datastore-full', 'tools-stopped']);
    expect((await board.heal('tools-stopped')).map(({ name }) => name)).toEqual(['tools-stopped']);
    expect(control.read('node-5', 'guest.toolsRunningStatus')).toBe('guestToolsRunning');
    await board.heal();
    expect(control.read('shared-vmfs', 'summary.freeSpace')).toBe(4096n * 1024n ** 3n);
    expect(board.active()).toEqual([]);
    expect(observations()).toBe(4);
  });

  it('strike once however often they are asked for', async () => {
    const { board, vsphere } = build();
    const first = await board.break('vm-deleted');
    expect(await board.break('vm-deleted')).toEqual(first);
    expect(() => vsphere.control.find('node-5')).toThrow();
    expect(vsphere.control.find('node-4')).toBeDefined();
    await board.heal();
    expect(vsphere.control.find('node-5', 'VirtualMachine')).toBeDefined();
  });

  it('heal in every combination of two, in whatever order they struck, and again without harm', async () => {
    const names = Object.keys(build().faults);
    for (const first of names)
      for (const second of names.filter((name) => name !== first)) {
        const { board, vsphere } = build();
        await board.break(first);
        await board.break(second);
        await board.heal();
        expect(board.active(), `${first}, ${second}`).toEqual([]);
        await board.heal();
        expect(vsphere.control.read('node-5', 'guest.toolsRunningStatus')).toBe('guestToolsRunning');
        expect(vsphere.control.read('shared-vmfs', 'summary.freeSpace')).toBe(4096n * 1024n ** 3n);
        expect(vsphere.control.read('shared-vmfs', 'summary.accessible')).toBe(true);
      }
  });

  it('heal all others if one cannot be healed, and say so', async () => {
    const healed: string[] = [];
    const fault = (name: string, heal: () => Promise<void>) => async () => ({ reported: name, heal });
    const board = createFaultBoard(
      {
        'vcenter-down': fault('one', async () => void healed.push('one')),
        'slow-vcenter': fault('two', () => Promise.reject(new Error('stuck'))),
        'datastore-full': fault('three', async () => void healed.push('three')),
      },
      async () => undefined,
    );
    for (const name of ['vcenter-down', 'slow-vcenter', 'datastore-full']) await board.break(name);
    await expect(board.heal()).rejects.toThrow('stuck');
    expect(healed).toEqual(['three', 'one']);
    expect(board.active().map(({ name }) => name)).toEqual(['slow-vcenter']);
  });

  it('heal a changed password with a new one, which the cluster is told', async () => {
    const { board, passwords } = build();
    await board.break('bad-password');
    expect(passwords).toEqual([]);
    await board.heal();
    expect(passwords).toHaveLength(1);
  });

  it('are refused by name, and without the simulated vCenter', async () => {
    const board = createFaultBoard({}, async () => undefined);
    await expect(board.break('vcenter-down')).rejects.toMatchObject({
      message: 'vcenter-down needs the simulated vCenter, but this sandbox uses an external one',
    });
    await expect(board.break('node-notready')).rejects.toMatchObject({
      message: 'node-notready needs nodes that the sandbox runs itself, but this sandbox uses an external cluster',
      remedy: expect.stringContaining('--kubeconfig'),
    });
    await expect(board.break('meteor')).rejects.toMatchObject({ remedy: expect.stringContaining('vcenter-down') });
    await expect(board.heal('meteor')).rejects.toMatchObject({ code: 'InvalidArgument' });
  });

  it('are for whoever has the token, not for everybody on the machine', async () => {
    const { board } = build();
    const server = await serveHttp({ handler: createFaultEndpoint(board, 'right'), port: 0 });
    const client = createHttpClient({ origin: server.url });
    const ask = async (
      method: string,
      path: string,
      headers: Readonly<Record<string, string>> = faultHeader('right'),
    ) => {
      const reply = await client.transport({ method, path, headers });
      return { status: reply.status, value: JSON.parse(Buffer.from(await readBody(reply.body)).toString('utf8')) };
    };
    try {
      for (const headers of [{}, faultHeader('wrong'), faultHeader(''), { 'x-vdo-sandbox': '1' }])
        expect((await ask('POST', '/faults/vcenter-down', headers)).status).toBe(401);
      expect(board.active()).toEqual([]);
      expect((await ask('POST', '/faults/vcenter-down')).value).toMatchObject({ name: 'vcenter-down' });
      expect((await ask('GET', '/faults')).value).toHaveLength(1);
      expect(await ask('POST', '/faults/meteor')).toMatchObject({ status: 400, value: { code: 'InvalidArgument' } });
      expect((await ask('DELETE', '/faults')).value).toHaveLength(1);
      expect((await ask('PUT', '/faults')).status).toBe(405);
      expect((await ask('GET', '/elsewhere')).status).toBe(404);
    } finally {
      await client.close();
      await server.close();
    }
  });
});
