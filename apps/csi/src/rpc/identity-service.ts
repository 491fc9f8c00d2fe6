import {
  type Identity,
  PluginCapability_Service_Type as Service,
  PluginCapability_VolumeExpansion_Type as VolumeExpansion,
} from '@vdo/csi-proto/gen/csi-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { driverName, driverVersion } from '../driver.ts';

export interface IdentityOptions {
  /** Topology categories are configured, so volumes have a topology. */
  readonly topology: boolean;
  /** Volumes can be expanded while they are in use. */
  readonly onlineExpansion: boolean;
  /** False while the program cannot serve yet. Independent of vCenter: an outage must not restart drivers. */
  readonly ready: () => boolean;
}

const service = (type: (typeof Service)[keyof typeof Service]) => ({
  type: { case: 'service' as const, value: { type } },
});

/** The name, version and capabilities of the driver, the same for both roles. */
export const createIdentityService = (options: IdentityOptions): ServiceHandlers<typeof Identity> => ({
  getPluginInfo: async () => ({ name: driverName, vendorVersion: driverVersion }),
  getPluginCapabilities: async () => ({
    capabilities: [
      service(Service.CONTROLLER_SERVICE),
      ...(options.topology ? [service(Service.VOLUME_ACCESSIBILITY_CONSTRAINTS)] : []),
      ...(options.onlineExpansion
        ? [{ type: { case: 'volumeExpansion' as const, value: { type: VolumeExpansion.ONLINE } } }]
        : []),
    ],
  }),
  probe: async () => ({ ready: options.ready() }),
});
