import type { Logger } from '@vdo/base/logger';
import type { Registration } from '@vdo/csi-proto/gen/pluginregistration-pb';
import type { ServiceHandlers } from '@vdo/csi-proto/rpc/service-handlers';
import { driverName } from '../driver.ts';

export interface RegistrationState {
  /** Undefined until the kubelet has answered. */
  readonly accepted: boolean | undefined;
  /** The reason if the registration failed. */
  readonly error: string;
}

export interface RegistrationOptions {
  /** Path of the CSI socket on the host, as the kubelet sees it. */
  readonly socketPath: string;
  readonly logger: Logger;
  readonly onStatus: (state: RegistrationState) => void;
}

/** The service that the kubelet calls at the registration socket. The upstream driver needs a sidecar for this. */
export const createRegistrationService = (options: RegistrationOptions): ServiceHandlers<typeof Registration> => ({
  getInfo: async () => ({
    type: 'CSIPlugin',
    name: driverName,
    endpoint: options.socketPath,
    supportedVersions: ['1.0.0'],
  }),
  notifyRegistrationStatus: async ({ pluginRegistered, error }) => {
    if (pluginRegistered) options.logger.info('registered with the kubelet');
    else options.logger.error('the kubelet refused the registration and will retry', { reason: error });
    options.onStatus({ accepted: pluginRegistered, error });
    return {};
  },
});
