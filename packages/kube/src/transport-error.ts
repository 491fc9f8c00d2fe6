import { HttpFailure } from '@vdo/base/http-failure';
import { VdoError } from '@vdo/base/vdo-error';

const reasons = {
  'name-unresolved': 'its name does not resolve',
  refused: 'no server listens on its port',
  unreachable: 'there is no route to it',
  timeout: 'it does not answer',
  'not-tls': 'the server on that port does not use TLS',
  interrupted: 'the connection was interrupted',
  malformed: 'the response is not HTTP',
} as const;

/** Translates a failed exchange with the API server at `server`; anything but an HttpFailure passes unchanged. */
export const transportError = (server: string, error: unknown): unknown => {
  if (!(error instanceof HttpFailure)) return error;
  if (error.kind === 'tls-untrusted' || error.kind === 'thumbprint-mismatch')
    return new VdoError({
      code: 'KubeTlsUntrusted',
      message: `the certificate of the API server ${server} is not trusted: ${error.message}`,
      remedy:
        'Set certificate-authority-data in the kubeconfig to the CA of the cluster; the certificate must be valid for the name in `server`.',
      cause: error,
      details: { server },
    });
  return new VdoError({
    code: 'KubeUnreachable',
    message: `the API server ${server} cannot be reached: ${reasons[error.kind]} (${error.message})`,
    remedy: `Check that ${server} is the right address, that the API server is running, and that no firewall or proxy blocks the connection.`,
    cause: error,
    details: { server, kind: error.kind },
  });
};

/** For an API server that received a request and did not answer in time. */
export const noAnswerError = (server: string, timeoutMs: number): VdoError =>
  new VdoError({
    code: 'KubeUnreachable',
    message: `the API server ${server} did not answer within ${timeoutMs / 1000} s`,
    remedy: `Check the load and the health of the API server ${server} (its /readyz), and the network in between.`,
    details: { server, timeoutMs },
  });
