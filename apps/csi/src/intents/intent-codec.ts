import { moref } from '@vdo/vsphere/wire/moref';
import type { VolumeIntent } from './volume-intent.ts';

/** An intent as JSON carries it: in a file, or in the `spec` of a VolumeIntent object. */
export interface EncodedIntent {
  readonly name: string;
  readonly server: string;
  readonly sizeMb: number;
  /** RFC 3339. */
  readonly askedAt: string;
  /** `Task:task-42`. */
  readonly task?: string;
  readonly copyOf?: string;
  readonly instanceUuid?: string;
}

export const encodeIntent = ({ name, server, sizeMb, askedAtMs, ...more }: VolumeIntent): EncodedIntent => ({
  name,
  server,
  sizeMb: Number(sizeMb),
  askedAt: new Date(askedAtMs).toISOString(),
  ...(more.task ? { task: `${more.task.type}:${more.task.value}` } : {}),
  ...(more.copyOf ? { copyOf: more.copyOf } : {}),
  ...(more.instanceUuid ? { instanceUuid: more.instanceUuid } : {}),
});

/** Throws TypeError for what {@link encodeIntent} never wrote. */
export const decodeIntent = (value: unknown): VolumeIntent => {
  const { name, server, sizeMb, askedAt, task, copyOf, instanceUuid } = value as Partial<EncodedIntent>;
  const askedAtMs = Date.parse(askedAt ?? '');
  if (
    typeof name !== 'string' ||
    typeof server !== 'string' ||
    !Number.isSafeInteger(sizeMb) ||
    Number.isNaN(askedAtMs)
  )
    throw new TypeError('not a volume intent');
  const [type, id] = task?.split(':') ?? [];
  return {
    name,
    server,
    sizeMb: BigInt(sizeMb ?? 0),
    askedAtMs,
    ...(type && id ? { task: moref(type, id) } : {}),
    ...(copyOf ? { copyOf } : {}),
    ...(instanceUuid ? { instanceUuid } : {}),
  };
};
