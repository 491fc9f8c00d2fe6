import { defineProperties } from '../property/properties.ts';
import { retrieveObjects } from '../property/retrieve.ts';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { array, ref } from '../wire/schema.ts';
import { TaskInfo } from '../wire/types/task.ts';

/** The outcome of a task. `forgotten`: vCenter no longer has it, and its work may be done, undone, or still continue. */
export type TaskFate = 'under way' | 'ended' | 'failed' | 'forgotten';

/** Tasks of all users, to find out the outcome of a request whose reply was lost. */
export interface RecentTasks {
  /** Queued or running tasks whose kind matches: `com.vmware.cns.tasks.createvolume`. */
  underWay(kind: RegExp, options?: CallOptions): Promise<readonly MoRef[]>;
  /** In the order of the request. `kind`: a task of another kind with this number means that the task is forgotten, because vCenter numbers its tasks again after a restore. */
  fatesOf(tasks: readonly MoRef[], options?: CallOptions & { readonly kind?: RegExp }): Promise<readonly TaskFate[]>;
  /**
   * Tasks that began before this time, by the monotonic clock, may no longer be listed: a vCenter that restarts loses its tasks and the
   * session. Undefined if this process has not lost a session. Must be called after the other functions, which detect a lost session.
   */
  forgottenUntilMs(options?: CallOptions): Promise<number | undefined>;
}

const managerProperties = defineProperties('TaskManager', { recentTask: array(ref) });
const taskProperties = defineProperties('Task', { info: TaskInfo });

const titleOf = ({ descriptionId, name }: { readonly descriptionId: string; readonly name?: string | undefined }) =>
  `${descriptionId} ${name ?? ''}`;

export const createRecentTasks = (session: VimSession): RecentTasks => {
  const read = async (refs: readonly MoRef[], options: CallOptions) => {
    const collector = requireManager(await session.open(options), 'propertyCollector');
    const found = await retrieveObjects(
      session.vsanTasks,
      { properties: taskProperties, refs },
      { ...options, collector },
    );
    return new Map(found.map(({ ref: task, values }) => [morefKey(task), values.info]));
  };
  const isUnderWay = (state: string | undefined): boolean => state === 'queued' || state === 'running';

  return {
    underWay: async (kind, options = {}) => {
      const opened = await session.open(options);
      const refs = [requireManager(opened, 'taskManager')];
      const collector = requireManager(opened, 'propertyCollector');
      const call = { ...options, collector };
      const [manager] = await retrieveObjects(session.vsanTasks, { properties: managerProperties, refs }, call);
      const recent = manager?.values.recentTask ?? [];
      const infos = await read(recent, options);
      return recent.filter((task) => {
        const info = infos.get(morefKey(task));
        return info && isUnderWay(info.state) && kind.test(titleOf(info));
      });
    },
    forgottenUntilMs: async (options = {}) => (await session.open(options)).renewedMs,
    fatesOf: async (tasks, { kind, ...options } = {}) => {
      const infos = await read(tasks, options);
      return tasks.map((task) => {
        const info = infos.get(morefKey(task));
        if (!info || kind?.test(titleOf(info)) === false) return 'forgotten';
        if (info.state === 'error') return 'failed';
        return isUnderWay(info.state) ? 'under way' : 'ended';
      });
    },
  };
};
