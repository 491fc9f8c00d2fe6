import { status } from '@grpc/grpc-js';
import { type ErrorCode, errorCodes } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import { grpcStatusOf } from '@vdo/csi-proto/testing/grpc-status-of';
import { expect, it } from 'vitest';
import { isInfeasible, isMistaken } from './infeasible.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];
const errorOf = (code: ErrorCode) => new VdoError({ code, message: code, remedy: 'none' });
const withStatus = (...wanted: readonly status[]) => codes.filter((code) => wanted.includes(grpcStatusOf[code]));

// The upstream resizer decides by the status what this one decides by the code.
it('the same wishes are given up, whoever asks for them', () => {
  expect(codes.filter((code) => isInfeasible(errorOf(code)))).toEqual(
    withStatus(status.INVALID_ARGUMENT, status.OUT_OF_RANGE, status.NOT_FOUND),
  );
  expect(codes.filter((code) => isMistaken(errorOf(code)))).toEqual(withStatus(status.INVALID_ARGUMENT));
});
