import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import type { VirtualClock } from '@vdo/base/virtual-clock';
import { allChecks } from '@vdo/checks/all-checks';
import type { CheckOutcome } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { parseVSphereDrivers } from '@vdo/config/api/parse-vsphere-drivers';
import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import { planAccount } from '@vdo/vdoctl/commands/vsphere/account/account-plan';
import { applyPlan } from '@vdo/vdoctl/commands/vsphere/account/apply-plan';
import { gatherWanted, readAccess } from '@vdo/vdoctl/commands/vsphere/account/gather-account';
import { gatherHere } from '@vdo/vdoctl/shared/checkup/gather';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';

export const vdoAccount = { username: 'vdo@vsphere.local', password: 'obviously-fake-vdo-1' };
const administrator = { username: 'administrator@vsphere.local', password: 'obviously-fake' };
const ssoDomain = 'vsphere.local';
const server = 'vc.example.com';

/** The demo vCenter without any account or role of the drivers. */
export const bareModel = (): VSphereModel => ({ ...demoModel(), users: [], roles: [], permissions: [] });

export interface PrivilegeParts {
  readonly clock: VirtualClock;
  readonly kube: KubeClient;
  readonly sim: VSphereSim;
  readonly spec: Pick<VSphereDriversSpecInput, 'cpi' | 'csi' | 'topology'>;
}

/** Makes and judges the account of the drivers on a simulated vCenter, with the code of `vdoctl vsphere user`. */
export const createPrivilegeTestbed = ({ clock, kube, sim, spec }: PrivilegeParts) => {
  const { signal } = new AbortController();
  const resource = parseVSphereDrivers({
    apiVersion: 'vdo.vmware.com/v1beta1',
    kind: 'VSphereDrivers',
    metadata: { name: 'cluster' },
    spec: { distribution: 'Native', vcenters: [{ server, credentialsSecret: 'vcenter' }], ...spec },
  });
  const [vcenterSpec] = resource.spec.vcenters;
  if (!vcenterSpec) throw new RangeError('no vCenter');
  const cluster = { kube, server: 'https://cluster.example', namespace: 'vmware-system-vdo' };

  const run = async <T>(work: Promise<T>): Promise<T> => {
    let over = false;
    const end = () => {
      over = true;
    };
    work.then(end, end);
    for (let step = 0; !over && step < 6000; step++) await clock.advance(100);
    if (!over) throw new Error('not over after ten minutes');
    return work;
  };
  const connect = (account: typeof administrator) =>
    createVCenter({
      server,
      credentials: async () => ({ ...account, version: '1' }),
      transport: sim.handler,
      clock,
      random: createSeededRandom(3),
      logger: silentLogger,
      metrics: createMetrics(),
    });
  const as = async <T>(account: typeof administrator, work: (vcenter: ReturnType<typeof connect>) => Promise<T>) => {
    const vcenter = connect(account);
    try {
      return await run(work(vcenter));
    } finally {
      await run(vcenter.close());
    }
  };

  return {
    resource,
    /** As an administrator. */
    asAdministrator: <T>(work: (vcenter: ReturnType<typeof connect>) => Promise<T>) => as(administrator, work),
    createAccount: () =>
      as(administrator, async (vcenter) => {
        const testbed = { vcenter, cluster, resource, spec: vcenterSpec };
        const flags = { csi: true, fileVolumes: false, volumeMoves: false, vmFolder: [], datastore: [], cluster: [] };
        const { roles, grants, inventory } = await gatherWanted({ clock, signal }, testbed, flags);
        const account = vdoAccount.username;
        const access = await readAccess(testbed, { account, ssoDomain, inventory, signal });
        const plan = planAccount({ account, roles, grants, prune: true }, access);
        await applyPlan(vcenter, plan, {
          signal,
          createUser: (name) => vcenter.sso.createUser({ name, password: vdoAccount.password }),
        });
        return { roles, grants };
      }),
    /** What `vdoctl vsphere user verify` says about the account. */
    judge: (): Promise<readonly CheckOutcome[]> =>
      as(vdoAccount, async (vcenter) => {
        const vcenters = [{ spec: vcenterSpec, vcenter }];
        const facts = await gatherHere(
          { clock, signal },
          { cluster, resource, vcenters, groups: ['privileges', 'node'] },
        );
        const checks = [
          ...checksOf(allChecks, ['privileges']),
          ...allChecks.filter(({ id }) => id === 'node/vm-found'),
        ];
        return runChecks(checks, facts);
      }),
    /** What the account was refused. */
    refused: () => sim.recorder.privileges().filter(({ user, granted }) => user === vdoAccount.username && !granted),
    /** What the account had to be allowed, reading aside. */
    used: () =>
      new Set(
        sim.recorder
          .privileges()
          .filter(({ user, privilege }) => user === vdoAccount.username && !privilege.startsWith('System.'))
          .map(({ privilege }) => privilege),
      ),
  };
};
