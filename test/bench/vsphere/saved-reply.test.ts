import { decodeReply } from '@vdo/vsphere/wire/envelope';
import { retrievePropertiesEx } from '@vdo/vsphere/wire/methods/property';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { expect, it } from 'vitest';
import { savedReply } from './saved-reply.ts';

it('is one reply with every VM, of as many pages as the simulated vCenter needs', async () => {
  const text = await savedReply(1001);
  const reply = await decodeReply([Buffer.from(text)], retrievePropertiesEx, { registry: wireTypes });
  expect(reply.ok && reply.value?.objects).toHaveLength(1001);
  expect(text.length / 1001).toBeGreaterThan(3000);
});
