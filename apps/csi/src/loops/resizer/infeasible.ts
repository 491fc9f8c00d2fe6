import { status } from '@grpc/grpc-js';
import type { VdoError } from '@vdo/base/vdo-error';
import { grpcStatusOf } from '@vdo/csi-proto/rpc/grpc-status';

/** Trying again with the same wish is of no use. */
const hopeless: readonly status[] = [status.INVALID_ARGUMENT, status.OUT_OF_RANGE, status.NOT_FOUND];

/** True if what was asked for cannot be done, so that another wish must come. */
export const isInfeasible = ({ code }: VdoError): boolean => hopeless.includes(grpcStatusOf[code]);
