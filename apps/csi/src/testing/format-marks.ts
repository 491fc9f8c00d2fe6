import { createHash } from 'node:crypto';

/** The mark of a begun mkfs, spelt out a second time: what is on users' disks must not change with the code. */
export const formatMarkAt = (diskUuid: string, offset: number): Buffer => {
  const text = `VDO is making a file system here; no data yet.\n${diskUuid} ${offset}\n`;
  const mark = Buffer.alloc(512);
  mark.write(`${text}${createHash('sha256').update(text).digest('hex')}\n`);
  return mark;
};
