import { offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';
import { simReleases } from '@vdo/sim-world/sim-release';
import { describe } from 'vitest';
import { type DiskFeature, describeDisksContract } from './disks-contract.ts';
import { describeManagementContract, type Feature } from './management-contract.ts';
import { describePlacesContract } from './places-contract.ts';
import { startSimTarget } from './sim-target.ts';
import { describeVCenterContract } from './vcenter-contract.ts';

/** What decides whether a release has a part of the contract; moving volumes is no feature of the drivers. */
const needs: Readonly<Record<Feature, VCenterFeatureId | readonly string[]>> = {
  snapshots: 'snapshots',
  'missing-snapshots': 'block-volumes',
  'from-snapshot': 'snapshots',
  relocate: ['8', '9'],
  'policy-change': 'policy-change',
  'file-volumes': 'share-access',
  'disk-path': 'in-tree-disks',
  'register-by-path': 'in-tree-disks',
  'register-once': 'block-volumes',
};
const diskNeeds: Readonly<Record<DiskFeature, VCenterFeatureId | readonly string[]>> = {
  'control-flags': 'block-volumes',
  'volume-by-path': 'in-tree-disks',
  'volume-once': ['7.0.1', '7.0.2', '7.0.3', '8', '9'],
};

const lacksIn = <F extends string>(release: string, table: Readonly<Record<F, VCenterFeatureId | readonly string[]>>) =>
  (Object.keys(table) as F[]).filter((feature) => {
    const need = table[feature];
    return typeof need === 'string'
      ? !offersFeature(release, need)
      : !(need as readonly string[]).some((prefix) => release.startsWith(prefix));
  });

describe.each(simReleases)('vCenter %s', (release) => {
  const start = () => startSimTarget(release);
  describe('vCenter contract', () => describeVCenterContract(start));
  describe('management contract', () => describeManagementContract(start, { lacks: lacksIn(release, needs) }));
  describe('disks contract', () => describeDisksContract(start, { lacks: lacksIn(release, diskNeeds) }));
  describe('hosts and datastores of nodes', () => describePlacesContract(start));
});
