import { HttpFailure } from '@vdo/base/http-failure';
import { VdoError } from '@vdo/base/vdo-error';

/** The registry cannot be reached, or has a failure of its own. */
export const unreachable = (host: string, cause: unknown): VdoError => {
  const why = cause instanceof Error ? cause.message : String(cause);
  const isUntrusted = cause instanceof HttpFailure && ['tls-untrusted', 'not-tls'].includes(cause.kind);
  return new VdoError({
    code: isUntrusted ? 'RegistryRefused' : 'RegistryUnreachable',
    message: `registry ${host}: ${why}`,
    remedy: isUntrusted
      ? 'Pass the certificate of the authority that signed it with --ca-file, or --plain-http if the registry has no TLS.'
      : 'Check the name and that this machine reaches the registry. What was pushed is kept: run the command again.',
    cause,
  });
};

/** The registry said no. */
export const refused = (
  host: string,
  { status, what, text }: { status: number; what: string; text: string },
): VdoError => {
  const isLogin = status === 401 || status === 403;
  const words = text.trim().slice(0, 300);
  return new VdoError({
    code: status >= 500 || status === 429 ? 'RegistryUnreachable' : 'RegistryRefused',
    message: `registry ${host} answered ${what} with status ${status}${words === '' ? '' : `: ${words}`}`,
    remedy: isLogin
      ? 'Pass an account that may write there: --user NAME, with its password in --password-file or VDO_REGISTRY_PASSWORD.'
      : 'Check the path of the registry and its free space, then run the command again: what was pushed is kept.',
  });
};
