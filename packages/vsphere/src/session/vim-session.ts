import type { Clock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import type { Logger } from '@vdo/base/logger';
import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CallMetrics } from '../soap/call-metrics.ts';
import { createCookieJar } from '../soap/cookie-jar.ts';
import { faultError } from '../soap/fault-error.ts';
import { type CallOptions, createSoapClient, type SoapCaller } from '../soap/soap-client.ts';
import { type Endpoint, type PresentedCertificate, translateFailure } from '../soap/vcenter-failure.ts';
import { currentTime, login, loginByToken, logout, retrieveServiceContent } from '../wire/methods/session.ts';
import { type MoRef, moref } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import { ObjectContent, RetrieveResult } from '../wire/types/property-collector.ts';
import type { ServiceContent } from '../wire/types/service.ts';
import { wireTypes } from '../wire/wire-types.ts';
import { judgeVersion, policyVersion, spokenVersion } from './api-version.ts';
import type { Credentials, CredentialsSource } from './credentials.ts';
import { createKeepAlive } from './keep-alive.ts';
import { keyPairOf, loginIdentity } from './key-pair.ts';
import type { LoginGuard } from './login-guard.ts';
import { isRefused } from './refused.ts';
import { createSharedSession } from './shared-session.ts';
import type { TokenService } from './token-service.ts';
import { createUnreadableValues, type UnreadableValue } from './unreadable-values.ts';
import { createVsanVersion } from './vsan-version.ts';

/** A successful login. Each login has a new object, so that code with server-side views can notice a new session. */
export interface OpenSession {
  readonly content: Value<typeof ServiceContent>;
  /** Identifies the session to AuthorizationManager. */
  readonly key: string;
  readonly userName: string;
  /** When, by the monotonic clock, it replaced a lost session; undefined for the first one of this process. */
  readonly renewedMs: number | undefined;
}

/** The SOAP session of one vCenter. Every caller logs in automatically, and again if the session was lost. */
export interface VimSession {
  readonly endpoint: Endpoint;
  /** `/sdk`. */
  readonly vim: SoapCaller;
  /** `/vsanHealth`: container volumes. */
  readonly vsan: SoapCaller;
  /** `/sdk` as a vSAN client: only vSAN clients get the results of storage tasks. */
  readonly vsanTasks: SoapCaller;
  /** `/pbm`: storage policies. */
  readonly pbm: SoapCaller;
  /** The vSAN API version in use; undefined if the vCenter does not report it. */
  vsanVersion(options?: CallOptions): Promise<string | undefined>;
  /** The session as a Cookie header, for endpoints that need it in addition to their own session. */
  cookie(): string | undefined;
  /** Values in its replies that could not be read. */
  unreadable(): readonly UnreadableValue[];
  /** Needs no login. */
  serviceContent(options?: CallOptions): Promise<Value<typeof ServiceContent>>;
  /** Opens the session if there is none. */
  open(options?: { readonly signal?: AbortSignal | undefined }): Promise<OpenSession>;
  /** Logs out. */
  close(): Promise<void>;
}

export interface VimSessionOptions {
  readonly endpoint: Endpoint;
  readonly transport: HttpTransport;
  readonly credentials: CredentialsSource;
  readonly guard: LoginGuard;
  /** For credentials that are a certificate. */
  readonly tokens: TokenService;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CallMetrics;
  readonly certificate?: (() => Promise<PresentedCertificate | undefined>) | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxReplyBytes?: number | undefined;
  /** An idle session is kept alive after this time; 10 min by default. vCenter ends idle sessions after 30 min. */
  readonly keepAliveMs?: number | undefined;
}

// The property collector also answers without a session, but then refuses every property.
const isUnauthenticated = (value: unknown): boolean => {
  const objects = wireTypes.is(value, RetrieveResult) ? value.objects : Array.isArray(value) ? value : [];
  return objects.some((object: unknown) => wireTypes.is(object, ObjectContent) && isRefused(object));
};

