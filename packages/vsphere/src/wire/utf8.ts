import { isAscii } from 'node:buffer';

/** Bytes → text, chunk by chunk. Throws a TypeError for bytes that are not UTF-8. */
export interface Utf8Decoder {
  decode(chunk: Uint8Array): string;
  /** Throws if the last character is incomplete. */
  end(): void;
}

/** The number of bytes of a character, from its first byte; 0 if it is not a first byte. */
const lengthOf = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);

/** The start of an incomplete character at the end of the chunk. */
const completeLength = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const needed = lengthOf(bytes[bytes.length - back] ?? 0);
    if (needed > back) return bytes.length - back;
    if (needed > 0) break;
  }
  return bytes.length;
};

/**
 * A TextDecoder in streaming mode takes ten times as long as one without; plain ASCII, as almost every reply is, needs no
 * decoding at all.
 */
export const createUtf8Decoder = (): Utf8Decoder => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest: Uint8Array = new Uint8Array(0);
  let started = false;

  const decodeRest = (chunk: Uint8Array): string => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = completeLength(bytes);
    rest = Uint8Array.from(bytes.subarray(end));
    return strict.decode(bytes.subarray(0, end));
  };

  return {
    decode: (chunk) => {
      if (rest.length === 0 && isAscii(chunk)) {
        started = true;
        return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
      }
      const text = decodeRest(chunk);
      if (started || text === '') return text;
      started = true;
      return text.startsWith('\ufeff') ? text.slice(1) : text;
    },
    end: () => {
      strict.decode(rest);
    },
  };
};
