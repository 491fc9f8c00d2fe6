import { VdoError } from '@vdo/base/vdo-error';

/** Where the driver listens. */
export interface CsiEndpoint {
  /** In the format of grpc-js. */
  readonly target: string;
  /** Path of the socket file; undefined for TCP. */
  readonly socketPath: string | undefined;
}

const maxSocketPathBytes = 107;

/** Reads `unix:///path`, `unix:path`, `/path` or, for tests on machines without unix sockets, `tcp://127.0.0.1:port`. */
export const parseCsiEndpoint = (text: string): CsiEndpoint => {
  const tcp = /^(?:tcp|dns):\/\/((?:127\.0\.0\.1|localhost|\[::1\]):\d+)$/.exec(text)?.[1];
  if (tcp) return { target: tcp, socketPath: undefined };
  const path = /^(?:unix:(?:\/\/)?)?(\/.+)$/.exec(text)?.[1];
  if (path === undefined)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--csi-endpoint ${text} is neither a unix socket nor a loopback address`,
      remedy: 'Use an absolute path, such as --csi-endpoint unix:///csi/csi.sock.',
    });
  if (Buffer.byteLength(path) > maxSocketPathBytes)
    throw new VdoError({
      code: 'InvalidArgument',
      message: `--csi-endpoint ${text}: the path has ${Buffer.byteLength(path)} bytes, but the path of a unix socket has at most ${maxSocketPathBytes}`,
      remedy: 'Use a shorter path.',
    });
  return { target: `unix:${path}`, socketPath: path };
};
