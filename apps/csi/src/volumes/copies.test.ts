import { afterEach, describe, expect, it } from 'vitest';
import { createDomainTestbed, type DomainTestbed } from '../testing/domain-testbed.ts';

let testbed: DomainTestbed | undefined;
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

const gib = (count: bigint) => count << 30n;
const sized = (count: bigint, limit = 0n) => ({ capacityRange: { requiredBytes: gib(count), limitBytes: gib(limit) } });

/** A volume of 2 GiB and a way to copy it: from a snapshot of it, or from itself. */
const open = async (from: 'snapshot' | 'volume') => {
  testbed = createDomainTestbed();
  const { volumeId } = await testbed.create('original', sized(2n));
  const { snapshot } = await testbed.call('createSnapshot', { name: 's', sourceVolumeId: volumeId });
  const { snapshotId = '' } = snapshot ?? {};
  const value = from === 'snapshot' ? { snapshotId } : { volumeId };
  return { ...testbed, volumeId, source: { volumeContentSource: { type: { case: from, value } } } };
};
const sizesOf = ({ sim }: Pick<DomainTestbed, 'sim'>) => sim.volumes.list().map(({ capacityMb }) => capacityMb);

describe.each(['snapshot', 'volume'] as const)('a copy of a %s', (from) => {
  it('has the size of the original if none is asked for', async () => {
    const { create, sim, source } = await open(from);
    const copy = await create('copy', { ...source, capacityRange: undefined });
    expect(copy.capacityBytes).toBe(gib(2n));
    expect(sizesOf({ sim })).toEqual([2048n, 2048n]);
    expect(sim.recorder.count('CnsExtendVolume')).toBe(0);
  });

  it('may be larger, is never to be formatted, and is the same when asked again', async () => {
    const { create, sim, source } = await open(from);
    const copy = await create('copy', { ...source, ...sized(5n) });
    expect(copy.capacityBytes).toBe(gib(5n));
    expect(copy.volumeContext).toMatchObject({ 'vdo.vmware.com/blank': 'false' });
    const again = await create('copy', { ...source, ...sized(5n) });
    expect(again).toMatchObject({ volumeId: copy.volumeId, capacityBytes: gib(5n) });
    expect(sizesOf({ sim })).toEqual([2048n, 5120n]);
  });

  it('that could not grow is not given away small: the next try finishes it', async () => {
    const { create, sim, source } = await open(from);
    sim.control.addFault({
      method: 'CnsExtendVolume',
      times: 1,
      effect: { kind: 'task-failure', fault: { $type: 'NoDiskSpace', file: '', datastore: 'vsanDatastore' } },
    });
    await expect(create('copy', { ...source, ...sized(5n) })).rejects.toMatchObject({
      message: expect.stringMatching(/space/i),
    });
    const copy = await create('copy', { ...source, ...sized(5n) });
    expect(copy.capacityBytes).toBe(gib(5n));
    expect(sizesOf({ sim })).toEqual([2048n, 5120n]);
  });

  it.each([
    ['asked for smaller', sized(1n)],
    ['limited to less', sized(0n, 1n)],
  ])('%s than the original is refused, and nothing is made', async (_how, size) => {
    const { create, sim, source } = await open(from);
    await expect(create('copy', { ...source, ...size })).rejects.toMatchObject({
      code: 'VolumeSizeInvalid',
      remedy: expect.stringContaining('at least the size of the original'),
    });
    expect(sizesOf({ sim })).toEqual([2048n]);
    expect(sim.volumes.list()[0]?.snapshots).toHaveLength(1);
  });

  it('of something that is gone is not found', async () => {
    const { create, source } = await open(from);
    const gone = '00000000-0000-4000-8000-0000000000aa';
    const value = from === 'snapshot' ? { snapshotId: `${gone}+${gone}` } : { volumeId: gone };
    const missing = { volumeContentSource: { type: { ...source.volumeContentSource.type, value } } };
    await expect(create('copy', missing)).rejects.toMatchObject({
      code: from === 'snapshot' ? 'SnapshotNotFound' : 'VolumeNotFound',
    });
  });
});
