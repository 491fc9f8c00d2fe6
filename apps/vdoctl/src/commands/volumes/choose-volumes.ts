import { VdoError } from '@vdo/base/vdo-error';
import { nearest } from '@vdo/config/nearest';
import type { VolumeRow } from './rows.ts';

/** All that a volume can be called: by its PersistentVolume, its claim with or without namespace, or its id. */
const namesOf = ({ persistentVolume, claim, handle }: VolumeRow): readonly string[] => [
  ...(persistentVolume === null ? [] : [persistentVolume]),
  ...(claim === null ? [] : [claim, claim.slice(claim.indexOf('/') + 1)]),
  handle,
];

/** The volumes of these names; all without names. One that is not there is an error, with the name that was perhaps meant. */
export const chooseVolumes = (all: readonly VolumeRow[], given: readonly string[]): readonly VolumeRow[] => {
  const wanted = given.map((name) => name.replace(/^(persistentvolume|pv|persistentvolumeclaim|pvc|volume)\//, ''));
  const missing = wanted.find((name) => !all.some((row) => namesOf(row).includes(name)));
  if (missing !== undefined) {
    // A misspelt subcommand arrives here as a name.
    const similar = nearest(missing, [...all.flatMap(namesOf), 'cleanup', 'trace']);
    throw new VdoError({
      code: 'KubeNotFound',
      message: `no PersistentVolume, claim or volume is called ${missing}`,
      remedy: `${similar === undefined ? '' : `Did you mean ${similar}? `}vdoctl volumes lists all.`,
    });
  }
  return wanted.length === 0 ? all : all.filter((row) => namesOf(row).some((name) => wanted.includes(name)));
};
