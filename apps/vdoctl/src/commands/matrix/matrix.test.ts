import { describe, expect, it } from 'vitest';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { seedResource } from '../../testing/seed-resource.ts';
import { startSimCluster } from '../../testing/sim-cluster.ts';

const versions = ['--kubernetes', '1.34.1', '--vsphere', '8.0.3'];

describe('vdoctl matrix', () => {
  it('shows one driver alone, and all as JSON', async () => {
    const { exitCode, out } = await runVdoctl(['matrix', 'show', '--driver', 'csi', '--distribution', 'Native']);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Matrix \d+ built into vdoctl; no cluster available: /);
    expect(out).not.toMatch(/^CPI/m);
    const json = JSON.parse((await runVdoctl(['matrix', 'show', '-o', 'json'])).out) as { releases: unknown[] };
    expect(json.releases.length).toBeGreaterThan(2);
  });

  it('tells the choice and the reasons against the others', async () => {
    const { exitCode, out } = await runVdoctl(['matrix', 'why', 'csi', '--distribution', 'Upstream', ...versions]);
    expect(exitCode).toBe(0);
    expect(out).toContain('Upstream CSI ');
    expect(out).toContain('Not selected:');
  });

  it('ends with 1 when nothing fits', async () => {
    const { exitCode, err } = await runVdoctl(['matrix', 'why', 'csi', '--kubernetes', '1.5', '--vsphere', '8.0.3']);
    expect(exitCode).toBe(1);
    expect(err).toContain('NoCompatibleRelease');
  });

  it('takes versions that are not given from the cluster, and says which one it lacks', async () => {
    const cluster = await startSimCluster();
    try {
      const why = () => runVdoctl(['matrix', 'why', 'csi', '--kubeconfig', cluster.kubeconfig]);
      expect(await why()).toMatchObject({ exitCode: 2, err: expect.stringContaining('--vsphere 8.0.3') });
      const spec = {
        distribution: 'Native' as const,
        vcenters: [{ server: 'vc1', credentialsSecret: 'vcenter' }],
        csi: {},
      };
      await seedResource(cluster.kube, spec, { versions: { vcenters: [{ server: 'vc1', version: '8.0.3' }] } });
      expect(await why()).toMatchObject({
        exitCode: 0,
        out: expect.stringMatching(/Kubernetes v?1\.\S+ and vCenter 8\.0\.3/),
      });
    } finally {
      await cluster.stop();
    }
  });

  it('names the file that cannot be read', async () => {
    const { exitCode, err } = await runVdoctl(['matrix', 'show', '--file', '/nonexistent.json']);
    expect(exitCode).toBe(2);
    expect(err).toContain('/nonexistent.json');
  });
});
