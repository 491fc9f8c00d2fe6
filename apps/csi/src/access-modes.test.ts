import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Controller } from '@vdo/csi-proto/gen/csi-pb';
import { createCsiClient } from '@vdo/csi-proto/rpc/csi-client';
import { volumeAttachments } from '@vdo/kube/types/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeId } from './testing/domain-testbed.ts';
import { createSimTestbed, type SimTestbedOptions } from './testing/sim-testbed.ts';

type Testbed = ReturnType<typeof createSimTestbed>;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const open = async (options: SimTestbedOptions = {}): Promise<Testbed> => {
  const testbed = createSimTestbed(options);
  ends.push(testbed.stop);
  await testbed.setUp();
  testbed.start();
  for (const node of [1, 2, 3]) await testbed.registerNode(node);
  return testbed;
};
const bind = async (testbed: Testbed, accessMode: string): Promise<string> => {
  await testbed.claim('data', 'vsphere', { accessModes: [accessMode] });
  return (await testbed.bound('data')).spec.volumeName ?? '';
};
const attached = (testbed: Testbed, name: string) =>
  testbed.until(`${name} is attached`, async () => {
    const found = await testbed.getAttachment(name);
    return found?.status?.attached ? found : undefined;
  });

describe('a claim with ReadWriteOncePod', () => {
  it('gets a disk of that mode, which is on one node at a time', async () => {
    const testbed = await open();
    const volume = await bind(testbed, 'ReadWriteOncePod');
    const [object] = await testbed.persistentVolumes();
    expect(object?.spec.accessModes).toEqual(['ReadWriteOncePod']);
    expect(testbed.sim.volumes.list().map(({ type }) => type)).toEqual(['BLOCK']);
    await testbed.attachment('a', volume, 1);
    await attached(testbed, 'a');
    await testbed.attachment('b', volume, 2);
    await testbed.until('the second is told', async () =>
      (await testbed.getAttachment('b'))?.status?.attachError?.message?.includes('[VolumeAttachedElsewhere]'),
    );
    await testbed.client.delete(volumeAttachments, { name: 'a' });
    await attached(testbed, 'b');
    expect(testbed.sim.volumes.list()[0]?.attachedTo?.vm).toEqual(testbed.sim.control.find('node-2', 'VirtualMachine'));
  });
});

describe('a claim with ReadOnlyMany', () => {
  const nobody = { name: 'none', ips: '*', permissions: 'NO_ACCESS', rootSquash: false } as const;

  it('gets a share that many nodes read at the same time, and none may write', async () => {
    const testbed = await open({ csi: { netPermissions: [nobody] } });
    const volume = await bind(testbed, 'ReadOnlyMany');
    for (const node of [1, 2, 3]) await testbed.attachment(`on-${node}`, volume, node);
    const points = new Set<string | undefined>();
    for (const node of [1, 2, 3]) {
      const { status } = await attached(testbed, `on-${node}`);
      points.add(status?.attachmentMetadata?.['Nfsv4AccessPoint']);
    }
    expect([...points]).toEqual([expect.stringMatching(/^[^:]+:\/.+/)]);
    const [share] = testbed.sim.volumes.list();
    const allowed = share?.netPermissions.filter(({ permissions }) => permissions !== 'NO_ACCESS') ?? [];
    expect(allowed.map(({ permissions }) => permissions)).toEqual(Array(6).fill('READ_ONLY'));
    expect(allowed.map(({ ips }) => ips)).toEqual(expect.arrayContaining(['10.10.0.11', '10.10.0.12', '10.10.0.13']));
    await testbed.client.delete(volumeAttachments, { name: 'on-2' });
    await testbed.until('node 2 is let out', async () => (await testbed.getAttachment('on-2')) === undefined);
    const left = testbed.sim.volumes.list()[0]?.netPermissions.map(({ ips }) => ips);
    expect(left).not.toContain('10.10.0.12');
    expect(left).toContain('10.10.0.13');
  });
});

describe('the list of volumes', () => {
  it('names the nodes of shares as of disks, whoever else is let in', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'csi-'));
    ends.push(() => rm(folder, { recursive: true }));
    const testbed = await open({ csiEndpoint: `unix://${folder}/csi.sock` });
    const share = await bind(testbed, 'ReadWriteMany');
    await testbed.claim('disk');
    const disk = (await testbed.bound('disk')).spec.volumeName ?? '';
    await testbed.attachment('share-1', share, 1);
    await testbed.attachment('share-3', share, 3);
    await testbed.attachment('disk-2', disk, 2);
    for (const name of ['share-1', 'share-3', 'disk-2']) await attached(testbed, name);
    const client = createCsiClient(Controller, `unix:${folder}/csi.sock`);
    ends.unshift(async () => client.close());
    // The socket is real and the clock is not: a program that does not listen yet is asked again, and time goes on meanwhile.
    const list = async (): Promise<Awaited<ReturnType<typeof client.listVolumes>>> => {
      const asked = client.listVolumes({}).then(
        (reply) => ({ reply }),
        () => ({ reply: undefined }),
      );
      let reported: Awaited<typeof asked> | undefined;
      void asked.then((outcome) => {
        reported = outcome;
      });
      while (!reported) {
        await testbed.clock.advance(100);
        await setTimeout(5);
      }
      return reported.reply ?? list();
    };
    const nodesOf = async () => {
      const { entries } = await list();
      return entries
        .map(({ volume, status }) => [
          volume?.volumeId.startsWith('file:'),
          [...(status?.publishedNodeIds ?? [])].sort(),
        ])
        .sort();
    };
    expect(await nodesOf()).toEqual([
      [false, [nodeId(2)]],
      [true, [nodeId(1), nodeId(3)]],
    ]);
    await testbed.client.delete(volumeAttachments, { name: 'share-1' });
    await testbed.until('it is gone', async () => (await testbed.getAttachment('share-1')) === undefined);
    expect(await nodesOf()).toEqual([
      [false, [nodeId(2)]],
      [true, [nodeId(3)]],
    ]);
  });
});
