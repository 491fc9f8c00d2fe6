import { VdoError } from '@vdo/base/vdo-error';
import { nearest } from '@vdo/config/nearest';
import type { VolumeRow } from './rows.ts';

/** All names of a volume: its PersistentVolume, its claim with or without namespace, or its ID. */
const namesOf = ({ persistentVolume, claim, handle }: VolumeRow): readonly string[] => [
  ...(persistentVolume === null ? [] : [persistentVolume]),
  ...(claim === null ? [] : [claim, claim.slice(claim.indexOf('/') + 1)]),
  handle,
];

/** The volumes with these names; all if there are no names. An unknown name is an error, with a suggestion. */
export const chooseVolumes = (all: readonly VolumeRow[], given: readonly string[]): readonly VolumeRow[] => {
  const wanted = given.map((name) => name.replace(/^(persistentvolume|pv|persistentvolumeclaim|pvc|volume)\//, ''));
  const missing = wanted.find((name) => !all.some((row) => namesOf(row).includes(name)));
  if (missing !== undefined) {
    // A mistyped subcommand ends here too, so name it in the suggestion.
    const similar = nearest(missing, [...all.flatMap(namesOf), 'cleanup', 'move', 'sync', 'trace']);
    throw new VdoError({
      code: 'KubeNotFound',
      message: `no PersistentVolume, claim or volume has the name ${missing}`,
      remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}Run vdoctl volumes to list all volumes.`,
    });
  }
  return wanted.length === 0 ? all : all.filter((row) => namesOf(row).some((name) => wanted.includes(name)));
};
