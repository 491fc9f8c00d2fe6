import { allChecks } from '@vdo/checks/all-checks';
import { groupOf } from '@vdo/checks/check';
import { checksOf, runChecks } from '@vdo/checks/run-checks';
import { vdoApiVersion } from '@vdo/config/names';
import { applyFix } from '@vdo/vdoctl/commands/doctor/apply-fix';
import { planFixes } from '@vdo/vdoctl/commands/doctor/fixes';
import { planAccount } from '@vdo/vdoctl/commands/vsphere/account/account-plan';
import { applyPlan } from '@vdo/vdoctl/commands/vsphere/account/apply-plan';
import { gatherWanted, readAccess } from '@vdo/vdoctl/commands/vsphere/account/gather-account';
import { cycleNode } from '@vdo/vdoctl/shared/nodes/cycle-node';
import type { CheckTestbed } from './check-testbed.ts';
import { namespace, server } from './testbed-model.ts';

const { signal } = new AbortController();

/** What `vdoctl vsphere user apply` does, as an administrator of the simulated vCenter. */
const applyUser = async (testbed: CheckTestbed, account: string): Promise<void> => {
  const { kube, admin: vcenter, clock, world } = testbed;
  const resource = {
    apiVersion: vdoApiVersion,
    kind: 'VSphereDrivers',
    metadata: { name: 'cluster' },
    spec: world.spec,
  } as const;
  const [spec] = world.spec.vcenters;
  if (!spec) throw new Error('no vCenter');
  const flags = { vmFolder: [], datastore: [], cluster: [], csi: true, fileVolumes: false, volumeMoves: false };
  const wanted = await gatherWanted(
    { clock, signal },
    { vcenter, resource, spec, cluster: { kube, server: 'https://kube', namespace } },
    flags,
  );
  const ssoDomain = 'vsphere.local';
  const access = await readAccess({ vcenter }, { account, ssoDomain, inventory: wanted.inventory, signal });
  await applyPlan(vcenter, planAccount({ account, ...wanted, prune: false }, access), { signal });
};

/** What `vdoctl doctor --fix` does, with --power-cycle if it is given. */
const fix = async (testbed: CheckTestbed, only: string, powerCycle: boolean): Promise<void> => {
  const { kube, admin: vcenter, clock } = testbed;
  const groups = [groupOf({ id: only })];
  const facts = await testbed.gather(groups);
  const outcomes = runChecks(checksOf(allChecks, groups), facts).filter(({ id }) => id === only);
  const { fixes, cycles } = planFixes(outcomes, facts, { fromFile: false, powerCycle });
  if (fixes.length + cycles.length === 0) throw new Error(`nothing of ${only} can be fixed`);
  for (const one of fixes) await applyFix(kube, one, signal);
  const options = { clock, signal, timeout: 300, onStep: () => undefined };
  for (const cycle of cycles) await cycleNode({ kube, vcenter }, cycle, options);
};

/** Runs a remedy of vdoctl by its own code; one that only shows something changes nothing. */
export const runVdoctlRemedy = (testbed: CheckTestbed, words: readonly string[]): Promise<void> => {
  const [command = '', verb, action, account = ''] = words;
  const flag = (name: string) => words[words.indexOf(name) + 1] ?? '';
  if (command === 'vsphere' && verb === 'user' && action === 'apply' && flag('--server') === server)
    return testbed.settle(applyUser(testbed, account));
  if (command === 'doctor' && words.includes('--fix'))
    return testbed.settle(fix(testbed, flag('--only'), words.includes('--power-cycle')));
  throw new Error(`nobody taught the test bed to run: vdoctl ${words.join(' ')}`);
};
