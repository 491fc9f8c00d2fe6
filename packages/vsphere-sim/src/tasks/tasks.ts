import type { Clock } from '@vdo/base/clock';
import { type MoRef, moref, morefKey } from '@vdo/vsphere/wire/moref';
import { type Input, make, type Value } from '@vdo/vsphere/wire/schema';
import { type TaskInfo, TaskReasonUser } from '@vdo/vsphere/wire/types/task';
import type { FaultEffect } from '../fault-rules.ts';
import { faults, SimFault } from '../sim-fault.ts';
import type { ObjectStore } from '../state/object-store.ts';

export interface TaskRequest {
  /** The method, `PowerOffVM_Task`. */
  readonly method: string;
  /** The object of the task. */
  readonly entity?: MoRef;
  readonly user: string;
  /** Injected faults that apply to the task. */
  readonly effects?: readonly FaultEffect[];
  /** Called when the task completes. Its result becomes `info.result`; a SimFault becomes `info.error`. */
  readonly run: () => unknown;
}

/** Long-running operations: each is a managed object whose `info` clients watch. */
export interface Tasks {
  start(request: TaskRequest): MoRef;
  /** True if the task was still running; it then ends with RequestCanceled. */
  cancel(task: MoRef): boolean;
  /** Tasks that have not ended. */
  running(): readonly MoRef[];
  /** Removes all tasks from the list, like a vCenter that restarts; running work continues. Numbers start again only on request. */
  forget(options?: { readonly renumber?: boolean }): void;
}

export interface TasksOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly taskManager: MoRef;
  /** How long a task of this method runs. */
  readonly latencyMs: (method: string) => number;
  /** Ended tasks beyond this number are forgotten, oldest first. Default 2000. */
  readonly keep?: number;
}

type Info = Input<Value<typeof TaskInfo>>;

export const createTasks = (options: TasksOptions): Tasks => {
  const { store, clock, keep = 2000 } = options;
  const running = new Map<string, { readonly ref: MoRef; stop(): void }>();
  const ended: MoRef[] = [];
  let count = 0;

  const announce = (): void => {
    const recent = [...ended.slice(-5), ...[...running.values()].map(({ ref }) => ref)];
    store.update(options.taskManager, { recentTask: recent });
  };

  const end = (ref: MoRef, outcome: Partial<Info>): void => {
    const own = running.get(morefKey(ref));
    // The task was removed; another task may have its number now.
    if (own?.ref !== ref) return;
    own.stop();
    running.delete(morefKey(ref));
    const info = store.get(ref)?.properties['info'] as Info;
    store.update(ref, { info: { ...info, ...outcome, completeTime: new Date(clock.now()) } });
    ended.push(ref);
    while (ended.length > keep) {
      const oldest = ended.shift();
      if (oldest) store.remove(oldest);
    }
    announce();
  };

  const fail = (ref: MoRef, fault: SimFault, more: Partial<Info> = {}): void =>
    end(ref, { ...more, state: 'error', error: { fault: fault.fault, localizedMessage: fault.message } });

  const complete = (ref: MoRef, request: TaskRequest): void => {
    const injected = request.effects?.find((effect) => effect.kind === 'task-failure');
    try {
      if (injected) throw new SimFault(injected.fault, injected.message ?? `${injected.fault.$type} (injected)`);
      const result = request.run();
      end(ref, { state: 'success', progress: 100, ...(result === undefined ? {} : { result }) });
    } catch (error) {
      if (!(error instanceof SimFault)) throw error;
      fail(ref, error);
    }
  };

  return {
    start: (request) => {
      count += 1;
      const ref = moref('Task', `task-${count}`);
      const now = new Date(clock.now());
      const entityName = request.entity && store.get(request.entity)?.properties['name'];
      const info: Info = {
        key: ref.value,
        task: ref,
        ...(cnsTask.test(request.method) ? {} : { name: request.method }),
        descriptionId: descriptionId(request),
        ...(request.entity ? { entity: request.entity } : {}),
        ...(typeof entityName === 'string' ? { entityName } : {}),
        state: 'running',
        cancelled: false,
        cancelable: true,
        reason: make(TaskReasonUser, { userName: request.user }),
        queueTime: now,
        startTime: now,
        eventChainId: count,
      };
      store.put(ref, { value: [], availableField: [], info });
      // Delays do not add up: a task takes at most as long as the longest of them.
      const extraMs = (request.effects ?? []).reduce(
        (longest, effect) => Math.max(longest, effect.kind === 'task-latency' ? effect.ms : 0),
        0,
      );
      const stop = clock.schedule(() => complete(ref, request), options.latencyMs(request.method) + extraMs);
      running.set(morefKey(ref), { ref, stop });
      announce();
      return ref;
    },
    cancel: (task) => {
      const own = running.get(morefKey(task));
      if (!own) return false;
      fail(own.ref, faults.requestCanceled(), { cancelled: true });
      return true;
    },
    running: () => [...running.values()].map(({ ref }) => ref),
    forget: ({ renumber = false } = {}) => {
      for (const ref of ended.splice(0)) store.remove(ref);
      for (const { ref } of running.values()) store.remove(ref);
      running.clear();
      if (renumber) count = 0;
      announce();
    },
  };
};

/** CNS sets the names of its tasks itself: `CnsCreateVolume` → `com.vmware.cns.tasks.createvolume`, without a method. */
const cnsTask = /^Cns([A-Z][a-z]+)(Volume|Snapshot)/;

/** `PowerOffVM_Task` on a VM → `VirtualMachine.powerOff`-like ids, as vCenter's task lists show them. */
const descriptionId = ({ method, entity }: TaskRequest): string => {
  const [, verb, noun] = cnsTask.exec(method) ?? [];
  if (verb && noun) return `com.vmware.cns.tasks.${verb}${noun}`.toLowerCase();
  const name = method.replace(/_Task$/, '').replace(/VM$/, '');
  return `${entity?.type ?? 'ServiceInstance'}.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
};
