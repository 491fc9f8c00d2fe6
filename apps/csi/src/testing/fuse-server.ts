import { execFileSync } from 'node:child_process';
import { fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Shows the files of a folder through FUSE, as far as loop devices need it. A process of its own: while it is stopped, whoever reads or
 * writes a disk over one of its files waits in the kernel, as for a disk that does not answer. Arguments: folder, mount point.
 */
const [folder = '', target = ''] = process.argv.slice(2);
const root = 1n;
const device = openSync('/dev/fuse', 'r+');
const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other';
execFileSync('mount', ['-i', '-t', 'fuse', '-o', options, 'stoppable', target], { stdio: [0, 1, 2, device] });

/** Open files by their node: the first is the root. */
const files: (number | undefined)[] = [undefined, undefined];
const nodes = new Map<string, bigint>();
const noEntry = -2;
const notKnown = -38;

const u32 = (...numbers: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => void buffer.writeUInt32LE(number, 4 * index));
  return buffer;
};
const u64 = (...numbers: readonly bigint[]): Buffer => {
  const buffer = Buffer.alloc(8 * numbers.length);
  numbers.forEach((number, index) => void buffer.writeBigUInt64LE(number, 8 * index));
  return buffer;
};
const fileOf = (node: bigint): number => files[Number(node)] ?? -1;
const attributesOf = (node: bigint): Buffer => {
  const isRoot = node === root;
  const size = isRoot ? 0n : BigInt(fstatSync(fileOf(node)).size);
  // Inode, size, blocks, times; nanoseconds, mode, links, owner, device, block size, flags.
  const mode = isRoot ? 0o40755 : 0o100644;
  return Buffer.concat([u64(node, size, size / 512n, 0n, 0n, 0n), u32(0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)]);
};
const lookUp = (name: string): Buffer | number => {
  const known = nodes.get(name);
  if (known === undefined) {
    try {
      files.push(openSync(join(folder, name), 'r+'));
    } catch {
      return noEntry;
    }
    nodes.set(name, BigInt(files.length - 1));
  }
  const node = nodes.get(name) ?? 0n;
  return Buffer.concat([u64(node, 0n, 0n, 0n), u32(0, 0), attributesOf(node)]);
};
const attributes = (node: bigint): Buffer => Buffer.concat([u64(0n), u32(0, 0), attributesOf(node)]);
const setSize = (node: bigint, body: Buffer): Buffer => {
  const sizeIsValid = (body.readUInt32LE(0) & 8) !== 0;
  if (sizeIsValid) ftruncateSync(fileOf(node), Number(body.readBigUInt64LE(16)));
  return attributes(node);
};
const read = (node: bigint, body: Buffer): Buffer => {
  const bytes = Buffer.alloc(body.readUInt32LE(16));
  return bytes.subarray(0, readSync(fileOf(node), bytes, 0, bytes.length, Number(body.readBigUInt64LE(8))));
};
const write = (node: bigint, body: Buffer): Buffer => {
  const length = body.readUInt32LE(16);
  return u32(writeSync(fileOf(node), body, 40, length, Number(body.readBigUInt64LE(8))), 0);
};
const none = Buffer.alloc(0);
const maxWrite = 128 * 1024;

/** By the numbers of linux/fuse.h. */
const operations: Readonly<Record<number, (node: bigint, body: Buffer) => Buffer | number>> = {
  1: (_node, body) => lookUp(body.toString('latin1', 0, body.indexOf(0))),
  3: attributes,
  4: setSize,
  // What is read is not kept in memory.
  14: () => Buffer.concat([u64(0n), u32(1, 0)]),
  15: read,
  16: write,
  17: () => Buffer.concat([u64(0n, 0n, 0n, 0n, 0n), u32(4096, 255, 4096, 0), Buffer.alloc(24)]),
  18: () => none,
  20: () => none,
  25: () => none,
  26: () => Buffer.concat([u32(7, 31, 0, 0, 0, maxWrite, 1, 0), Buffer.alloc(32)]),
  27: () => Buffer.concat([u64(0n), u32(0, 0)]),
  29: () => none,
};
/** Those that nobody waits for. */
const unanswered = new Set([2, 36, 42]);

process.stdout.write('mounted\n');
const request = Buffer.alloc(maxWrite + 4096);
for (;;) {
  const length = readSync(device, request, 0, request.length, null);
  const [code, unique, node] = [request.readUInt32LE(4), request.readBigUInt64LE(8), request.readBigUInt64LE(16)];
  if (unanswered.has(code)) continue;
  const reply = operations[code]?.(node, request.subarray(40, length)) ?? notKnown;
  const [error, body] = typeof reply === 'number' ? [reply, none] : [0, reply];
  const head = u32(16 + body.length, 0);
  head.writeInt32LE(error, 4);
  writeSync(device, Buffer.concat([head, u64(unique), body]));
}
