import { HttpFailure } from '@vdo/base/http-failure';
import { VdoError } from '@vdo/base/vdo-error';
import { WireError } from '../wire/wire-error.ts';

/** The endpoint of a call, for messages. */
export interface Endpoint {
  readonly server: string;
  readonly port: number;
}

/** A server's certificate as it was presented. */
export interface PresentedCertificate {
  readonly sha1: string;
  readonly sha256: string;
  readonly subject: string;
}

const at = ({ server, port }: Endpoint): string => `${server}:${port}`;

const notVSphere = (
  endpoint: Endpoint,
  observed: string,
  options: { readonly cause?: unknown; readonly effect?: 'unknown' } = {},
): VdoError =>
  new VdoError({
    code: 'VCenterNotVSphere',
    message: `${at(endpoint)} does not respond like a vCenter: ${observed}`,
    remedy:
      'Set `server` and `port` to the vCenter itself (usually port 443), not to a proxy, a load balancer page or an ESXi host.',
    ...options,
  });

const unreachable = (endpoint: Endpoint, observed: string, cause: unknown): VdoError =>
  new VdoError({
    code: 'VCenterUnreachable',
    message: `cannot reach vCenter ${at(endpoint)}: ${observed}`,
    remedy: `Check that vCenter is running and that no firewall blocks ${at(endpoint)}/tcp for this cluster. The request is retried automatically.`,
    cause,
  });

const thumbprintText = ({ sha1, sha256, subject }: PresentedCertificate): string =>
  `it presents "${subject}", SHA-256 ${sha256}, SHA-1 ${sha1}`;

const untrusted = (endpoint: Endpoint, failure: HttpFailure, presented: PresentedCertificate | undefined): VdoError =>
  new VdoError({
    code: 'VCenterTlsUntrusted',
    message: `the certificate of vCenter ${at(endpoint)} is not trusted (${failure.message})${presented ? `; ${thumbprintText(presented)}` : ''}`,
    remedy: presented
      ? `If this is your vCenter, set \`tls.thumbprints: ["${presented.sha256}"]\` for it (\`thumbprint\` in vsphere.conf), or put its CA into \`tls.caBundle\` (\`caFile\`).`
      : 'Set `tls.thumbprints` (`thumbprint` in vsphere.conf) to the fingerprint of its certificate, or put its CA into `tls.caBundle` (`caFile`).',
    cause: failure,
    details: presented ? { presented } : {},
  });

const mismatch = (endpoint: Endpoint, failure: HttpFailure, presented: PresentedCertificate | undefined): VdoError =>
  new VdoError({
    code: 'VCenterThumbprintMismatch',
    message: `vCenter ${at(endpoint)} presents none of the configured thumbprints${presented ? `; ${thumbprintText(presented)}` : ''}`,
    remedy: presented
      ? `If its certificate was renewed, add "${presented.sha256}" to \`tls.thumbprints\` (\`thumbprint\` in vsphere.conf); otherwise another system may be intercepting the connection between this cluster and vCenter.`
      : 'If its certificate was renewed, add the new fingerprint to `tls.thumbprints` (`thumbprint` in vsphere.conf).',
    cause: failure,
    details: presented ? { presented } : {},
  });

const fromHttp = (endpoint: Endpoint, failure: HttpFailure, presented: PresentedCertificate | undefined): VdoError => {
  switch (failure.kind) {
    case 'name-unresolved':
      return new VdoError({
        code: 'VCenterNameUnresolved',
        message: `the host name ${endpoint.server} of the vCenter cannot be resolved`,
        remedy: `Correct \`server\`, or make sure that the cluster's DNS resolves ${endpoint.server}. The request is retried automatically.`,
        cause: failure,
      });
    case 'refused':
      return unreachable(endpoint, 'the connection was refused', failure);
    case 'unreachable':
      return unreachable(endpoint, 'there is no route', failure);
    case 'timeout':
      return unreachable(endpoint, 'it did not answer in time', failure);
    case 'interrupted':
      return unreachable(endpoint, 'the connection was lost during the call', failure);
    case 'tls-untrusted':
      return untrusted(endpoint, failure, presented);
    case 'thumbprint-mismatch':
      return mismatch(endpoint, failure, presented);
    case 'not-tls':
      return notVSphere(endpoint, 'it does not use TLS', { cause: failure });
    case 'malformed':
      return notVSphere(endpoint, 'it does not use HTTP', { cause: failure, effect: 'unknown' });
  }
};

const fromWire = (endpoint: Endpoint, error: WireError, call: string): VdoError => {
  switch (error.kind) {
    case 'not-soap':
      // Something replaced the reply, but the request may have been carried out.
      return notVSphere(endpoint, error.message, { cause: error, effect: 'unknown' });
    case 'too-large':
      return new VdoError({
        code: 'VCenterReplyTooLarge',
        message: `the reply of ${at(endpoint)} to ${call} is too large: ${error.message}`,
        remedy:
          'A vCenter should not send such a reply. Check whether this server is a vCenter; if it is, report this as a bug.',
        cause: error,
      });
    case 'newer':
      return new VdoError({
        code: 'VCenterVersionUnsupported',
        message: `vCenter ${at(endpoint)} is too old for ${call}: ${error.message}`,
        remedy:
          'Upgrade vCenter, or do not use this feature. See the table of features by version in the documentation.',
        effect: 'none',
        cause: error,
      });
    case 'unencodable':
      return new VdoError({
        code: 'InvalidArgument',
        message: `${call} cannot be sent: ${error.message}`,
        remedy: 'Correct this value. If it is a password, remove control characters such as a trailing newline.',
        cause: error,
      });
    default:
      return new VdoError({
        code: 'VCenterReplyMalformed',
        message: `the reply of ${at(endpoint)} to ${call} cannot be read: ${error.message}`,
        remedy:
          'Check for a proxy that changes or truncates replies. The request is retried automatically. If this persists, report it.',
        cause: error,
      });
  }
};

/**
 * Converts a failure of a connection to vCenter to a VdoError. VdoErrors and aborts are returned unchanged.
 * `certificate` reads the certificate of the server if it was refused.
 */
export const translateFailure = async (
  error: unknown,
  options: {
    readonly endpoint: Endpoint;
    readonly call: string;
    readonly certificate?: (() => Promise<PresentedCertificate | undefined>) | undefined;
  },
): Promise<unknown> => {
  if (error instanceof WireError) return fromWire(options.endpoint, error, options.call);
  if (!(error instanceof HttpFailure)) return error;
  const refused = error.kind === 'tls-untrusted' || error.kind === 'thumbprint-mismatch';
  const presented = error.presented ?? (refused ? await options.certificate?.() : undefined);
  return fromHttp(options.endpoint, error, presented);
};

/** Statuses of a proxy that may have forwarded the request. Other statuses refuse it: there is no such path, or not for this client. */
const mayBeForwarded = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** An HTTP status that no SOAP reply has: from vCenter's own proxy or from another one. */
export const statusFailure = (endpoint: Endpoint, status: number, call: string): VdoError => {
  if (mayBeForwarded(status))
    return new VdoError({
      code: 'VCenterBusy',
      message: `vCenter ${at(endpoint)} answers ${call} with HTTP ${status}: its services are starting or overloaded, or a proxy timed out`,
      remedy:
        'Wait: the request is retried automatically. If this persists, check the services in the vCenter management interface (port 5480).',
      details: { status },
    });
  return notVSphere(endpoint, `HTTP ${status} to ${call}`);
};
