import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { ManagedObject } from '../state/object-store.ts';

/** The inventory as one session sees it: objects that it may not read are hidden. */
export interface InventoryReader {
  /** Increases with every change of any object. */
  version(): number;
  /** Increases when the session may see more or less than before. */
  accessVersion(): number;
  /** Keys of objects that changed after a version; undefined if that is too long ago to know. */
  changedSince(version: number): ReadonlySet<string> | undefined;
  /** The object without references to hidden objects; the same object while nothing has changed. */
  get(ref: MoRef): ManagedObject | undefined;
  canRead(ref: MoRef): boolean;
  /** Called after any change; returns a function that removes the listener. */
  subscribe(listener: () => void): () => void;
}
