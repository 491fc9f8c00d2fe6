import { createSeededRandom, type Random } from '@vdo/base/random';
import { describe, expect, it } from 'vitest';
import { createRequestDecoder, decodeReply, encodeFault, encodeReply, encodeRequest } from './envelope.ts';
import { retrievePropertiesEx } from './methods/property.ts';
import { login } from './methods/session.ts';
import { moref } from './moref.ts';
import { anyOf, array, make } from './schema.ts';
import { NoPermission } from './types/faults.ts';
import { GuestNicInfo } from './types/guest.ts';
import { VirtualMachineRuntimeInfo } from './types/vm.ts';
import { WireError } from './wire-error.ts';
import { wireTypes } from './wire-types.ts';

const runtime = make(VirtualMachineRuntimeInfo, {
  connectionState: 'connected',
  powerState: 'poweredOn',
  toolsInstallerMounted: false,
  bootTime: new Date(0),
  consolidationNeeded: false,
});
const reply = encodeReply(wireTypes, retrievePropertiesEx, {
  token: 't',
  objects: [
    {
      obj: moref('VirtualMachine', 'vm-1'),
      propSet: [
        { name: 'runtime', val: runtime },
        {
          name: 'guest.net',
          val: anyOf(array(GuestNicInfo), [{ connected: true, deviceConfigId: 1, ipAddress: ['::1'] }]),
        },
        { name: 'size', val: 5n },
      ],
    },
  ],
});
const fault = encodeFault(wireTypes, {
  namespace: 'urn:vim25',
  message: 'no',
  fault: make(NoPermission, { object: moref('Folder', 'f'), privilegeId: 'System.Read' }),
});
const request = encodeRequest(wireTypes, login, {
  args: { _this: moref('SessionManager', 's'), userName: 'u', password: 'p<&' },
});

const pieces = [
  '<',
  '>',
  '&',
  '</',
  '/>',
  '<!DOCTYPE x>',
  '<![CDATA[',
  ']]>',
  '&#0;',
  '&x;',
  '<?p ?>',
  '<!--',
  'xsi:type="',
  '"',
  '\u0000',
  '😀',
  '<a>'.repeat(300),
];
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;

/** Cuts, repeats, swaps and inserts at random places. */
const mutate = (text: string, random: Random): Uint8Array => {
  let mutated = text;
  for (let n = 1 + Math.floor(random.next() * 4); n > 0; n--) {
    const at = Math.floor(random.next() * mutated.length);
    const length = Math.floor(random.next() * 40);
    const step = Math.floor(random.next() * 4);
    if (step === 0) mutated = mutated.slice(0, at) + mutated.slice(at + length);
    else if (step === 1) mutated = mutated.slice(0, at) + pick(random, pieces) + mutated.slice(at);
    else if (step === 2)
      mutated = mutated.slice(0, at) + mutated.slice(at, at + length).repeat(2) + mutated.slice(at + length);
    else mutated = mutated.slice(0, at);
  }
  const bytes = new TextEncoder().encode(mutated);
  if (random.next() < 0.3 && bytes.length > 0)
    bytes[Math.floor(random.next() * bytes.length)] = Math.floor(random.next() * 256);
  return bytes;
};

const chunked = (bytes: Uint8Array, random: Random): readonly Uint8Array[] => {
  const cut = Math.floor(random.next() * bytes.length);
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
};

const requests = createRequestDecoder(wireTypes, [login]);
const readers: readonly [string, string, (chunks: readonly Uint8Array[]) => Promise<unknown>][] = [
  ['replies', reply, (chunks) => decodeReply(chunks, retrievePropertiesEx, { registry: wireTypes })],
  ['faults', fault, (chunks) => decodeReply(chunks, retrievePropertiesEx, { registry: wireTypes })],
  ['requests', request, (chunks) => requests(chunks)],
];

describe('damaged XML', () => {
  it.each(readers)('in %s gives a value or a clean error, never a crash', async (_name, text, read) => {
    const random = createSeededRandom(20260101);
    const outcomes = { value: 0, error: 0 };
    for (let i = 0; i < 3000; i++) {
      try {
        await read(chunked(mutate(text, random), random));
        outcomes.value++;
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        outcomes.error++;
      }
    }
    // Both must happen, or the mutations test nothing.
    expect(outcomes.error).toBeGreaterThan(500);
    expect(outcomes.value).toBeGreaterThan(50);
  });

  it('of random bytes is never a value', async () => {
    const random = createSeededRandom(7);
    for (let i = 0; i < 500; i++) {
      const bytes = Uint8Array.from({ length: Math.floor(random.next() * 200) }, () => Math.floor(random.next() * 256));
      await expect(decodeReply([bytes], login, { registry: wireTypes })).rejects.toBeInstanceOf(WireError);
    }
  });
});
