/**
 * - `not-soap`: not a SOAP envelope, well-formed or not (a web page, JSON, a proxy's message)
 * - `malformed`: XML or a value that cannot be read
 * - `truncated`: the text ended inside an element
 * - `forbidden`: a DOCTYPE, which SOAP does not allow and which entity attacks need
 * - `too-large`, `too-deep`: beyond the limits
 * - `unencodable`: a value that cannot be sent
 * - `newer`: something that the version in use does not have
 */
export type WireErrorKind =
  | 'not-soap'
  | 'malformed'
  | 'truncated'
  | 'forbidden'
  | 'too-large'
  | 'too-deep'
  | 'unencodable'
  | 'newer';

/** The error of the codec, on both sides. The client converts it to a VdoError, the simulator to a fault. */
export class WireError extends Error {
  readonly kind: WireErrorKind;

  constructor(kind: WireErrorKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WireError';
    this.kind = kind;
  }

  /** The same error with its position. */
  at(path: string): WireError {
    return new WireError(this.kind, `${path}: ${this.message}`, { cause: this.cause });
  }
}
