import { moref } from '@vdo/vsphere/wire/moref';
import type { ClaimReference, VolumeIntent } from './volume-intent.ts';

/** The JSON form of an intent: in a file, or in the `spec` of a VolumeIntent object. */
export interface EncodedIntent {
  readonly name: string;
  readonly server: string;
  readonly sizeMb: number;
  /** RFC 3339. */
  readonly askedAt: string;
  /** `Task:task-42`. */
  readonly task?: string;
  readonly copyOf?: string;
  readonly kind?: 'file';
  readonly instanceUuid?: string;
  readonly claim?: ClaimReference;
  readonly volumeId?: string;
}

/**
 * Prefix of the name of a volume that was handed over. Version 0.1.0 deletes the disk of every intent whose volume has neither a claim nor
 * a PersistentVolume. With this prefix it finds no volume of that name, so it deletes nothing.
 */
const handedOverPrefix = 'handed-over:';

export const encodeIntent = (intent: VolumeIntent): EncodedIntent => {
  const { name, server, sizeMb, askedAtMs, task, copyOf, kind, instanceUuid, claim, handedOver } = intent;
  const asked = {
    server,
    sizeMb: Number(sizeMb),
    askedAt: new Date(askedAtMs).toISOString(),
    ...(instanceUuid ? { instanceUuid } : {}),
    ...(claim ? { claim } : {}),
  };
  // The task leads to the disk. A volume that was handed over must no longer be found in this way.
  if (handedOver !== undefined) return { name: `${handedOverPrefix}${name}`, ...asked, volumeId: handedOver };
  return {
    name,
    ...asked,
    ...(task ? { task: `${task.type}:${task.value}` } : {}),
    ...(copyOf ? { copyOf } : {}),
    ...(kind ? { kind } : {}),
  };
};

/** Throws TypeError for anything that {@link encodeIntent} cannot have written. */
export const decodeIntent = (value: unknown): VolumeIntent => {
  const { name, server, sizeMb, askedAt, task, copyOf, kind, instanceUuid, claim, volumeId } =
    value as Partial<EncodedIntent>;
  const askedAtMs = Date.parse(askedAt ?? '');
  if (
    typeof name !== 'string' ||
    typeof server !== 'string' ||
    !Number.isSafeInteger(sizeMb) ||
    Number.isNaN(askedAtMs)
  )
    throw new TypeError('not a volume intent');
  const [type, id] = task?.split(':') ?? [];
  const isHandedOver = name.startsWith(handedOverPrefix);
  if (isHandedOver && !volumeId) throw new TypeError('not a volume intent: handed over without a volume');
  return {
    name: isHandedOver ? name.slice(handedOverPrefix.length) : name,
    server,
    sizeMb: BigInt(sizeMb ?? 0),
    askedAtMs,
    ...(type && id ? { task: moref(type, id) } : {}),
    ...(copyOf ? { copyOf } : {}),
    ...(kind === 'file' ? { kind } : {}),
    ...(instanceUuid ? { instanceUuid } : {}),
    ...(claim ? { claim } : {}),
    ...(isHandedOver && volumeId ? { handedOver: volumeId } : {}),
  };
};
