import { type HttpRequest, type HttpResponse, httpResponse } from '@vdo/base/http';
import { escapeXml } from '@vdo/vsphere/wire/encode';
import type { Core } from '../core.ts';
import { isSignedBy } from './verify-signature.ts';

/** Tokens of the security token service: they prove the identity of a user and are valid for five minutes. */
export interface Tokens {
  /** With a certificate, only the holder of its key may use the token. */
  issue(
    user: string,
    certificate?: string,
  ): { readonly id: string; readonly createdMs: number; readonly expiresMs: number };
  /** The user for whom the SAML assertion in this request was issued; if it is bound to a key, undefined unless its holder signed the request. */
  userIn(text: string, options?: { readonly signed?: boolean }): string | undefined;
}

const lifetimeMs = 5 * 60_000;

export const createTokens = ({ clock, random }: Pick<Core, 'clock' | 'random'>): Tokens => {
  const issued = new Map<
    string,
    {
      readonly user: string;
      readonly expiresMs: number;
      readonly certificate: string | undefined;
    }
  >();
  return {
    issue: (user, certificate) => {
      const id = `_${random.uuid()}`;
      const createdMs = clock.now();
      issued.set(id, { user, certificate, expiresMs: createdMs + lifetimeMs });
      return { id, createdMs, expiresMs: createdMs + lifetimeMs };
    },
    userIn: (text, { signed = true } = {}) => {
      const id = /<[\w:]*Assertion\b[^>]*\bID="([^"]+)"/.exec(text)?.[1];
      const token = id === undefined ? undefined : issued.get(id);
      if (!token || token.expiresMs <= clock.now()) return undefined;
      const held = token.certificate === undefined || !signed || isSignedBy(text, token.certificate);
      return held ? token.user : undefined;
    },
  };
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    return hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (entities[name] ?? whole);
  });

const elementText = (xml: string, name: string): string | undefined => {
  const text = new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>([^<]*)<`).exec(xml)?.[1];
  return text === undefined ? undefined : unescapeXml(text);
};

const soap = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>${body}</S:Body></S:Envelope>`;

const headers = { 'content-type': 'text/xml; charset=utf-8' };

/** `/sts/STSService`: WS-Trust, issuing tokens for a name and a password, or for the certificate that signed. The assertion names its user and is not signed. */
export const createStsEndpoint =
  ({ sessions, accounts }: Pick<Core, 'sessions' | 'accounts'>, tokens: Tokens) =>
  async (request: HttpRequest): Promise<HttpResponse> => {
    const xml = Buffer.from(request.body ?? '').toString('utf8');
    const certificate = elementText(xml, 'BinarySecurityToken')?.trim();
    const holder = certificate && isSignedBy(xml, certificate) ? accounts.byCertificate(certificate) : undefined;
    const username = certificate === undefined ? elementText(xml, 'Username') : holder?.username;
    const password = elementText(xml, 'Password') ?? '';
    if (username === undefined || (!holder && !sessions.verify(username, password))) {
      const fault =
        '<S:Fault xmlns:ns0="http://docs.oasis-open.org/ws-sx/ws-trust/200512"><faultcode>ns0:FailedAuthentication</faultcode><faultstring>Invalid credentials</faultstring></S:Fault>';
      return httpResponse(500, soap(fault), headers);
    }
    const { id, createdMs, expiresMs } = tokens.issue(username, holder && certificate);
    const [created, expires] = [createdMs, expiresMs].map((atMs) => new Date(atMs).toISOString());
    const assertion = `<saml2:Assertion xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" IssueInstant="${created}" Version="2.0"><saml2:Subject><saml2:NameID Format="http://schemas.xmlsoap.org/claims/UPN">${escapeXml(username)}</saml2:NameID></saml2:Subject><saml2:Conditions NotBefore="${created}" NotOnOrAfter="${expires}"/></saml2:Assertion>`;
    const reply = `<wst:RequestSecurityTokenResponseCollection xmlns:wst="http://docs.oasis-open.org/ws-sx/ws-trust/200512" xmlns:wsu="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"><wst:RequestSecurityTokenResponse><wst:TokenType>urn:oasis:names:tc:SAML:2.0:assertion</wst:TokenType><wst:Lifetime><wsu:Created>${created}</wsu:Created><wsu:Expires>${expires}</wsu:Expires></wst:Lifetime><wst:RequestedSecurityToken>${assertion}</wst:RequestedSecurityToken></wst:RequestSecurityTokenResponse></wst:RequestSecurityTokenResponseCollection>`;
    return httpResponse(200, soap(reply), headers);
  };
