import { VdoError } from '@vdo/base/vdo-error';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { AnyObject } from '@vdo/kube/types/object';
import { hasHost, type Matrix } from '@vdo/releases/matrix';
import { imagesOf } from '@vdo/releases/render/shared/image-probe';
import type { ComponentObservation, UpgradeHold } from '../observation.ts';

const remedy = `Set the registry that has the image: kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"images":{"registry":"REGISTRY"}}}'`;

const neverPulls = ({ images }: VSphereDriversSpec): boolean => images.pullPolicy === 'Never';

/**
 * Throws RegistryMissing if an image of these objects has no registry in its name. A container runtime would pull it from a public registry,
 * where the name may belong to somebody else. Images that already run are kept.
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
    message: `image ${image} has no registry in its name: neither this VDO release nor spec.images.registry sets one`,
    remedy,
  });
};

/** Why no upgrade starts: the new images would have no registry. Running drivers are still repaired. */
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
  // Only a driver that already runs without a registry may continue without one.
  const runsUnplaced = running.some(({ ours, images = [] }) => ours && !images.every(hasHost));
  if (spec.distribution !== 'Native' || isPlaced || !runsUnplaced) return undefined;
  return { reason: 'RegistryMissing', message: `Upgrades wait until a registry is set. ${remedy}` };
};
