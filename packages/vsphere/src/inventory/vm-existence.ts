import { isVdoError } from '@vdo/base/vdo-error';
import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import { hasPrivilegeOnEntities } from '../wire/methods/authorization.ts';
import type { MoRef } from '../wire/moref.ts';
import { string } from '../wire/schema.ts';

export type Existence =
  | { readonly state: 'exists' }
  /** vCenter does not know the reference, and the user may still read the folder the VM was in. */
  | { readonly state: 'gone' }
  /** vCenter hides what a user may not read: its silence proves nothing. */
  | { readonly state: 'unproven'; readonly because: string };

/** Tells a VM that is gone from one that is hidden (design decision 6). */
export interface VmExistence {
  prove(
    vm: { readonly ref: MoRef; readonly folder: MoRef | undefined },
    options?: { readonly signal?: AbortSignal },
  ): Promise<Existence>;
}

const vmName = defineProperties('VirtualMachine', { name: string });
const read = 'System.Read';

export const createVmExistence = (session: VimSession): VmExistence => {
  const isKnown = async (ref: MoRef, signal: AbortSignal | undefined): Promise<boolean> => {
    const collector = requireManager(await session.open({ signal }), 'propertyCollector');
    const found = await retrieveObjects(session.vim, { properties: vmName, refs: [ref] }, { collector, signal });
    return found.length > 0;
  };

  const mayRead = async (folder: MoRef, signal: AbortSignal | undefined): Promise<boolean> => {
    const opened = await session.open({ signal });
    const _this = requireManager(opened, 'authorizationManager');
    const request = { _this, entity: [folder], sessionId: opened.key, privId: [read] };
    const [answer] = await session.vim.call(hasPrivilegeOnEntities, request, { signal });
    return answer?.privAvailability.some(({ privId, isGranted }) => privId === read && isGranted) ?? false;
  };

  return {
    prove: async ({ ref, folder }, { signal } = {}) => {
      try {
        if (await isKnown(ref, signal)) return { state: 'exists' };
        if (!folder) return { state: 'unproven', because: 'the folder it was in is not known' };
        if (await mayRead(folder, signal)) return { state: 'gone' };
        return { state: 'unproven', because: `the user has no ${read} on ${folder.value}, the folder it was in` };
      } catch (error) {
        if (isVdoError(error, 'VCenterPermissionDenied')) return { state: 'unproven', because: error.message };
        if (isVdoError(error, 'VCenterObjectNotFound'))
          return { state: 'unproven', because: `the folder it was in (${folder?.value}) is gone or hidden` };
        throw error;
      }
    },
  };
};
