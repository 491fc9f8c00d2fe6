import { describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';

describe('vdoctl kubeadm config', () => {
  it.each(['1.30.2', '1.34.1'])('prints the file for %s', async (version) => {
    const { exitCode, out } = await runVdoctl(['kubeadm', 'config', '--kubernetes', version, '--cluster-name', 'prod']);
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot(`golden/kubeadm-${version}.yaml`);
  });

  it('refuses versions that are not supported', async () => {
    const { exitCode, err } = await runVdoctl(['kubeadm', 'config', '--kubernetes', '1.20.0']);
    expect(exitCode).toBe(2);
    expect(err).toContain('1.28');
  });
});
