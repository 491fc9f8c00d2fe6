import { lacksOf, vcenterFeatures } from '@vdo/config/vcenter-features';
import type { SiteNames } from './site.ts';
import type { Trials } from './trial.ts';

/** The planned changes as text, with the given names: shown before anything is changed. */
export const planLines = (
  { folder, vm, datastore }: SiteNames,
  { version, left }: { readonly version: string; readonly left: Trials },
): readonly string[] => {
  const lacks = lacksOf(version);
  const left_ = [...left.volumes, ...left.categories];
  return [
    `Changes are made only on datastore ${datastore} and VM ${vm} in folder ${folder}:`,
    '  1. create a disk of 1 GiB, find it, set a PersistentVolume as its user and remove this again',
    '  2. attach it to the VM and detach it',
    ...(lacks.includes('growth') ? [] : ['  3. expand it to 3 GiB']),
    ...(lacks.includes('snapshots') ? [] : ['  4. create a snapshot, copy it to a second disk, delete both']),
    ...(lacks.includes('policy-change') ? [] : ['  5. set a storage policy that is compatible with the datastore']),
    ...(lacks.includes('file-volumes')
      ? []
      : ['  6. if the datastore supports file shares: create one, allow access from 192.0.2.1, delete it']),
    '  7. create a tag category and a tag, attach it to the VM, detach it, delete both',
    '  8. delete the disk, and check that nothing is left',
    'All created objects have names that start with vdo-qualify-. No other objects are changed or deleted.',
    ...lacks.map((feature) => `Not supported by this version: ${vcenterFeatures[feature].name}.`),
    ...(left_.length > 0
      ? [`Leftovers of an earlier run, deleted first: ${left_.map(({ name }) => name).join(', ')}.`]
      : []),
  ];
};
