import { type MoRef, moref, morefKey } from '@vdo/vsphere/wire/moref';
import { createSessionReader } from '../access/session-reader.ts';
import type { Core } from '../core.ts';
import type { InventoryReader } from '../property/inventory-reader.ts';
import { createPropertyCollector, type PropertyCollector } from '../property/property-collector.ts';
import { propertyNames } from '../property/property-schema.ts';
import type { Session } from '../sessions.ts';
import { faults } from '../sim-fault.ts';
import { managers } from './service-content.ts';
import { userSession } from './user-session.ts';

/** State that belongs to one login and ends with it: collectors, filters, views and unfinished retrievals. */
export interface ClientSession {
  readonly session: Session;
  readonly reader: InventoryReader;
  collector(ref: MoRef): PropertyCollector;
  newCollector(): MoRef;
  endCollector(ref: MoRef): void;
  /** A reference that no other session has. */
  newRef(type: string): MoRef;
  /** Views are in the store, so that filters can start from them. */
  readonly views: Map<string, MoRef>;
  /** By the filter's key: the collector it belongs to. */
  readonly filters: Map<string, PropertyCollector>;
  /** By token: the rest of a retrieval. */
  readonly retrievals: Map<string, () => unknown>;
  /** Ends everything; waits are answered with NotAuthenticated unless another reason is given. */
  end(reason?: Error): void;
}

export const createClientSession = (core: Core, session: Session): ClientSession => {
  const collectors = new Map<string, PropertyCollector>();
  const views = new Map<string, MoRef>();
  const reader = createSessionReader({
    store: core.store,
    permissions: core.permissions,
    principal: session,
    rootFolder: core.rootFolder,
    overlay: (object) =>
      object.ref.type === 'SessionManager'
        ? { ...object, properties: { ...object.properties, ...sessionLists(core, session) } }
        : object,
  });
  const newRef = (type: string): MoRef => moref(type, `session[${session.key}]${core.random.uuid()}`);

  const addCollector = (ref: MoRef): MoRef => {
    const { clock, limits } = core;
    const collector = createPropertyCollector({
      ref,
      reader,
      clock,
      allOf: propertyNames,
      maxObjectUpdates: limits.updateObjects,
    });
    collectors.set(morefKey(ref), collector);
    return ref;
  };
  addCollector(managers.propertyCollector);

  return {
    session,
    reader,
    views,
    filters: new Map(),
    retrievals: new Map(),
    newRef,
    collector: (ref) => {
      const collector = collectors.get(morefKey(ref));
      if (!collector) throw faults.managedObjectNotFound(ref);
      return collector;
    },
    newCollector: () => addCollector(newRef('PropertyCollector')),
    endCollector: (ref) => {
      collectors.get(morefKey(ref))?.cancel();
      if (!collectors.delete(morefKey(ref))) throw faults.managedObjectNotFound(ref);
    },
    end: (reason) => {
      for (const collector of collectors.values()) collector.cancel(reason ?? faults.notAuthenticated(collector.ref));
      for (const view of views.values()) core.containers.close(view);
    },
  };
};

const sessionLists = (core: Core, session: Session) => ({
  currentSession: userSession(session),
  ...(core.permissions.allows(session, 'Sessions.TerminateSession', core.rootFolder)
    ? { sessionList: core.sessions.list().map(userSession) }
    : {}),
});