/** Timeout of storage calls, the same as in the Go driver: vCenter may delay them because of a backup or a busy datastore. */
export const storageTimeoutMs = 300_000;

const serviceInstance = moref('ServiceInstance', 'ServiceInstance');

/** The manager from the service content. Throws VCenterVersionUnsupported if it is missing. */
export const requireManager = (session: OpenSession, name: keyof Value<typeof ServiceContent>): MoRef => {
  const ref = session.content[name];
  if (typeof ref === 'object' && 'value' in ref) return ref;
  throw new VdoError({
    code: 'VCenterVersionUnsupported',
    message: `vCenter ${session.content.about.fullName} has no ${name}`,
    remedy: 'Connect to a vCenter, not to an ESXi host, of version 6.7 Update 3 or newer.',
  });
};

export const createVimSession = (options: VimSessionOptions): VimSession => {
  const { endpoint, guard, clock, logger, metrics } = options;
  const { server } = endpoint;
  const cookies = createCookieJar();
  /** `/pbm` issues its own session, which is not sent to any other endpoint. */
  const policyCookies = createCookieJar();
  const vsanVersion = createVsanVersion(options.transport);
  let version: string | undefined;

  const unreadable = createUnreadableValues({ server, clock, logger });

  const clientFor = (path: string, extra: Partial<Parameters<typeof createSoapClient>[0]> = {}): SoapCaller =>
    createSoapClient({
      endpoint,
      transport: options.transport,
      path,
      cookies,
      clock,
      metrics,
      version: () => version,
      ...(options.certificate ? { certificate: options.certificate } : {}),
      timeoutMs: options.timeoutMs,
      maxReplyBytes: options.maxReplyBytes,
      onUnreadable: unreadable.note,
      ...extra,
    });
  const sdk = clientFor('/sdk');

  const askContent = (call: CallOptions) => sdk.call(retrieveServiceContent, { _this: serviceInstance }, call);

  /** Read again with the agreed version: without a version, vCenter answers as in version 2.5, without newer properties. */
  const serviceContent: VimSession['serviceContent'] = async (call = {}) => {
    if (version !== undefined) return askContent(call);
    const { about } = await askContent(call);
    version = spokenVersion(about.apiVersion);
    return askContent(call);
  };

  let logins = 0;
  let warned = false;
  const connect = async (): Promise<Value<typeof ServiceContent>> => {
    cookies.clear();
    policyCookies.clear();
    version = undefined;
    const content = await serviceContent();
    if (content.about.apiType !== 'VirtualCenter')
      throw new VdoError({
        code: 'VCenterNotVSphere',
        message: `${server}:${endpoint.port} is ${content.about.fullName} (${content.about.apiType}), not a vCenter`,
        remedy: 'Set `server` to the vCenter that manages this host.',
      });
    if (judgeVersion(server, content.about.apiVersion) === 'untried' && !warned) {
      warned = true;
      logger.warn(
        'this vCenter is older than the oldest supported version; operations that it does not support will fail',
        {
          server,
          apiVersion: content.about.apiVersion,
        },
      );
    }
    return content;
  };

  /** Logs in with name and password, or with a certificate and a signed token of single sign-on. */
  const logIn = async (_this: MoRef, credentials: Credentials) => {
    const { username: userName, password } = credentials;
    const pair = keyPairOf(credentials);
    if (!pair)
      return clientFor('/sdk', { acceptsCookies: true }).call(login, { _this, userName, password, locale: 'en_US' });
    const assertion = await options.tokens.issue(credentials);
    const signing = clientFor('/sdk', {
      acceptsCookies: true,
      envelope: (content) => options.tokens.sign(content, { pair, assertion }),
    });
    return signing.call(loginByToken, { _this, locale: 'en_US' });
  };

  const open = async (): Promise<OpenSession> => {
    const credentials = await options.credentials({});
    const who = loginIdentity(credentials);
    await guard.check(server, who);
    keyPairOf(credentials);
    const content = await connect();
    await guard.admit(server, who);
    try {
      const session = await logIn(content.sessionManager ?? moref('SessionManager', 'SessionManager'), credentials);
      await guard.accepted(server, who);
      metrics.loggedIn('soap', 'ok');
      keepAlive.start();
      logins += 1;
      const renewedMs = logins > 1 ? clock.monotonicMs() : undefined;
      return { content, key: session.key, userName: session.userName, renewedMs };
    } catch (error) {
      metrics.loggedIn('soap', isVdoError(error) ? error.code : 'Internal');
      if (isVdoError(error, 'VCenterLoginRejected')) await guard.rejected(server, who, error);
      throw error;
    }
  };

  const shared = createSharedSession<OpenSession>({
    open,
    close: async ({ content }) => {
      keepAlive.stop();
      const _this = content.sessionManager ?? moref('SessionManager', 'SessionManager');
      await sdk
        .call(logout, { _this }, { timeoutMs: 5_000 })
        .catch((error: unknown) => logger.debug('logout failed', { server, error }));
    },
    onChange: (isOpen) => metrics.session('soap', isOpen),
    closedError: () =>
      new VdoError({
        code: 'Cancelled',
        message: `the connection to vCenter ${server} was closed`,
        remedy: 'No action needed: the program is stopping.',
      }),
  });

  /** NotAuthenticated means that nothing was done, so any call can be repeated once after a new login. */
  const authenticated = (client: SoapCaller, prepare?: (call: CallOptions) => Promise<void>): SoapCaller => ({
    call: async (method, args, call = {}) => {
      const session = await shared.get(call);
      await prepare?.(call);
      keepAlive.touch();
      try {
        const value = await client.call(method, args, call);
        if (!isUnauthenticated(value)) return value;
      } catch (error) {
        if (!isVdoError(error, 'VCenterSessionLost')) throw error;
      }
      shared.lost(session);
      await shared.get(call);
      const value = await client.call(method, args, call);
      if (isUnauthenticated(value)) throw faultError({ $type: 'NotAuthenticated' }, '', { server, call: method.name });
      return value;
    },
  });

  const loadVsanVersion = async (call: CallOptions): Promise<void> => {
    try {
      await vsanVersion.load(call);
    } catch (error) {
      throw await translateFailure(error, { endpoint, call: 'vsanServiceVersions', certificate: options.certificate });
    }
  };
  const vim = authenticated(sdk);
  const keepAlive = createKeepAlive({
    clock,
    idleMs: options.keepAliveMs ?? 10 * 60_000,
    touch: () => vim.call(currentTime, { _this: serviceInstance }),
    onError: (error) => logger.debug('keep-alive failed', { server, error }),
  });

  return {
    endpoint,
    vim,
    vsan: authenticated(
      clientFor('/vsanHealth', { version: vsanVersion.current, timeoutMs: options.timeoutMs ?? storageTimeoutMs }),
      loadVsanVersion,
    ),
    vsanTasks: authenticated(
      clientFor('/sdk', {
        version: () => vsanVersion.current() ?? version,
        namespace: () => (vsanVersion.current() === undefined ? undefined : 'urn:vsan'),
      }),
      loadVsanVersion,
    ),
    pbm: authenticated(
      clientFor('/pbm', {
        version: () => policyVersion(version),
        timeoutMs: options.timeoutMs ?? storageTimeoutMs,
        cookies: policyCookies,
        acceptsCookies: true,
        sessionInHeader: cookies,
      }),
    ),
    vsanVersion: async (call = {}) => {
      await loadVsanVersion(call);
      return vsanVersion.current();
    },
    cookie: () => cookies.header(),
    unreadable: unreadable.list,
    serviceContent,
    open: (call) => shared.get(call),
    close: () => shared.close(),
  };
};
