import { createHash, verify, X509Certificate } from 'node:crypto';

const textOf = (xml: string, name: string): string =>
  new RegExp(`<ds:${name}[^>]*>([^<]*)<`).exec(xml)?.[1]?.replace(/\s/g, '') ?? '';

/** The element with this ID, unchanged: senders write signed elements in canonical form. */
const elementOf = (xml: string, id: string): string | undefined => {
  const opening = new RegExp(`<([\\w:]+)[^>]*\\swsu:Id="${id}"[^>]*>`).exec(xml);
  const closing = `</${opening?.[1]}>`;
  const end = opening ? xml.indexOf(closing, opening.index) : -1;
  return opening && end >= 0 ? xml.slice(opening.index, end + closing.length) : undefined;
};

/** True if time and body of a SOAP request are signed with the key of the certificate (base64 of its DER form). */
export const isSignedBy = (request: string, certificate: string): boolean => {
  const header = request.slice(0, request.search(/<[\w:]*Body[\s>]/));
  const signature = header.slice(header.lastIndexOf('<ds:Signature xmlns:ds='));
  const signedInfo = /<ds:SignedInfo[\s\S]*<\/ds:SignedInfo>/.exec(signature)?.[0] ?? '';
  const references = [...signedInfo.matchAll(/<ds:Reference URI="#([\w-]+)">.*?<ds:DigestValue>([^<]+)</g)];
  const elements = references.map(([, id = '', digest]) => ({ text: elementOf(request, id) ?? '', digest }));
  const covers = (name: RegExp) => elements.some(({ text }) => name.test(text));
  if (!covers(/^<[\w:]*Body[\s>]/) || !covers(/^<[\w:]*Timestamp[\s>]/)) return false;
  if (elements.some(({ text, digest }) => createHash('sha256').update(text).digest('base64') !== digest)) return false;
  try {
    const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
    return verify(
      'sha256',
      Buffer.from(signedInfo),
      publicKey,
      Buffer.from(textOf(signature, 'SignatureValue'), 'base64'),
    );
  } catch {
    return false;
  }
};
