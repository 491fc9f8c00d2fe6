import type { AnyObject } from '@vdo/kube/types/object';
import { hasHost, type ImageRef } from '@vdo/releases/matrix';
import { imageReference } from '@vdo/releases/render/shared/image-reference';

/** An image that the manifests of a bundle need. */
export interface BundleImage {
  readonly repository: string;
  readonly tag: string;
  /** Null if it is not published. */
  readonly digest: string | null;
  /** The name of the image in the mirror. */
  readonly mirror: string;
  /** The image as the manifests name it. */
  readonly reference: string;
  /** `kind namespace/name` of the workloads that run it. */
  readonly usedBy: readonly string[];
}

interface PodSpec {
  readonly containers?: readonly { readonly image?: string }[];
  readonly initContainers?: readonly { readonly image?: string }[];
}

const podSpecOf = (object: AnyObject): PodSpec =>
  (object as { spec?: { template?: { spec?: PodSpec } } }).spec?.template?.spec ?? {};

/** The images of a workload, as its manifest names them. */
export const imagesOf = (object: AnyObject): readonly string[] => {
  const { containers = [], initContainers = [] } = podSpecOf(object);
  return [...initContainers, ...containers].flatMap(({ image }) => image ?? []);
};

const nameOf = ({ kind, metadata }: AnyObject): string =>
  `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;

/** Those images of the releases that the objects run. */
export const collectImages = (
  objects: readonly AnyObject[],
  refs: readonly ImageRef[],
  registry: string,
): readonly BundleImage[] => {
  const users = new Map<string, string[]>();
  for (const object of objects)
    for (const image of imagesOf(object)) users.set(image, [...(users.get(image) ?? []), nameOf(object)]);
  const byReference = new Map(refs.map((ref) => [imageReference(ref, registry), ref]));
  return [...users]
    .map(([reference, usedBy]): BundleImage => {
      const ref = byReference.get(reference);
      if (!ref) throw new Error(`no release lists the image ${reference} of ${usedBy.join(', ')}`);
      const { repository, tag, digest = null } = ref;
      const mirror = imageReference({ repository, tag }, registry);
      return { repository, tag, digest, mirror, reference, usedBy: [...new Set(usedBy)].sort() };
    })
    .sort((left, right) => (left.mirror < right.mirror ? -1 : 1));
};

/** Whether the matrix names the registry of the image. */
export const isPlaced = ({ repository }: BundleImage): boolean => hasHost(repository);
