import type { KubeObject } from '../types/object.ts';

/** Identifies an object, including its UID. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Unknown before the object exists. */
  readonly uid?: string;
}

export const refOf = ({ apiVersion, kind, metadata }: KubeObject): ObjectRef => ({
  apiVersion,
  kind,
  ...(metadata.namespace && { namespace: metadata.namespace }),
  name: metadata.name ?? '',
  ...(metadata.uid && { uid: metadata.uid }),
});

/** Empty for the core group. */
export const groupOf = (apiVersion: string): string => {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
};

/** Equal for all versions and UIDs of an object. */
export const refKey = ({ apiVersion, kind, namespace = '', name }: ObjectRef): string =>
  [groupOf(apiVersion), kind, namespace, name].join('/');

/** `Deployment vmware-system-vdo/vsphere-csi-controller`. */
export const describeRef = ({ kind, namespace, name }: ObjectRef): string =>
  `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
