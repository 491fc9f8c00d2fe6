import { createHash } from 'node:crypto';
import type { Logger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { volumeIntentResource } from '@vdo/config/api/volume-intent';
import type { KubeClient } from '@vdo/kube/client';
import type { KubeObject } from '@vdo/kube/types/object';
import { apiVersionOf, type Resource } from '@vdo/kube/types/resource';
import { decodeIntent, type EncodedIntent, encodeIntent } from './intent-codec.ts';
import type { IntentStore, VolumeIntent } from './volume-intent.ts';

/** An intent in the cluster; it exists only while its volume is being created. */
interface VolumeIntentObject extends KubeObject {
  readonly spec: EncodedIntent;
}

export const volumeIntents: Resource<VolumeIntentObject> = volumeIntentResource;

const fieldManager = 'vsphere-csi';

const isObjectName = (name: string): boolean => name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name);

/** CSI volume names may contain any characters; names that are not valid in Kubernetes are hashed. */
const objectNameOf = (name: string): string =>
  isObjectName(name) ? name : `volume-${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;

const outdated = (name: string, fields: string, cause?: unknown): VdoError =>
  new VdoError({
    code: 'DefinitionOutdated',
    message: `the CustomResourceDefinition ${volumeIntents.plural}.${volumeIntents.group} is too old: it drops ${fields} of volume ${name}`,
    remedy: `Install the CRD of this version: kubectl apply --server-side -f ${volumeIntents.group}_${volumeIntents.plural}.yaml (deploy/crds), or vdoctl install. No volume is created until then.`,
    ...(cause === undefined ? {} : { cause }),
  });

/** Throws if an older CRD is installed: the API server then drops the fields that the CRD does not have. */
const assertKept = (written: EncodedIntent, stored: Partial<EncodedIntent> | undefined): void => {
  const dropped = Object.keys(written).filter((field) => stored?.[field as keyof EncodedIntent] === undefined);
  if (dropped.length > 0) throw outdated(written.name, dropped.join(', '));
};

/** Server-side apply refuses fields that the CRD does not have, with an internal error of the API server. */
const explainRefusal = (name: string, error: unknown): unknown => {
  const [, field] =
    /\.spec\.(\w+): field not declared in schema/.exec(error instanceof Error ? error.message : '') ?? [];
  return field === undefined ? error : outdated(name, field, error);
};

export interface KubeIntentStoreDeps {
  readonly kube: KubeClient;
  /** Namespace of the driver. */
  readonly namespace: string;
  readonly logger: Logger;
}

/** The version of an object that this process knows. If the object was changed or deleted since, that change is kept. */
type Known = Pick<KubeObject['metadata'], 'uid' | 'resourceVersion'>;

/**
 * Intents as VolumeIntent objects in the namespace of the driver. They survive a restart, and other replicas find them. This process changes
 * an object that it knows only if it was not changed since: a late write of a replica that has lost the Lease must not undo a hand-over.
 */
export const createKubeIntentStore = ({ kube, namespace, logger }: KubeIntentStoreDeps): IntentStore => {
  const known = new Map<string, Known>();
  const learn = (name: string, object: VolumeIntentObject | undefined): void => {
    if (object)
      known.set(name, { uid: object.metadata.uid, resourceVersion: object.metadata.resourceVersion } as Known);
    else known.delete(name);
  };
  const read = (object: VolumeIntentObject): VolumeIntent | undefined => {
    try {
      return decodeIntent(object.spec);
    } catch (error) {
      // The object was edited by hand. The volume is still found by its name; the object is kept as a hint.
      logger.warn('a VolumeIntent cannot be read', { name: object.metadata.name, error });
      return undefined;
    }
  };

  return {
    get: async (name, { signal }) => {
      const object = await kube.find(volumeIntents, { namespace, name: objectNameOf(name) }, { signal });
      learn(name, object);
      return object && read(object);
    },
    put: async (intent, { signal }) => {
      const object: VolumeIntentObject = {
        apiVersion: apiVersionOf(volumeIntents),
        kind: volumeIntents.kind,
        metadata: { name: objectNameOf(intent.name), namespace, ...known.get(intent.name) },
        spec: encodeIntent(intent),
      };
      const stored = await kube.apply(volumeIntents, object, { fieldManager, force: true, signal }).catch((error) => {
        throw explainRefusal(intent.name, error);
      });
      learn(intent.name, stored);
      assertKept(object.spec, stored.spec);
    },
    remove: async (name, { signal }) => {
      known.delete(name);
      await kube.delete(volumeIntents, { namespace, name: objectNameOf(name) }, { signal });
    },
    list: async ({ signal }) => {
      const { items } = await kube.list(volumeIntents, { namespace, signal });
      return items.flatMap((object) => read(object) ?? []);
    },
  };
};
