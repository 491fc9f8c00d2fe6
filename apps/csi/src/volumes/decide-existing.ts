import { VdoError } from '@vdo/base/vdo-error';
import type { CreateVolumeSpec, Volume } from './volume.ts';
import { mbToBytes, sizeSatisfies } from './volume-size.ts';

const conflict = (volume: Volume, spec: CreateVolumeSpec, observed: string, expected: string): VdoError =>
  new VdoError({
    code: 'VolumeConflict',
    message: `volume ${spec.name} exists on vCenter ${volume.server} as ${volume.id} with ${observed}, asked was ${expected}`,
    remedy: `If ${volume.id} is unused, delete it in vCenter (Monitor, Cloud Native Storage, Container Volumes); otherwise use a new claim.`,
    details: { volumeId: volume.id, server: volume.server },
  });

// A copy begins with the size of its original and is grown afterwards: a smaller one is not finished, not wrong.
const sizeFits = ({ sizeMb }: Volume, { size, source }: CreateVolumeSpec): boolean =>
  sizeSatisfies(sizeMb, source && size ? { ...size, requiredBytes: 0n } : size);

const fits = (volume: Volume, spec: CreateVolumeSpec): boolean =>
  sizeFits(volume, spec) &&
  volume.kind === (spec.kind ?? 'block') &&
  (spec.datastoreUrl === undefined || volume.datastoreUrl === '' || volume.datastoreUrl === spec.datastoreUrl);

/**
 * Which of the volumes that carry the requested name answers the request: the first that fits, by id. Undefined if there is none at
 * all; VolumeConflict if none fits. CNS may hold several of one name; the others are reported, never deleted.
 */
export const decideExisting = (
  volumes: readonly Volume[],
  spec: CreateVolumeSpec,
): { readonly volume: Volume; readonly others: readonly Volume[] } | undefined => {
  const sorted = [...volumes].sort((a, b) => (a.id < b.id ? -1 : 1));
  const [first] = sorted;
  if (!first) return undefined;
  const volume = sorted.find((candidate) => fits(candidate, spec));
  if (volume) return { volume, others: sorted.filter((other) => other !== volume) };
  if (!sizeFits(first, spec)) {
    const { requiredBytes = 0n, limitBytes = 0n } = spec.size ?? {};
    const limit = limitBytes > 0n ? ` and at most ${limitBytes} bytes` : '';
    throw conflict(first, spec, `${mbToBytes(first.sizeMb)} bytes`, `at least ${requiredBytes}${limit}`);
  }
  const { kind = 'block' } = spec;
  if (first.kind !== kind) throw conflict(first, spec, `kind ${first.kind}`, `kind ${kind}`);
  throw conflict(first, spec, `datastore ${first.datastoreUrl}`, `datastore ${spec.datastoreUrl}`);
};
