import { createHash, sign } from 'node:crypto';
import type { KeyPair } from './key-pair.ts';
import { lifetimeXml, validMs, wsse, wsu } from './security-header.ts';

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const x509 = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3';
const samlProfile = 'http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1';

/** The algorithm of all signatures here. */
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

export interface SignedRequest {
  readonly nowMs: number;
  readonly pair: KeyPair;
  readonly newId: () => string;
  /** The content of the body in canonical form (exclusive XML canonicalization): it is signed unchanged. */
  readonly content: string;
  /** The token of the signer. Without a token, the certificate itself is sent. */
  readonly assertion?: string;
  /** The ID of the signature, if the content refers to it. */
  readonly signatureId?: string;
}

const referenceXml = (id: string, canonical: string): string => {
  const digest = createHash('sha256').update(canonical, 'utf8').digest('base64');
  return `<ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${exclusive}"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`;
};

/** The element that identifies the sender, and the reference to it in the signature. */
const proofXml = ({ assertion, pair }: SignedRequest, id: string): readonly [shown: string, reference: string] => {
  if (assertion === undefined)
    return [
      `<wsse:BinarySecurityToken EncodingType="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary" ValueType="${x509}" wsu:Id="${id}">${pair.certificate.toString('base64')}</wsse:BinarySecurityToken>`,
      `<wsse:SecurityTokenReference><wsse:Reference URI="#${id}" ValueType="${x509}"></wsse:Reference></wsse:SecurityTokenReference>`,
    ];
  const tokenId = /^<[^>]*\sID="([^"]+)"/.exec(assertion)?.[1] ?? '';
  return [
    assertion,
    `<wsse:SecurityTokenReference xmlns:wsse11="http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd" wsse11:TokenType="${samlProfile}#SAMLV2.0"><wsse:KeyIdentifier ValueType="${samlProfile}#SAMLID">${tokenId}</wsse:KeyIdentifier></wsse:SecurityTokenReference>`,
  ];
};

/** A SOAP request whose time and body are signed with the key (WS-Security 1.1, XML signature, RSA with SHA-256). */
export const signedEnvelope = (request: SignedRequest): string => {
  const { nowMs, newId } = request;
  const [timeId, bodyId, proofId] = [newId(), newId(), newId()];
  const timestamp = `<wsu:Timestamp xmlns:wsu="${wsu}" wsu:Id="${timeId}">${lifetimeXml(nowMs, validMs)}</wsu:Timestamp>`;
  const body = `<soap:Body xmlns:soap="${soap}" xmlns:wsu="${wsu}" wsu:Id="${bodyId}">${request.content}</soap:Body>`;
  const signedInfo = `<ds:SignedInfo xmlns:ds="${dsig}"><ds:CanonicalizationMethod Algorithm="${exclusive}"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="${rsaSha256}"></ds:SignatureMethod>${referenceXml(timeId, timestamp)}${referenceXml(bodyId, body)}</ds:SignedInfo>`;
  const value = sign('sha256', Buffer.from(signedInfo, 'utf8'), request.pair.privateKey).toString('base64');
  const [shown, reference] = proofXml(request, proofId);
  const signature = `<ds:Signature xmlns:ds="${dsig}" Id="${request.signatureId ?? newId()}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue><ds:KeyInfo>${reference}</ds:KeyInfo></ds:Signature>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<soap:Envelope xmlns:soap="${soap}"><soap:Header><wsse:Security xmlns:wsse="${wsse}" xmlns:wsu="${wsu}">${timestamp}${shown}${signature}</wsse:Security></soap:Header>${body}</soap:Envelope>`;
};
