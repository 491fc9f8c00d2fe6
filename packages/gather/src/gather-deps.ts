import type { Clock } from '@vdo/base/clock';
import type { VdoError } from '@vdo/base/vdo-error';
import type { ReleaseFacts } from '@vdo/checks/facts';
import type { CertificateFacts, Support } from '@vdo/checks/facts/vcenter-facts';
import type { VCenterSpec } from '@vdo/config/api/vcenter-spec';
import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { KubeClient } from '@vdo/kube/client';
import type { Node } from '@vdo/kube/types/core';
import type { AnyObject } from '@vdo/kube/types/object';
import type { CnsVolume } from '@vdo/vsphere/cns/cns-types';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import type { GatherMemory } from './gather-memory.ts';

/** The verbs that gathering uses. `create` is called only as a dry run. */
export type KubeReader = Pick<KubeClient, 'find' | 'list' | 'pages' | 'serverVersion' | 'create'>;

/** What gathering uses of a vCenter. */
export type HealthVCenter = Pick<
  FullVCenter,
  'server' | 'calls' | 'about' | 'login' | 'nodes' | 'health' | 'authorization' | 'policies' | 'cns' | 'fileServices'
>;

export interface ProbeOptions {
  readonly signal?: AbortSignal;
}

/** Network probes from the machine on which the checks run. A missing probe is not possible there. */
export interface Probes {
  /** The certificate that a server presents, trusted or not; undefined if it presents none. */
  readonly certificate?: (server: string, port: number, options: ProbeOptions) => Promise<CertificateFacts | undefined>;
  /** The addresses of a name, from the given DNS server (that of the cluster). Throws if there are none. */
  readonly lookUp?: (name: string, nameServer: string, options: ProbeOptions) => Promise<readonly string[]>;
}

export interface GatherDeps {
  readonly kube: KubeReader;
  readonly spec: VSphereDriversSpec;
  /** Of the operator, the credentials and the native drivers. */
  readonly namespace: string;
  /** The vCenters of the spec, each connected, or with the error that prevented it. */
  readonly vcenters: readonly { readonly spec: VCenterSpec; readonly vcenter: HealthVCenter | VdoError }[];
  /** The same vCenters, logged in with the separate accounts of the drivers. Default: none. */
  readonly accounts?: readonly {
    readonly spec: VCenterSpec;
    readonly drivers: readonly ('cpi' | 'csi')[];
    readonly vcenter: HealthVCenter | VdoError;
  }[];
  /** The releases that run or were selected, and the matrix. */
  readonly releases: ReleaseFacts;
  /** Compares a vCenter or an ESXi host with the vSphere range of the releases; absent if none was selected. */
  readonly vsphereSupport?: (product: { readonly version: string; readonly apiVersion: string }) => Support;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly probes: Probes;
  /** The nodes from an informer that has them with their status. Default: they are listed. */
  readonly nodes?: readonly Node[];
  /** Names of the CNIs that run, if known. Default: derived from the namespaces of the drivers. */
  readonly cnis?: readonly string[];
  /** What would be installed: the pods of its workloads are proposed to the API server as a dry run. */
  readonly planned?: readonly AnyObject[];
  /** Called with each container volume of this cluster: the facts contain only what the checks need. */
  readonly onVolume?: (volume: CnsVolume, server: string) => void;
  /** Kept between runs, so that the VMs of known nodes need not be searched again. */
  readonly memory?: GatherMemory;
}
