import {
  findAllByDnsName,
  findAllByIp,
  findAllByUuid,
  findByDnsName,
  findByInventoryPath,
  findByIp,
  findByUuid,
  findChild,
} from '@vdo/vsphere/wire/methods/search';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import { faults } from '../../sim-fault.ts';
import { type Call, handle, type MethodHandler } from '../method-handler.ts';

/** The objects that the session may read, within the datacenter if one is named. */
const visible = ({ core, client }: Call, found: readonly MoRef[], datacenter: MoRef | undefined): readonly MoRef[] => {
  if (datacenter && !core.store.get(datacenter)) throw faults.managedObjectNotFound(datacenter);
  return found.filter(
    (ref) => client.reader.canRead(ref) && (datacenter === undefined || core.search.isWithin(ref, datacenter)),
  );
};

interface UuidQuery {
  readonly datacenter?: MoRef | undefined;
  readonly uuid: string;
  readonly vmSearch: boolean;
  readonly instanceUuid?: boolean | undefined;
}

const byUuid = (query: UuidQuery, call: Call): readonly MoRef[] => {
  const kind = query.vmSearch ? (query.instanceUuid ? 'instance' : 'bios') : 'host';
  return visible(call, call.core.search.byUuid(query.uuid, kind), query.datacenter);
};

interface NameQuery {
  readonly datacenter?: MoRef | undefined;
  readonly dnsName: string;
  readonly vmSearch: boolean;
}

const byName = ({ datacenter, dnsName, vmSearch }: NameQuery, call: Call): readonly MoRef[] =>
  visible(call, call.core.search.byDnsName(dnsName, vmSearch ? 'vm' : 'host'), datacenter);

interface IpQuery {
  readonly datacenter?: MoRef | undefined;
  readonly ip: string;
  readonly vmSearch: boolean;
}

const byIp = ({ datacenter, ip, vmSearch }: IpQuery, call: Call): readonly MoRef[] =>
  vmSearch ? visible(call, call.core.search.byIp(ip), datacenter) : [];

export const searchMethods: readonly MethodHandler[] = [
  handle(findByUuid, (query, call) => byUuid(query, call)[0]),
  handle(findAllByUuid, byUuid),
  handle(findByDnsName, (query, call) => byName(query, call)[0]),
  handle(findAllByDnsName, byName),
  handle(findByIp, (query, call) => byIp(query, call)[0]),
  handle(findAllByIp, byIp),

  handle(findByInventoryPath, ({ inventoryPath }, call) => {
    const found = call.core.search.byPath(inventoryPath);
    return found && visible(call, [found], undefined)[0];
  }),

  handle(findChild, ({ entity, name }, call) => {
    if (!call.core.store.get(entity)) throw faults.managedObjectNotFound(entity);
    const found = call.core.search.child(entity, name);
    return found && visible(call, [found], undefined)[0];
  }),
];
