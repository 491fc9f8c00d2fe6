// Decodes the saved reply as the client does it, several times, and prints CPU and wall time of each round in microseconds.
import { readFileSync } from 'node:fs';
import { decodeReply } from '@vdo/vsphere/wire/envelope';
import { retrievePropertiesEx } from '@vdo/vsphere/wire/methods/property';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';

const [file = '', rounds = '1'] = process.argv.slice(2);
const bytes = readFileSync(file);
/** As they come from a socket. */
const chunkSize = 64 * 1024;

function* chunks(): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}

for (let round = 0; round < Number(rounds); round++) {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const reply = await decodeReply(chunks(), retrievePropertiesEx, { registry: wireTypes });
  const { user, system } = process.cpuUsage(cpu);
  const objects = reply.ok ? (reply.value?.objects.length ?? 0) : 0;
  console.log(`round ${objects} ${user + system} ${Math.round((performance.now() - startedMs) * 1000)}`);
}
