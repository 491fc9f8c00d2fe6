import { randomBytes, randomUUID } from 'node:crypto';

/** Randomness and IDs, passed in so that a run can be repeated from its seed. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** RFC 4122 version 4, lower case. */
  uuid(): string;
}

export const createSystemRandom = (): Random => ({
  next: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  uuid: () => randomUUID(),
});

const hexBytes = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/** Mulberry32: small, fast, and the same sequence for the same seed everywhere. Not for secrets. */
export const createSeededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const byte = () => Math.floor(next() * 256);
  const uuid = () => {
    let hex = '';
    for (let i = 0; i < 16; i++) {
      const value = byte();
      if (i === 4 || i === 6 || i === 8 || i === 10) hex += '-';
      hex += hexBytes[i === 6 ? (value & 0x0f) | 0x40 : i === 8 ? (value & 0x3f) | 0x80 : value];
    }
    return hex;
  };
  return { next, uuid };
};
