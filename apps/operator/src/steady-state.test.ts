import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, createSimTestbed, type SimTestbed } from './testing/sim-testbed.ts';

describe('an hour in which nothing happens', { timeout: 120_000 }, () => {
  let testbed: SimTestbed;
  beforeEach(async () => {
    testbed = await createSimTestbed();
    await testbed.joinNode('node-1');
    await testbed.joinNode('node-2');
    await testbed.putSecret(account);
    await testbed.describe();
    await testbed.becomes('Ready', 'True', 'AllReady');
    await testbed.clock.advance(20 * 60_000);
  }, 60_000);
  afterEach(() => testbed.stop());

  it('costs at most 50 calls to vCenter with one session and a login every half hour that proves the account, and writes the status once per round', async () => {
    const before = testbed.vsphere.recorder.calls().length;
    let writes = 0;
    const stop = testbed.kubeSim.store.onChange(({ bucket }) => {
      if (bucket.endsWith('/vspheredrivers')) writes += 1;
    });
    await testbed.clock.advance(3_600_000);
    stop();
    expect(testbed.vsphere.recorder.calls().length - before).toBeLessThanOrEqual(50);
    expect(testbed.vsphere.recorder.count('Login')).toBeLessThanOrEqual(3);
    expect(writes).toBeLessThanOrEqual(12);
  });

  it('shows its state as metrics, and takes them back with the resource', async () => {
    const shown = async () => (await testbed.operators[0]?.metrics.expose())?.body ?? '';
    expect(await shown()).toContain('vdo_condition{type="Ready",status="True",reason="AllReady"} 1');
    expect(await shown()).toContain('vdo_driver_info{driver="csi",distribution="Native",version="0.1.0",target=""} 1');
    expect(await shown()).toMatch(/vdo_check_status\{check="node\/vm-found",object_kind="Node",status="Pass"\} 2/);
    await testbed.kube.delete(
      {
        group: 'vdo.vmware.com',
        version: 'v1beta1',
        plural: 'vspheredrivers',
        kind: 'VSphereDrivers',
        namespaced: false,
      },
      { name: 'cluster' },
    );
    await testbed.until('the resource to go', async () => (await testbed.drivers()) === undefined);
    expect(await shown()).not.toContain('vdo_condition{');
  });

  it('needs one replica; another takes over when it dies, without a second install', async () => {
    const second = testbed.start('operator-2');
    await testbed.clock.advance(60_000);
    testbed.operators[0]?.kill();
    await testbed.clock.advance(60_000);
    await testbed.describe({ csi: { replicas: 2 } });
    await testbed.until('the second to act', async () =>
      (await second.metrics.expose()).body.includes('vdo_condition{'),
    );
    await testbed.becomes('Ready', 'True', 'AllReady');
  });
});
