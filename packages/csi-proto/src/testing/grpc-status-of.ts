import type { status } from '@grpc/grpc-js';
import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';
import { grpcStatusOfError } from '../rpc/grpc-status.ts';

/** The gRPC status of each code, if the error knows no more than its code does. */
export const grpcStatusOf = Object.fromEntries(
  (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
    code,
    grpcStatusOfError({ code, effect: errorCodes[code].effect }),
  ]),
) as Readonly<Record<ErrorCode, status>>;
