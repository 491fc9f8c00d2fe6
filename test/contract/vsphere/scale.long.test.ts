import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { checkInventoryScale, resolveAll, startScaleSim } from './inventory-scale.ts';
import { connectTo } from './target.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heapBytes = (): number => {
  // What the first collection sets free may let the second one free more.
  for (let i = 0; i < 3; i++) collectGarbage();
  return process.memoryUsage().heapUsed;
};

describe('the inventory of 10,000 nodes', () => {
  it('costs at most N/100 + 25 calls cold, and changes then cost no reads', async () => {
    await checkInventoryScale(startScaleSim(10_000, 0));
  });
});

describe('the inventory of 100 nodes among 50,000 foreign VMs', () => {
  it('keeps nothing of the foreign ones', async () => {
    const foreign = 50_000;
    const { target, uuids } = startScaleSim(100, foreign);
    // The first client warms up the simulator and the compiler, which keep things of their own.
    const first = connectTo(target);
    await resolveAll(first, uuids);
    await first.vcenter.close();
    const before = heapBytes();
    const second = connectTo(target);
    await resolveAll(second, uuids);
    const bytes = heapBytes() - before;
    // Still in use: what it knows of the 100 nodes is counted in.
    expect(second.vcenter.nodes).toBeDefined();
    console.log(`kept after looking at ${foreign} foreign VMs: ${bytes} bytes`);
    expect(bytes / foreign).toBeLessThan(40);
    await second.vcenter.close();
  });
});
