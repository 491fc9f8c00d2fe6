import type { Random } from '@vdo/base/random';

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;

const below = (random: Random, limit: number): number => Math.floor(random.next() * limit);

/** Numbers at which something turns over. */
const edges = ['0', '-1', '1e308', '2147483648', '9007199254740993', '18446744073709551616', 'NaN', '٣'];
/** What no reader likes, whatever it reads. */
const nasty = ['\u0000', '\ufeff', '\u2028', '😀', '\ud800', '__proto__', 'constructor', '$(id)', '%00', '\r'];

/** Cuts, repeats, swaps and inserts at random places; now and then a single byte is another. */
export const mutate = (seed: Uint8Array, pieces: readonly string[], random: Random): Uint8Array => {
  let bytes = Buffer.from(seed);
  const insert = (at: number, text: string) => {
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]);
  };
  for (let left = 1 + below(random, 4); left > 0; left -= 1) {
    const at = below(random, bytes.length + 1);
    const end = Math.min(bytes.length, at + below(random, 40));
    const step = below(random, 9);
    if (step === 0) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    else if (step === 1) insert(at, bytes.toString('latin1', at, end));
    else if (step === 2) bytes = bytes.subarray(0, at);
    else if (step === 3) insert(at, pick(random, edges));
    else if (step === 4) insert(at, pick(random, nasty));
    // Depth and length, which cost nothing to send.
    else if (step === 5) insert(at, pick(random, pieces).repeat(1 + below(random, 2_000)));
    else if (step === 6 && at < bytes.length) bytes[at] = below(random, 256);
    else insert(at, pick(random, pieces));
  }
  return bytes;
};
