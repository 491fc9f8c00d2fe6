import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';

const core = <T extends KubeObject>(plural: string, kind: string, namespaced: boolean): Resource<T> => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: string;
}

export interface NodeAddress {
  readonly type: 'Hostname' | 'InternalIP' | 'ExternalIP' | 'InternalDNS' | 'ExternalDNS';
  readonly address: string;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
}

export interface Node extends KubeObject {
  readonly spec: {
    readonly providerID?: string;
    readonly taints?: readonly Taint[];
    readonly unschedulable?: boolean;
    readonly podCIDR?: string;
  };
  readonly status?: {
    readonly addresses?: readonly NodeAddress[];
    readonly conditions?: readonly NodeCondition[];
    readonly nodeInfo?: {
      readonly systemUUID?: string;
      readonly machineID?: string;
      readonly kubeletVersion?: string;
      readonly osImage?: string;
      readonly operatingSystem?: string;
    };
    /** Unique names of volumes the kubelet may have mounted: `kubernetes.io/csi/<driver>^<handle>`. */
    readonly volumesInUse?: readonly string[];
    /** What the attach/detach controller has seen attached. */
    readonly volumesAttached?: readonly { readonly name: string; readonly devicePath: string }[];
  };
}

export interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: string };
}

/** `data` is base64. */
export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface ServiceAccount extends KubeObject {
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface Event extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export interface PersistentVolume extends KubeObject {
  readonly spec: {
    readonly capacity?: { readonly storage: string };
    readonly accessModes?: readonly string[];
    readonly claimRef?: ObjectReference;
    readonly persistentVolumeReclaimPolicy?: 'Delete' | 'Retain' | 'Recycle';
    readonly storageClassName?: string;
    readonly mountOptions?: readonly string[];
    readonly volumeMode?: 'Filesystem' | 'Block';
    readonly volumeAttributesClassName?: string;
    readonly csi?: {
      readonly driver: string;
      readonly volumeHandle: string;
      readonly fsType?: string;
      readonly readOnly?: boolean;
      readonly volumeAttributes?: Readonly<Record<string, string>>;
    };
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } };
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    /** Since Kubernetes 1.29. */
    readonly lastPhaseTransitionTime?: string;
  };
}

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly resources?: {
      readonly requests?: { readonly storage?: string };
      readonly limits?: { readonly storage?: string };
    };
    readonly storageClassName?: string;
    readonly volumeMode?: 'Filesystem' | 'Block';
    readonly volumeName?: string;
    readonly selector?: unknown;
    readonly dataSource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
    readonly dataSourceRef?: {
      readonly apiGroup?: string;
      readonly kind: string;
      readonly name: string;
      readonly namespace?: string;
    };
    readonly volumeAttributesClassName?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: { readonly storage?: string };
    readonly accessModes?: readonly string[];
    readonly conditions?: readonly NodeCondition[];
    readonly allocatedResources?: { readonly storage?: string };
    readonly allocatedResourceStatuses?: { readonly storage?: string };
    readonly currentVolumeAttributesClassName?: string;
    readonly modifyVolumeStatus?: { readonly status: string; readonly targetVolumeAttributesClassName?: string };
  };
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly NodeCondition[];
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state?: Readonly<Record<string, unknown>>;
    }[];
  };
}

export interface Volume {
  readonly name: string;
  readonly [source: string]: unknown;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
  readonly resources?: unknown;
  readonly securityContext?: unknown;
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
    readonly subPath?: string;
    readonly mountPropagation?: string;
  }[];
  readonly volumeDevices?: readonly { readonly name: string; readonly devicePath: string }[];
  readonly livenessProbe?: unknown;
  readonly readinessProbe?: unknown;
  readonly startupProbe?: unknown;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: string;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly priorityClassName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: unknown;
  readonly securityContext?: unknown;
  readonly volumes?: readonly Volume[];
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly terminationGracePeriodSeconds?: number;
  /** Default true. */
  readonly automountServiceAccountToken?: boolean;
  /** Default Always. */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
}

export const nodes = core<Node>('nodes', 'Node', false);
export const namespaces = core<Namespace>('namespaces', 'Namespace', false);
export const secrets = core<Secret>('secrets', 'Secret', true);
export const configMaps = core<ConfigMap>('configmaps', 'ConfigMap', true);
export const serviceAccounts = core<ServiceAccount>('serviceaccounts', 'ServiceAccount', true);
export const events = core<Event>('events', 'Event', true);
export const pods = core<Pod>('pods', 'Pod', true);
export const persistentVolumes = core<PersistentVolume>('persistentvolumes', 'PersistentVolume', false);
export const persistentVolumeClaims = core<PersistentVolumeClaim>(
  'persistentvolumeclaims',
  'PersistentVolumeClaim',
  true,
);
