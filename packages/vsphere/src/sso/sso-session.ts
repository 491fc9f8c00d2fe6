import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CredentialsSource } from '../session/credentials.ts';
import { keyPairOf, loginIdentity } from '../session/key-pair.ts';
import type { LoginGuard } from '../session/login-guard.ts';
import { securityHeader } from '../session/security-header.ts';
import { createSharedSession } from '../session/shared-session.ts';
import type { TokenService } from '../session/token-service.ts';
import type { VimSession } from '../session/vim-session.ts';
import type { CallMetrics } from '../soap/call-metrics.ts';
import { type CallOptions, createSoapClient, type SoapCaller } from '../soap/soap-client.ts';
import type { Endpoint, PresentedCertificate } from '../soap/vcenter-failure.ts';
import { currentTime } from '../wire/methods/session.ts';
import { ssoAdminServiceInstance, ssoLogin, ssoLogout } from '../wire/methods/sso.ts';
import { moref } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { SsoAdminServiceContent } from '../wire/types/sso.ts';
import { createSsoCookies } from './sso-cookies.ts';

export interface SsoSessionOptions {
  readonly endpoint: Endpoint;
  readonly transport: HttpTransport;
  readonly credentials: CredentialsSource;
  readonly guard: LoginGuard;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CallMetrics;
  /** Logs in first, so that a wrong password is tried only once. */
  readonly session: Pick<VimSession, 'vim' | 'cookie'>;
  readonly domain: string;
  readonly tokens: TokenService;
  readonly certificate?: (() => Promise<PresentedCertificate | undefined>) | undefined;
  readonly timeoutMs?: number | undefined;
}

type Services = Value<typeof SsoAdminServiceContent>;

/** The session at `/sso-adminserver`. It logs in automatically, with a token, and again if the session was lost. */
export interface SsoSession extends SoapCaller {
  services(options?: CallOptions): Promise<Services>;
  /** Logs out. */
  close(): Promise<void>;
}

export const createSsoSession = (options: SsoSessionOptions): SsoSession => {
  const { endpoint, session, guard, clock, logger, metrics } = options;
  const { server } = endpoint;
  const cookies = createSsoCookies(session.cookie);
  const { tokens } = options;

  const clientFor = (
    extra: { readonly security?: string; readonly envelope?: (content: string) => string } = {},
  ): SoapCaller =>
    createSoapClient({
      endpoint,
      transport: options.transport,
      path: `/sso-adminserver/sdk/${encodeURIComponent(options.domain)}`,
      cookies,
      clock,
      metrics,
      version: () => 'version2',
      acceptsCookies: true,
      ...(options.certificate ? { certificate: options.certificate } : {}),
      timeoutMs: options.timeoutMs,
      ...extra,
    });
  const plain = clientFor();

  /** Sends a token: unchanged, or with a signature if it is bound to a key. */
  const loginClient = async (): Promise<SoapCaller> => {
    const credentials = await options.credentials({});
    const who = loginIdentity(credentials);
    const pair = keyPairOf(credentials);
    await guard.admit(server, who);
    try {
      const assertion = await tokens.issue(credentials);
      await guard.accepted(server, who);
      metrics.loggedIn('sso', 'ok');
      return pair
        ? clientFor({ envelope: (content) => tokens.sign(content, { pair, assertion }) })
        : clientFor({ security: securityHeader(clock.now(), { assertion }) });
    } catch (error) {
      metrics.loggedIn('sso', isVdoError(error) ? error.code : 'Internal');
      if (isVdoError(error, 'VCenterLoginRejected')) await guard.rejected(server, who, error);
      throw error;
    }
  };

  const open = async (): Promise<Services> => {
    await session.vim.call(currentTime, { _this: moref('ServiceInstance', 'ServiceInstance') });
    cookies.clear();
    const _this = moref('SsoAdminServiceInstance', 'SsoAdminServiceInstance');
    const services = await plain.call(ssoAdminServiceInstance, { _this });
    await (await loginClient()).call(ssoLogin, { _this: services.sessionManager });
    return services;
  };

  const shared = createSharedSession<Services>({
    open,
    close: async ({ sessionManager: _this }) => {
      await plain
        .call(ssoLogout, { _this }, { timeoutMs: 5_000 })
        .catch((error: unknown) => logger.debug('single sign-on logout failed', { server, error }));
    },
    onChange: (isOpen) => metrics.session('sso', isOpen),
    closedError: () =>
      new VdoError({
        code: 'Cancelled',
        message: `the connection to vCenter ${server} was closed`,
        remedy: 'No action needed: the program is stopping.',
      }),
  });

  return {
    services: (call) => shared.get(call),
    call: async (method, args, call = {}) => {
      const services = await shared.get(call);
      try {
        return await plain.call(method, args, call);
      } catch (error) {
        // Without a session nothing was done, so any call can be repeated once after a new login.
        if (!isVdoError(error, 'VCenterSessionLost')) throw error;
      }
      shared.lost(services);
      await shared.get(call);
      return plain.call(method, args, call);
    },
    close: () => shared.close(),
  };
};
