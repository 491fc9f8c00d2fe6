import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Core } from '../core.ts';
import { faults } from '../sim-fault.ts';
import { readPath } from '../state/property-path.ts';
import type { Volume } from './volume-store.ts';

const mib = 1024n ** 2n;

/** A UUID in VMware's format for disks. */
export const newDiskUuid = ({ random }: Core): string => `6000c29${random.uuid().replaceAll('-', '').slice(7)}`;

/** Reserves or frees space on a datastore. */
export const takeSpace = (core: Core, datastore: MoRef, bytes: bigint): void => {
  const before = (readPath(core.store.get(datastore)?.properties ?? {}, 'summary.freeSpace') ?? 0n) as bigint;
  const free = before - bytes;
  core.store.update(datastore, { 'summary.freeSpace': free, 'info.freeSpace': free });
};

/** A vmdk on a datastore that is neither a first-class disk nor a volume. */
export const newDiskFile = (
  core: Core,
  datastore: MoRef,
  file: { readonly path: string; readonly capacityMb: number },
): Volume => {
  const capacityMb = BigInt(file.capacityMb);
  takeSpace(core, datastore, capacityMb * mib);
  return {
    id: core.random.uuid(),
    name: '',
    type: 'BLOCK',
    datastore,
    capacityMb,
    path: `[${String(core.store.get(datastore)?.properties['name'])}] ${file.path}`,
    diskUuid: newDiskUuid(core),
    createTime: new Date(core.clock.now()),
    firstClass: false,
    keepAfterDeleteVm: false,
    policyId: undefined,
    metadata: undefined,
    health: 'green',
    attachedTo: undefined,
    snapshots: [],
    netPermissions: [],
  };
};

/** The path of a vmdk from its URL: `https://vc/folder/fcd/x.vmdk?dcPath=DC0&dsName=ds` → `[ds] fcd/x.vmdk` of that datacenter. */
export const diskAtUrl = (
  { search }: Core,
  url: string,
  argument: string,
): { readonly datastore: MoRef; readonly path: string } => {
  if (!URL.canParse(url)) throw faults.invalidArgument(argument);
  const { pathname, searchParams } = new URL(url);
  const name = searchParams.get('dsName') ?? '';
  const datastore = search.byPath(`${searchParams.get('dcPath') ?? ''}/datastore/${name}`);
  if (datastore?.type !== 'Datastore' || !pathname.startsWith('/folder/')) throw faults.invalidArgument(argument);
  return { datastore, path: `[${name}] ${decodeURIComponent(pathname.slice('/folder/'.length))}` };
};
