import type { AnyObject } from '@vdo/kube/types/object';
import { busyboxImage } from '../harness/busybox-image.ts';

export const named = (name: string) => ({ name, namespace: 'default' });

export interface ClaimOptions {
  readonly storageClassName: string;
  readonly size?: string;
  readonly [field: string]: unknown;
}

export const claimSpec = ({ size = '64Mi', ...more }: ClaimOptions) => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: size } },
  ...more,
});

export const claim = (name: string, options: ClaimOptions): AnyObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: named(name),
  spec: claimSpec(options),
});

export interface PodOptions {
  /** Claim of the volume `data`. */
  readonly claimName?: string;
  /** Instead of a claim. */
  readonly volume?: object;
  /** Raw: at `/dev/data`. Else mounted at `/data`. */
  readonly block?: boolean;
  /** Added to the mount. */
  readonly mount?: object;
  /** Added to the pod's spec. */
  readonly pod?: object;
}

// The first process of a container has no default for SIGTERM.
const wait = ['sh', '-c', 'trap exit TERM; sleep 2147483647 & wait'];

export const podSpec = ({ claimName, volume, block = false, mount = {}, pod: more = {} }: PodOptions) => ({
  terminationGracePeriodSeconds: 5,
  automountServiceAccountToken: false,
  containers: [
    {
      name: 'main',
      image: busyboxImage,
      imagePullPolicy: 'Never',
      command: wait,
      ...(block
        ? { volumeDevices: [{ name: 'data', devicePath: '/dev/data' }] }
        : { volumeMounts: [{ name: 'data', mountPath: '/data', ...mount }] }),
    },
  ],
  ...(claimName === undefined && volume === undefined
    ? {}
    : { volumes: [{ name: 'data', ...(volume ?? { persistentVolumeClaim: { claimName } }) }] }),
  ...more,
});

export const pod = (name: string, options: PodOptions): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: named(name),
  spec: podSpec(options),
});
