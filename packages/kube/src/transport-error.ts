import { HttpFailure } from '@vdo/base/http-failure';
import { VdoError } from '@vdo/base/vdo-error';

const reasons = {
  'name-unresolved': 'its name does not resolve',
  refused: 'nothing listens on its port',
  unreachable: 'there is no route to it',
  timeout: 'it does not answer',
  'not-tls': 'it does not speak TLS on that port',
  interrupted: 'the connection broke',
  malformed: 'what answers does not speak HTTP',
} as const;

/** Translates a failed exchange with the API server at `server`; anything but an HttpFailure passes unchanged. */
export const transportError = (server: string, error: unknown): unknown => {
  if (!(error instanceof HttpFailure)) return error;
  if (error.kind === 'tls-untrusted' || error.kind === 'thumbprint-mismatch')
    return new VdoError({
      code: 'KubeTlsUntrusted',
      message: `the certificate of the API server ${server} is not trusted: ${error.message}`,
      remedy:
        "Put the cluster's CA into certificate-authority-data of the kubeconfig; the name in `server` must be one of the certificate's names.",
      cause: error,
      details: { server },
    });
  return new VdoError({
    code: 'KubeUnreachable',
    message: `the API server ${server} cannot be reached: ${reasons[error.kind]} (${error.message})`,
    remedy: `Check that ${server} is the right address, that the API server runs, and that no firewall or proxy is in between.`,
    cause: error,
    details: { server, kind: error.kind },
  });
};

/** For an API server that took a request and gave no answer in time. */
export const noAnswerError = (server: string, timeoutMs: number): VdoError =>
  new VdoError({
    code: 'KubeUnreachable',
    message: `the API server ${server} did not answer within ${timeoutMs / 1000} s`,
    remedy: `Check the load and the health of the API server ${server} (its /readyz), and the network in between.`,
    details: { server, timeoutMs },
  });
