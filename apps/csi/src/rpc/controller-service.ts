import { VdoError } from '@vdo/base/vdo-error';
import { type Controller, ControllerServiceCapability_RPC_Type as Rpc } from '../gen/csi-pb.ts';
import type { VolumeService } from '../volumes/volume.ts';
import { readVolumeAccess } from '../volumes/volume-access.ts';
import { fromCreateVolumeRequest, toCreateVolumeResponse } from './create-volume-messages.ts';
import { missingField, requireField } from './require-field.ts';
import type { ServiceHandlers } from './service-handlers.ts';

/** What is advertised; everything here is implemented below. */
const capabilities = [Rpc.CREATE_DELETE_VOLUME, Rpc.SINGLE_NODE_MULTI_WRITER];

const volumeNotFound = (id: string): VdoError =>
  new VdoError({
    code: 'VolumeNotFound',
    message: `no configured vCenter has volume ${id}`,
    remedy: 'Check the volume handle of the PersistentVolume against the container volumes that vCenter lists.',
  });

const reasonToRefuse = (check: () => unknown): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof VdoError && error.code === 'VolumeCapabilityUnsupported') return error.message;
    throw error;
  }
};

/** The operations that exist; the others of the service answer UNIMPLEMENTED. */
export type ControllerService = Required<
  Pick<
    ServiceHandlers<typeof Controller>,
    'controllerGetCapabilities' | 'createVolume' | 'deleteVolume' | 'validateVolumeCapabilities'
  >
>;

export interface ControllerServiceOptions {
  readonly volumes: VolumeService;
}

/** The CSI controller: checks requests and hands them to the domain. Used by the socket and by the built-in loops alike. */
export const createControllerService = ({ volumes }: ControllerServiceOptions): ControllerService => ({
  controllerGetCapabilities: async () => ({
    capabilities: capabilities.map((type) => ({ type: { case: 'rpc', value: { type } } })),
  }),

  createVolume: async (request, context) => {
    const spec = fromCreateVolumeRequest(request);
    return toCreateVolumeResponse(await volumes.create(spec, context));
  },

  deleteVolume: async (request, context) => {
    await volumes.delete(requireField('volume_id', request.volumeId), context);
    return {};
  },

  validateVolumeCapabilities: async (request, context) => {
    const id = requireField('volume_id', request.volumeId);
    if (request.volumeCapabilities.length === 0) throw missingField('volume_capabilities');
    if (!(await volumes.find(id, context))) throw volumeNotFound(id);
    const refusal = reasonToRefuse(() => readVolumeAccess(request.volumeCapabilities));
    if (refusal !== undefined) return { message: refusal };
    const { volumeContext, volumeCapabilities, parameters } = request;
    return { confirmed: { volumeContext, volumeCapabilities, parameters } };
  },
});
