import { isVdoError } from '@vdo/base/vdo-error';
import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { askAsSession } from '../session/ask-as-session.ts';
import { type OpenSession, requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { hasPrivilegeOnEntities } from '../wire/methods/authorization.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';

export type Existence =
  | { readonly state: 'exists' }
  /** vCenter does not have the object, and the user may still read the folder that the VM was in. */
  | { readonly state: 'gone' }
  /** vCenter hides objects that a user may not read, so a missing object proves nothing. */
  | { readonly state: 'unproven'; readonly because: string };

/** Where a VM was last seen. */
export interface LastSeen {
  readonly ref: MoRef;
  readonly folder: MoRef | undefined;
}

/** Distinguishes deleted VMs from hidden ones (design decision 6). */
export interface VmExistence {
  /** One answer for each VM, in their order; few calls for many. */
  prove(vms: readonly LastSeen[], options?: { readonly signal?: AbortSignal }): Promise<readonly Existence[]>;
}

const vmName = defineProperties('VirtualMachine', { name: string });
const read = 'System.Read';

export const createVmExistence = (session: VimSession): VmExistence => {
  const known = async (refs: readonly MoRef[], options: CallOptions): Promise<ReadonlySet<string>> => {
    const collector = requireManager(await session.open(options), 'propertyCollector');
    const found = await retrieveObjects(session.vim, { properties: vmName, refs }, { ...options, collector });
    return new Set(found.map(({ ref }) => morefKey(ref)));
  };

  /** Undefined if the user may read the folder, otherwise the reason. */
  const hidden = async (folder: MoRef, options: CallOptions): Promise<string | undefined> => {
    const ask = (opened: OpenSession) => {
      const _this = requireManager(opened, 'authorizationManager');
      const request = { _this, entity: [folder], sessionId: opened.key, privId: [read] };
      return session.vim.call(hasPrivilegeOnEntities, request, options);
    };
    try {
      const [answer] = await askAsSession(session, ask, options);
      const granted = answer?.privAvailability.some(({ privId, isGranted }) => privId === read && isGranted);
      return granted ? undefined : `the user lacks ${read} on ${folder.value}, the folder that the VM was in`;
    } catch (error) {
      if (isVdoError(error, 'VCenterPermissionDenied')) return error.message;
      if (isVdoError(error, 'VCenterObjectNotFound'))
        return `the folder that the VM was in, ${folder.value}, was deleted or is hidden from the user`;
      throw error;
    }
  };

  return {
    prove: async (vms, options = {}) => {
      const there = await known(
        vms.map(({ ref }) => ref),
        options,
      );
      const absent = vms.filter(({ ref }) => !there.has(morefKey(ref)));
      const folders = new Map(absent.flatMap(({ folder }) => (folder ? [[folder.value, folder] as const] : [])));
      const reasons = new Map<string, string | undefined>();
      for (const [value, folder] of folders) reasons.set(value, await hidden(folder, options));
      return vms.map(({ ref, folder }): Existence => {
        if (there.has(morefKey(ref))) return { state: 'exists' };
        if (!folder) return { state: 'unproven', because: 'the folder that the VM was in is not known' };
        const because = reasons.get(folder.value);
        return because === undefined ? { state: 'gone' } : { state: 'unproven', because };
      });
    },
  };
};
