import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { VdoError } from '@vdo/base/vdo-error';
import { z } from 'zod';

const signatureSchema = z.strictObject({
  schemaVersion: z.literal(1),
  signatures: z
    .array(
      z.strictObject({
        keyId: z.string().regex(/^[0-9a-f]{16}$/),
        algorithm: z.literal('ed25519'),
        signature: z.base64(),
      }),
    )
    .min(1)
    .max(16),
});

interface Origin {
  readonly source: string;
  /** What is signed, for messages. Default: the compatibility matrix. */
  readonly what?: string;
}

const matrixWords = 'compatibility matrix';

const damaged = ({ source, what = matrixWords }: Origin, found: string, remedy: string): VdoError =>
  new VdoError({
    code: 'MatrixSignatureInvalid',
    message: `cannot verify the signature of the ${what} from ${source}: ${found}`,
    remedy: what === matrixWords ? `${remedy} The last good matrix stays in use.` : remedy,
    details: { source },
  });

const ed25519 = (key: KeyObject): KeyObject => {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError(`it is a key of type ${key.asymmetricKeyType}`);
  return key;
};

/** The first 16 hex digits of the SHA-256 of the public key (SPKI, DER): short enough to read aloud, long enough to distinguish keys. */
const idOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);

const readPublicKey = (pem: string, index: number): KeyObject => {
  try {
    return ed25519(createPublicKey(pem));
  } catch (error) {
    throw new VdoError({
      code: 'ConfigInvalid',
      message: `trusted key ${index + 1} is not an Ed25519 public key in PEM format: ${error instanceof Error ? error.message : String(error)}`,
      remedy: `Correct spec.updates.trustedKeys[${index}]: it must begin with -----BEGIN PUBLIC KEY-----.`,
      cause: error,
    });
  }
};

/** The ID by which a signature refers to its key. */
export const keyIdOf = (publicKeyPem: string): string => idOf(readPublicKey(publicKeyPem, 0));

/** Signs a text, such as a matrix, with Ed25519 private keys (PEM); returns the document that is published beside it. */
export const signMatrix = (text: string, privateKeyPems: readonly string[]): string => {
  const signatures = privateKeyPems.map((pem) => {
    const key = ed25519(createPrivateKey(pem));
    const signature = sign(null, Buffer.from(text, 'utf8'), key).toString('base64');
    return { keyId: idOf(createPublicKey(key)), algorithm: 'ed25519', signature };
  });
  return `${JSON.stringify({ schemaVersion: 1, signatures }, null, 2)}\n`;
};

const parseSignatures = (text: string, origin: Origin) => {
  const remedy = 'Publish the signature that "node tools/matrix.mjs sign" writes.';
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw damaged(origin, 'it is not JSON', remedy);
  }
  const parsed = signatureSchema.safeParse(document);
  if (parsed.success) return parsed.data.signatures;
  const fields = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`);
  throw damaged(origin, fields.join('; '), remedy);
};

export interface VerifyOptions extends Origin {
  /** The text exactly as it was read. */
  readonly text: string;
  /** The published signature; undefined if there is none. */
  readonly signature: string | undefined;
  /** Ed25519 public keys, PEM. */
  readonly trustedKeys: readonly string[];
}

/**
 * Verifies that one of the trusted keys signed the text, and returns its ID. Throws MatrixSignatureInvalid if the signature is
 * missing, made only with unknown keys, or wrong; ConfigInvalid if a trusted key is not a key.
 */
export const verifyMatrix = ({ text, signature, trustedKeys, ...origin }: VerifyOptions): string => {
  const keys = new Map(trustedKeys.map(readPublicKey).map((key) => [idOf(key), key] as const));
  if (signature === undefined) {
    throw damaged(
      origin,
      'there is no signature',
      'Publish it next to the document with the same name and .sig appended; "node tools/matrix.mjs sign" writes it.',
    );
  }
  const signatures = parseSignatures(signature, origin);
  const known = signatures.filter(({ keyId }) => keys.has(keyId));
  if (known.length === 0) {
    const trusted = keys.size === 0 ? 'no key is trusted' : `trusted keys: ${[...keys.keys()].join(', ')}`;
    throw damaged(
      origin,
      `it was made with key ${signatures.map(({ keyId }) => keyId).join(', ')}; ${trusted}`,
      'Add the public key of the publisher to spec.updates.trustedKeys, or publish with a trusted key.',
    );
  }
  const good = known.find(({ keyId, signature: bytes }) => {
    const key = keys.get(keyId);
    return key !== undefined && verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(bytes, 'base64'));
  });
  if (good) return good.keyId;
  throw damaged(
    origin,
    `it does not match the document (key ${known.map(({ keyId }) => keyId).join(', ')}): one of them was changed`,
    'Publish the document and its signature again, both from the same build.',
  );
};
