import { type Clock, deadline } from '@vdo/base/clock';
import { type HttpTransport, readBody } from '@vdo/base/http';
import type { Random } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { type Endpoint, type PresentedCertificate, statusFailure, translateFailure } from '../soap/vcenter-failure.ts';
import { WireError } from '../wire/wire-error.ts';
import type { Credentials } from './credentials.ts';
import { type KeyPair, keyPairOf } from './key-pair.ts';
import { lifetimeXml, securityHeader, wsu } from './security-header.ts';
import { rsaSha256, signedEnvelope } from './signed-envelope.ts';

export interface TokenServiceOptions {
  readonly endpoint: Endpoint;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  /** Generates IDs for signed requests. */
  readonly random: Pick<Random, 'uuid'>;
  /** `vsphere.local`. */
  readonly domain: string;
  readonly certificate?: (() => Promise<PresentedCertificate | undefined>) | undefined;
  /** Timeout per call; 60 s by default. */
  readonly timeoutMs?: number | undefined;
}

/** The security token service of vCenter. */
export interface TokenService {
  /**
   * A token for five minutes: the XML of its SAML assertion, unchanged, because it is signed. A token for name and password
   * can be used by anyone who has it; a token for a certificate only with signatures of its key, see `sign`.
   */
  issue(credentials: Credentials): Promise<string>;
  /** The complete request with this content, signed by the holder of a token. */
  sign(content: string, proof: { readonly pair: KeyPair; readonly assertion: string }): string;
}

const trust = 'http://docs.oasis-open.org/ws-sx/ws-trust/200512';
const tokenLifetimeMs = 5 * 60_000;
const maxBytes = 1024 * 1024;

const requestXml = (nowMs: number, credentials: Credentials): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header>${securityHeader(nowMs, credentials)}</soapenv:Header><soapenv:Body><RequestSecurityToken xmlns="${trust}"><TokenType>urn:oasis:names:tc:SAML:2.0:assertion</TokenType><RequestType>${trust}/Issue</RequestType><Lifetime xmlns:wsu="${wsu}">${lifetimeXml(nowMs, tokenLifetimeMs)}</Lifetime><Renewing Allow="false" OK="false"/><Delegatable>false</Delegatable><KeyType>${trust}/Bearer</KeyType></RequestSecurityToken></soapenv:Body></soapenv:Envelope>`;

const keyRequestXml = (nowMs: number, signatureId: string): string =>
  `<RequestSecurityToken xmlns="${trust}"><TokenType>urn:oasis:names:tc:SAML:2.0:assertion</TokenType><RequestType>${trust}/Issue</RequestType><Lifetime>${lifetimeXml(nowMs, tokenLifetimeMs)}</Lifetime><Renewing Allow="false" OK="false"></Renewing><Delegatable>false</Delegatable><KeyType>${trust}/PublicKey</KeyType><SignatureAlgorithm>${rsaSha256}</SignatureAlgorithm><UseKey Sig="${signatureId}"></UseKey></RequestSecurityToken>`;

/** The first element with that local name, with its content, byte for byte. Such elements are not nested in each other. */
const elementXml = (xml: string, name: string): string | undefined => {
  const opening = new RegExp(`<((?:[\\w.-]+:)?${name})[\\s>]`).exec(xml);
  const closing = `</${opening?.[1]}>`;
  const end = opening ? xml.indexOf(closing, opening.index) : -1;
  return opening && end >= 0 ? xml.slice(opening.index, end + closing.length) : undefined;
};

const elementText = (xml: string, name: string): string =>
  // No pattern here matches beyond the next bracket, so that the matching time stays linear.
  new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^<>]*)?>([^<]{0,4096})`).exec(xml)?.[1]?.trim() ?? '';

const refused = ({ server }: Endpoint, xml: string): VdoError => {
  const code = elementText(xml, 'faultcode').replace(/^.*:/, '');
  if (code === 'FailedAuthentication')
    return new VdoError({
      code: 'VCenterLoginRejected',
      message: `vCenter ${server} rejected the user name or password, or the certificate (single sign-on token)`,
      remedy:
        'Correct username (user@domain) and password in the credentials Secret. If they are right, the account may be locked: unlock it in vCenter single sign-on.',
    });
  return new VdoError({
    code: 'VCenterFault',
    message: `vCenter ${server} issued no single sign-on token: ${code || 'a fault'}: ${elementText(xml, 'faultstring')}`,
    remedy: 'Compare the clocks of this machine and of vCenter: single sign-on refuses requests if they differ.',
    details: { fault: code },
  });
};

export const createTokenService = (options: TokenServiceOptions): TokenService => {
  const { endpoint, clock, timeoutMs = 60_000 } = options;

  // An ID must not start with a digit.
  const newId = (): string => `_${options.random.uuid()}`;
  const requestFor = (credentials: Credentials): string => {
    const nowMs = clock.now();
    const pair = keyPairOf(credentials);
    if (!pair) return requestXml(nowMs, credentials);
    const signatureId = newId();
    return signedEnvelope({ nowMs, pair, newId, signatureId, content: keyRequestXml(nowMs, signatureId) });
  };

  const exchange = async (credentials: Credentials, signal: AbortSignal): Promise<string> => {
    const response = await options.transport({
      method: 'POST',
      path: `/sts/STSService/${encodeURIComponent(options.domain)}`,
      headers: { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${trust}/RST/Issue"` },
      body: requestFor(credentials),
      signal,
    });
    const text = (await readBody(response.body, maxBytes)).toString('utf8');
    if (response.status === 500 && elementXml(text, 'Fault') !== undefined) throw refused(endpoint, text);
    if (response.status !== 200) throw statusFailure(endpoint, response.status, 'Issue');
    const assertion = elementXml(text, 'Assertion');
    if (assertion === undefined) throw new WireError('malformed', 'it contains no SAML assertion');
    return assertion;
  };

  return {
    sign: (content, proof) => signedEnvelope({ nowMs: clock.now(), newId, content, ...proof }),
    issue: async (credentials) => {
      const limit = deadline(clock, timeoutMs, {
        reason: () =>
          new VdoError({
            code: 'DeadlineExceeded',
            message: `vCenter ${endpoint.server} issued no single sign-on token within ${timeoutMs / 1000} s`,
            remedy:
              'vCenter is slow or does not respond. The login is retried automatically. If this repeats, check the load of vCenter.',
          }),
      });
      try {
        return await exchange(credentials, limit.signal);
      } catch (error) {
        if (limit.signal.aborted) throw limit.signal.reason;
        const failure = error instanceof RangeError ? new WireError('too-large', error.message) : error;
        throw await translateFailure(failure, { endpoint, call: 'Issue', certificate: options.certificate });
      } finally {
        limit.dispose();
      }
    },
  };
};
