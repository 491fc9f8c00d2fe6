import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { ManagedObject } from '../state/object-store.ts';

/** The inventory as one session sees it: what it may not read is hidden. */
export interface InventoryReader {
  /** Grows with every change of any object. */
  version(): number;
  /** Grows when the session may see more or less than before. */
  accessVersion(): number;
  /** Keys of objects that changed after a version; undefined if that is too long ago to know. */
  changedSince(version: number): ReadonlySet<string> | undefined;
  /** The object with references to hidden objects left out; the same object again as long as nothing changed. */
  get(ref: MoRef): ManagedObject | undefined;
  canRead(ref: MoRef): boolean;
  /** Called after any change; returns a function that ends it. */
  subscribe(listener: () => void): () => void;
}
