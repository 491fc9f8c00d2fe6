import { lacksOf, vcenterFeatures } from '@vdo/config/vcenter-features';
import type { SiteWish } from './site.ts';
import type { Trials } from './trial.ts';

/** What will be done, in words, with the names that the person gave: shown before anything is changed. */
export const planLines = (
  { folder, vm, datastore }: SiteWish,
  { version, left }: { readonly version: string; readonly left: Trials },
): readonly string[] => {
  const lacks = lacksOf(version);
  const left_ = [...left.volumes, ...left.categories];
  return [
    `On the datastore ${datastore} and the VM ${vm} in ${folder}, and nowhere else:`,
    '  1. make a disk of 1 GiB, find it, tell vCenter of a PersistentVolume and take that back',
    '  2. attach it to the VM and detach it again',
    ...(lacks.includes('growth') ? [] : ['  3. grow it to 3 GiB']),
    ...(lacks.includes('snapshots') ? [] : ['  4. take a snapshot, copy it to a second disk, delete both']),
    ...(lacks.includes('policy-change') ? [] : ['  5. give it a storage policy that fits the datastore']),
    ...(lacks.includes('file-volumes')
      ? []
      : ['  6. where the datastore can hold shares: make one, open it to 192.0.2.1, delete it']),
    '  7. make a tag category and a tag, put it on the VM, take it off, delete both',
    '  8. delete the disk, and look that nothing is left',
    'Everything that is made is called vdo-qualify-…; nothing else is changed or deleted.',
    ...lacks.map((feature) => `Not offered by this version: ${vcenterFeatures[feature].name}.`),
    ...(left_.length > 0
      ? [`Left by an earlier run, and deleted first: ${left_.map(({ name }) => name).join(', ')}.`]
      : []),
  ];
};
