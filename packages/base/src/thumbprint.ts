import { createHash } from 'node:crypto';

const bare = (thumbprint: string): string => thumbprint.replace(/[^0-9a-f]/gi, '').toUpperCase();
const colons = (hex: string): string => (hex.match(/../g) ?? []).join(':').toUpperCase();

/** The fingerprints of a DER certificate, written as vSphere shows them: upper case with colons. */
export const thumbprintsOf = (der: Uint8Array): { readonly sha1: string; readonly sha256: string } => ({
  sha1: colons(createHash('sha1').update(der).digest('hex')),
  sha256: colons(createHash('sha256').update(der).digest('hex')),
});

/** Compares in any notation: with colons, spaces or none, in any case; 40 digits are SHA-1, 64 are SHA-256. */
export const isThumbprintOf = (thumbprint: string, der: Uint8Array): boolean => {
  const { sha1, sha256 } = thumbprintsOf(der);
  const wanted = bare(thumbprint);
  return wanted.length > 0 && (wanted === bare(sha1) || wanted === bare(sha256));
};

/** True if the text can be a thumbprint at all: 40 or 64 hexadecimal digits in any notation. */
export const isThumbprint = (text: string): boolean =>
  /^[0-9a-f: ]+$/i.test(text) && [40, 64].includes(bare(text).length);
