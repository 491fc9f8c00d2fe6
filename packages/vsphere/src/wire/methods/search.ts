import { array, boolean, defineMethod, optional, ref, string } from '../schema.ts';

export const findByUuid = defineMethod('FindByUuid', {
  namespace: 'urn:vim25',
  request: { _this: ref, datacenter: optional(ref), uuid: string, vmSearch: boolean, instanceUuid: optional(boolean) },
  response: optional(ref),
});

export const findAllByUuid = defineMethod('FindAllByUuid', {
  namespace: 'urn:vim25',
  request: { _this: ref, datacenter: optional(ref), uuid: string, vmSearch: boolean, instanceUuid: optional(boolean) },
  response: array(ref),
});

export const findByDnsName = defineMethod('FindByDnsName', {
  namespace: 'urn:vim25',
  request: { _this: ref, datacenter: optional(ref), dnsName: string, vmSearch: boolean },
  response: optional(ref),
});

export const findAllByDnsName = defineMethod('FindAllByDnsName', {
  namespace: 'urn:vim25',
  request: { _this: ref, datacenter: optional(ref), dnsName: string, vmSearch: boolean },
  response: array(ref),
});

export const findByIp = defineMethod('FindByIp', {
  namespace: 'urn:vim25',
  request: { _this: ref, datacenter: optional(ref), ip: string, vmSearch: boolean },
  response: optional(ref),
});

export const findAllByIp = defineMethod('FindAllByIp', {
  namespace: 'urn:vim25',
  request: { _this: ref, datacenter: optional(ref), ip: string, vmSearch: boolean },
  response: array(ref),
});

export const findByInventoryPath = defineMethod('FindByInventoryPath', {
  namespace: 'urn:vim25',
  request: { _this: ref, inventoryPath: string },
  response: optional(ref),
});

export const findChild = defineMethod('FindChild', {
  namespace: 'urn:vim25',
  request: { _this: ref, entity: ref, name: string },
  response: optional(ref),
});
