import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { pbmCheckRequirements, pbmQueryProfile, pbmRetrieveContent } from '@vdo/vsphere/wire/methods/pbm';
import { moref } from '@vdo/vsphere/wire/moref';
import { make } from '@vdo/vsphere/wire/schema';
import { PbmPlacementCapabilityProfileRequirement } from '@vdo/vsphere/wire/types/pbm';
import { describe, expect, it } from 'vitest';
import { createVSphereSim } from '../create-vsphere-sim.ts';
import { demoModel } from '../demo-model.ts';
import { createRawClient } from '../testing/raw-client.ts';

const profiles = moref('PbmProfileProfileManager', 'ProfileManager');
const solver = moref('PbmPlacementSolver', 'placementSolver');

const setup = async (account: readonly [string, string] = ['csi@vsphere.local', 'obviously-fake-csi']) => {
  const model = {
    ...demoModel(),
    policies: [{ name: 'gold', id: 'policy-gold', datastores: ['shared-vmfs', 'local-a'] }],
  };
  const sim = createVSphereSim({ model, clock: createVirtualClock(), random: createSeededRandom(7) });
  const vim = createRawClient(sim.handler);
  await vim.login(...account);
  return { sim, pbm: createRawClient(sim.handler, { path: '/pbm', jar: vim.jar }) };
};

describe('storage policies', () => {
  it('are listed with their names', async () => {
    const { pbm } = await setup();
    const profileIds = await pbm.call(pbmQueryProfile, {
      _this: profiles,
      resourceType: { resourceType: 'STORAGE' },
      profileCategory: 'REQUIREMENT',
    });
    const content = await pbm.call(pbmRetrieveContent, { _this: profiles, profileIds });
    expect(content.map(({ name, profileId }) => [profileId.uniqueId, name])).toEqual([
      ['aa6d5a82-1c88-45da-85d3-3d74b91a5bad', 'vSAN Default Storage Policy'],
      ['policy-gold', 'gold'],
    ]);
  });

  it('report which datastores are compatible', async () => {
    const { sim, pbm } = await setup();
    const names = ['vsanDatastore', 'shared-vmfs', 'local-a'];
    const hubsToSearch = names.map((name) => ({ hubType: 'Datastore', hubId: sim.control.find(name).value }));
    const requirement = (uniqueId: string) => [
      make(PbmPlacementCapabilityProfileRequirement, { profileId: { uniqueId } }),
    ];
    const fitting = async (uniqueId: string) => {
      const placementSubjectRequirement = requirement(uniqueId);
      const results = await pbm.call(pbmCheckRequirements, {
        _this: solver,
        hubsToSearch,
        placementSubjectRequirement,
      });
      return names.filter((_name, index) => results[index]?.error.length === 0);
    };
    expect(await fitting('policy-gold')).toEqual(['shared-vmfs', 'local-a']);
    expect(await fitting('aa6d5a82-1c88-45da-85d3-3d74b91a5bad')).toEqual(['vsanDatastore']);
    const placementSubjectRequirement = requirement('policy-gold');
    const all = await pbm.call(pbmCheckRequirements, { _this: solver, placementSubjectRequirement });
    expect(all.filter(({ error }) => error.length === 0)).toHaveLength(2);
  });

  it('that do not exist are refused, and StorageProfile.View is needed', async () => {
    const { pbm } = await setup();
    await expect(
      pbm.call(pbmRetrieveContent, { _this: profiles, profileIds: [{ uniqueId: 'x' }] }),
    ).rejects.toMatchObject({ name: 'InvalidArgument' });
    const { pbm: other } = await setup(['cpi@vsphere.local', 'obviously-fake-cpi']);
    const asked = other.call(pbmQueryProfile, { _this: profiles, resourceType: { resourceType: 'STORAGE' } });
    await expect(asked).rejects.toMatchObject({ name: 'NoPermission', fault: { privilegeId: 'StorageProfile.View' } });
  });
});
