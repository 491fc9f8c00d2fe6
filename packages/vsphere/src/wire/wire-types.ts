import { omissible } from './api-version.ts';
import { faultBases, since } from './gen/wire-versions.ts';
import { createRegistry } from './registry.ts';
import * as authorization from './types/authorization.ts';
import * as cns from './types/cns.ts';
import * as cnsResults from './types/cns-results.ts';
import * as common from './types/common.ts';
import * as datastore from './types/datastore.ts';
import * as faults from './types/faults.ts';
import * as guest from './types/guest.ts';
import * as host from './types/host.ts';
import * as inventory from './types/inventory.ts';
import * as pbm from './types/pbm.ts';
import * as propertyCollector from './types/property-collector.ts';
import * as service from './types/service.ts';
import * as sso from './types/sso.ts';
import * as task from './types/task.ts';
import * as vm from './types/vm.ts';
import * as vmDevice from './types/vm-device.ts';
import * as vsan from './types/vsan.ts';
import * as vstorage from './types/vstorage.ts';

const modules = [
  authorization,
  cns,
  cnsResults,
  common,
  datastore,
  faults,
  guest,
  host,
  inventory,
  pbm,
  propertyCollector,
  service,
  sso,
  task,
  vm,
  vmDevice,
  vsan,
  vstorage,
];

/**
 * Values of properties may be omitted, because readers must expect missing properties anyway: hidden ones are missing, too.
 * Nothing else may be omitted silently: a volume without its metadata would look unowned, and a result without its fault like a success.
 */
const contained = new Set(['ObjectContent.propSet', 'PropertyChange.val']);

/**
 * Every wire type of this project in one registry: results of storage tasks (`urn:vsan`) arrive through the property
 * collector of `/sdk` (`urn:vim25`), so the two cannot be read apart.
 */
export const wireTypes = createRegistry(modules, { since, omissible, contained, bases: faultBases });
