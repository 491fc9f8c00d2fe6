import { createSystemClock } from '@vdo/base/clock';
import { type VSphereDrivers, vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { createObjectApplier } from '@vdo/kube/apply/apply-objects';
import { createConfigMapState } from '@vdo/kube/config-map-state';
import { namespaces } from '@vdo/kube/types/core';
import { loadEmbeddedMatrix } from '@vdo/releases/embedded-matrix';
import { compareReleases } from '@vdo/releases/versions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vdoCrds } from '../../shared/operator/vdo-crds.ts';
import { runVdoctl } from '../../testing/run-vdoctl.ts';
import { type SimCluster, startSimCluster } from '../../testing/sim-cluster.ts';

const upstreamCsi = loadEmbeddedMatrix()
  .releases.filter(({ driver, distribution }) => driver === 'csi' && distribution === 'Upstream')
  .map(({ version }) => version)
  .sort(compareReleases);
const oldest = upstreamCsi[0] ?? '';
const namespace = 'vmware-system-vdo';

describe('vdoctl upgrade', () => {
  let cluster: SimCluster;
  beforeAll(async () => {
    cluster = await startSimCluster();
    const { kube } = cluster;
    const { applyAll } = createObjectApplier({
      client: kube,
      fieldManager: 'test',
      force: true,
      clock: createSystemClock(),
    });
    await applyAll(
      vdoCrds().map((definition) => ({ ...definition })),
      {},
    );
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const spec = {
      distribution: 'Upstream',
      vcenters: [{ server: 'vc1.example.com', credentialsSecret: 'vc' }],
      csi: {},
      updates: { policy: 'Manual' },
    };
    const resource = {
      apiVersion: 'vdo.vmware.com/v1beta1',
      kind: 'VSphereDrivers',
      metadata: { name: 'cluster' },
      spec,
    };
    await kube.create(vsphereDrivers, resource as unknown as VSphereDrivers);
    const status = {
      drivers: [{ kind: 'CSI', distribution: 'Upstream', version: oldest }],
      versions: { vcenters: [{ server: 'vc1.example.com', version: '8.0.3' }] },
    };
    await kube.patch(
      vsphereDrivers,
      { name: 'cluster' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
  });
  afterAll(() => cluster.stop());
  const vdoctl = (...argv: readonly string[]) => runVdoctl([...argv, '--kubeconfig', cluster.kubeconfig]);
  const updates = async () => (await cluster.kube.get(vsphereDrivers, { name: 'cluster' })).spec.updates;

  it('shows the plan with its reasons, and changes nothing with --dry-run', async () => {
    const { exitCode, out } = await vdoctl('upgrade', '--dry-run', '-o', 'wide');
    expect(exitCode).toBe(0);
    expect(out).toContain('will be upgraded');
    expect(out).toContain('CSI, not selected:');
    expect((await updates()).versions).toBeUndefined();
  });

  it('refuses without --yes when nobody can be asked', async () => {
    expect((await vdoctl('upgrade')).exitCode).toBe(2);
  });

  it('names the release in the spec', async () => {
    expect(await vdoctl('upgrade', '--yes', '--no-wait')).toMatchObject({ exitCode: 0 });
    const { versions, policy } = await updates();
    expect(policy).toBe('Manual');
    expect(compareReleases(versions?.csi ?? '0.0.0', oldest)).toBeGreaterThan(0);
  });

  it('says how far it is when the time is over', async () => {
    const { exitCode, err } = await vdoctl('upgrade', '--yes', '--timeout', '1s');
    expect(exitCode).toBe(124);
    expect(err).toContain('vdoctl status --watch');
  });

  it('tells that nothing fits a planned version, with exit code 3', async () => {
    const { exitCode, out } = await vdoctl('upgrade', 'check', '--kubernetes', '1.99', '--vsphere', '8.0.3');
    expect(exitCode).toBe(3);
    expect(out).toMatch(/^With Kubernetes 1\.99 and vCenter vc1\.example\.com 8\.0\.3:/);
    expect(out).toContain('no compatible release');
  });

  describe('rollback', () => {
    const listed = (version: string) =>
      loadEmbeddedMatrix().releases.find(
        (one) => one.driver === 'csi' && one.distribution === 'Upstream' && one.version === version,
      );
    const [first = '', second = '', third = ''] = upstreamCsi.slice(-3);
    const remember = (good: string, ...former: readonly string[]) =>
      createConfigMapState<unknown>({ client: cluster.kube, namespace, name: 'vdo-releases', key: 'state' }, {}).save({
        csi: { good: listed(good), former: former.map(listed), bad: [] },
      });
    const runs = (version: string) =>
      cluster.kube.patch(
        vsphereDrivers,
        { name: 'cluster' },
        {
          type: 'merge',
          body: { status: { drivers: [{ kind: 'CSI', distribution: 'Upstream', version }] } },
        },
        { subresource: 'status' },
      );

    it('has nowhere to go where nothing was healthy before', async () => {
      const none = await vdoctl('rollback', '--yes', '--no-wait');
      expect(none.exitCode).toBe(2);
      expect(none.err).toContain('--to-csi');
    });

    it('takes the newest good release before the one that runs, after an upgrade that is over', async () => {
      await remember(third, second, first);
      await runs(third);
      const back = await vdoctl('rollback', '--yes', '--no-wait', '-o', 'json');
      expect(back).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(back.out)).toMatchObject([{ running: third, to: second, known: [third, second, first] }]);
      expect(await updates()).toMatchObject({ policy: 'Pinned', versions: { csi: second } });
    });

    it('goes on to the one before that, not forward to the one it came from', async () => {
      await remember(second, third, first);
      await runs(second);
      expect((await vdoctl('rollback', '--dry-run', '-o', 'json')).out).toContain(`"to": "${first}"`);
    });

    it('takes the last good one while a newer one is stuck', async () => {
      await remember(second, first);
      await runs(third);
      expect((await vdoctl('rollback', '--dry-run', '-o', 'json')).out).toContain(`"to": "${second}"`);
    });

    it('refuses what may not read what the running one wrote, and changes nothing', async () => {
      await remember(third, second);
      await runs(third);
      const before = await updates();
      const refused = await vdoctl('rollback', '--yes', '--no-wait', '--to-csi', oldest);
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.err).toContain('whose data it may not be able to read');
      expect(await updates()).toEqual(before);
    });
  });
});
