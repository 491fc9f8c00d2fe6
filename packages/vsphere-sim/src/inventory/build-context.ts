import type { Random } from '@vdo/base/random';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Input, Value } from '@vdo/vsphere/wire/schema';
import type { AboutInfo } from '@vdo/vsphere/wire/types/service';
import type { TagModel } from '../model.ts';
import type { ObjectStore } from '../state/object-store.ts';
import type { FolderBuilder } from './build-folders.ts';
import type { Guest } from './guest-tree.ts';
import type { Links } from './links.ts';
import type { ObjectIds } from './object-ids.ts';

/** Shared by the builders of one vCenter. Objects are written at the end, when everything that belongs to them is known. */
export interface BuildContext {
  readonly store: ObjectStore;
  readonly ids: ObjectIds;
  readonly random: Random;
  readonly about: Input<Value<typeof AboutInfo>>;
  readonly now: Date;
  readonly folders: FolderBuilder;
  readonly children: Links;
  /** VMs of a host, resource pool, datastore or network. */
  readonly vms: Links;
  readonly guests: Map<string, Guest>;
  readonly tag: (object: MoRef, tags: TagModel | undefined) => void;
}
