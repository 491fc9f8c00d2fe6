import { customResourceDefinitions } from '@vdo/kube/types/cluster';
import { deployments } from '@vdo/kube/types/workloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MigrateTestbed, startMigrateTestbed } from './migrate-testbed.ts';
import { type V1alpha1Settings, v1alpha1Objects, v1alpha1Statuses } from './migrate-v1alpha1.ts';
import { operatorNamespace as namespace } from './operator-testbed.ts';

interface UpstreamObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}
let testbed: MigrateTestbed;
const upstreamOperator = { namespace, name: 'vdo-controller-manager' };
const migrate = (...argv: readonly string[]) => testbed.vdoctl('migrate', 'vdo', ...argv);

/** What is there of upstream VDO, and of the drivers that it has deployed. */
const everything = async () => {
  const found = await testbed.kubectl(['-n', namespace, 'get', 'vdoconfigs,vspherecloudconfigs', '-o', 'json']);
  const { items }: { readonly items: readonly UpstreamObject[] } = JSON.parse(found);
  const operator = await testbed.kube.find(deployments, upstreamOperator);
  return {
    operator: { replicas: operator?.spec.replicas, template: operator?.spec.template },
    former: items.map(({ kind, metadata: { name }, spec }) => ({ kind, name, spec })),
    drivers: await testbed.wanted(),
  };
};

describe('from upstream VDO as its wizard leaves it, on a real API server', { timeout: 300_000 }, () => {
  let before: Awaited<ReturnType<typeof everything>>;
  beforeAll(async () => {
    // That release called every cluster by the address of its vCenter, and knew no port but 443.
    testbed = await startMigrateTestbed({ clusterId: '127.0.0.1', vcenterPort: 443 });
    const { username, password } = testbed.a.secret;
    const settings: V1alpha1Settings = { server: '127.0.0.1', datacenter: 'dc-a', username, password };
    for (const object of v1alpha1Objects(settings))
      await testbed.until(`${object.kind} to be known`, () =>
        testbed.apply(object).then(
          () => true,
          () => false,
        ),
      );
    for (const { resource, name, status } of v1alpha1Statuses(settings)) {
      const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify({ status })];
      await testbed.kubectl(['-n', namespace, 'patch', resource, name, ...patch]);
    }
    await testbed.until('the operator of upstream VDO', async () => {
      const { status } = await testbed.kube.get(deployments, upstreamOperator);
      return status?.readyReplicas === 1;
    });
    before = await everything();
  }, 300_000);
  afterAll(async () => {
    await testbed?.stop();
  });

  it('a dry run changes nothing', async () => {
    const { exitCode, out } = await migrate('--distribution', 'Upstream', '--dry-run');
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining('stop the operator of upstream VDO'),
    });
    expect(await everything()).toEqual(before);
    expect((await testbed.health()).word).toBe('Absent');
  });

  it('its operator stops, the drivers are taken over, and the status says so', async () => {
    const { exitCode, out, err } = await migrate('--distribution', 'Upstream', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    expect((await testbed.condition('Ready'))?.status).toBe('True');
    expect((await testbed.health()).code).toBe(0);
    expect(await testbed.distributions()).toEqual(['Upstream', 'Upstream']);
    expect((await testbed.drivers())?.spec).toMatchObject({ csi: { clusterId: '127.0.0.1' } });
    expect((await testbed.kube.get(deployments, upstreamOperator)).spec.replicas).toBe(0);
    await testbed.serve();
    expect(await testbed.keepsVolume()).toBe(true);
  });

  it('the way back leaves upstream VDO and its drivers as they were', async () => {
    const { exitCode, out, err } = await testbed.vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
    await testbed.serve();
    expect(await everything()).toEqual(before);
    expect((await testbed.health()).word).toBe('Absent');
    expect(await testbed.keepsVolume()).toBe(true);
  });

  it('goes there again, and at its end upstream VDO is gone and the drivers serve', async () => {
    expect(await migrate('--distribution', 'Upstream', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await migrate('--finish', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await testbed.kube.find(deployments, upstreamOperator)).toBeUndefined();
    const kinds = (await testbed.kube.list(customResourceDefinitions)).items.map(({ metadata: { name } }) => name);
    expect(kinds).toContain('vspheredrivers.vdo.vmware.com');
    expect(kinds).not.toContain('vdoconfigs.vdo.vmware.com');
    const { exitCode, err } = await testbed.vdoctl('migrate', 'undo', '--yes');
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringMatching(/point of\s+no return/) });
    expect((await testbed.health()).code).toBe(0);
    await testbed.serve();
    expect(await testbed.keepsVolume()).toBe(true);
  });
});
