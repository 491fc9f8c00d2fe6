import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { AnyObject } from '@vdo/kube/types/object';
import { hasHost, type Matrix } from '@vdo/releases/matrix';
import { imagesOf } from '@vdo/releases/render/shared/image-probe';
import type { ComponentObservation, UpgradeHold } from '../observation.ts';

const remedy = `Name the registry that has it: kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"images":{"registry":"REGISTRY"}}}'`;

const neverPulls = ({ images }: VSphereDriversSpec): boolean => images.pullPolicy === 'Never';

/**
 * Throws RegistryMissing if an image of these objects names no registry. A container runtime would look for it on a public one,
 * where the name belongs to somebody else. What runs already is only kept as it is.
 */
export const requireRegistry = (
  objects: readonly AnyObject[],
  { spec, running }: { readonly spec: VSphereDriversSpec; readonly running: readonly ComponentObservation[] },
): void => {
  if (neverPulls(spec)) return;
  const inUse = running.flatMap(({ images = [] }) => images);
  const image = imagesOf(objects).find((name) => !hasHost(name) && !inUse.includes(name));
  if (image === undefined) return;
  throw new VdoError({
    code: 'RegistryMissing',
    message: `image ${image} names no registry: neither this release of VDO nor spec.images.registry does`,
    remedy,
  });
};

/** Why nothing is upgraded: the new images would name no registry. What runs is looked after all the same. */
export const registryHold = (
  { releases }: Pick<Matrix, 'releases'>,
  options: {
    readonly spec: VSphereDriversSpec;
    readonly registry: string | undefined;
    readonly running: readonly ComponentObservation[];
  },
): UpgradeHold | undefined => {
  const { spec, registry, running } = options;
  if ((registry ?? spec.images.registry) !== undefined || neverPulls(spec)) return undefined;
  const isPlaced = releases
    .filter(({ distribution }) => distribution === 'Native')
    .every(({ images }) => Object.values(images).every(({ repository }) => hasHost(repository)));
  // Only what runs without one can go on so.
  const runsUnplaced = running.some(({ ours, images = [] }) => ours && !images.every(hasHost));
  if (spec.distribution !== 'Native' || isPlaced || !runsUnplaced) return undefined;
  return { reason: 'RegistryMissing', message: `No upgrade starts until a registry is named. ${remedy}` };
};
