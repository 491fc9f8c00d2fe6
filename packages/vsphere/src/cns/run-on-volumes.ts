import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import type { MoRef } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { CnsVolumeOperationResult } from '../wire/types/cns-results.ts';
import { volumeError } from './cns-fault.ts';
import type { CnsMutationOptions, Outcome } from './cns-types.ts';
import { mutate } from './mutate.ts';
import { volumeResults } from './volume-task.ts';

export type VolumeResult = Value<typeof CnsVolumeOperationResult>;

/** Mutations of volumes that exist, of one vCenter. */
export const createVolumeRunner = (server: string, tasks: TaskWaiter) => {
  /** Runs a call on several volumes and matches its results to them: by id, as vCenter may answer in another order. */
  const run = async <T>(
    call: string,
    request: {
      readonly volumeIds: readonly string[];
      readonly send: (sending: CallOptions) => Promise<MoRef>;
      readonly value: (result: VolumeResult) => T;
    },
    options: CnsMutationOptions,
  ): Promise<readonly Outcome<T>[]> => {
    if (request.volumeIds.length === 0) return [];
    const results = volumeResults(await mutate(request.send, tasks, options), { server, call });
    const byId = new Map(results.map((result) => [result.volumeId?.id, result]));
    return request.volumeIds.map((volume, i): Outcome<T> => {
      const result = byId.get(volume) ?? results[i];
      if (result?.fault) return { ok: false, error: volumeError(result.fault, { server, call, volume }) };
      return { ok: true, value: request.value(result ?? {}) };
    });
  };

  /** The same for one volume: its failure is thrown. */
  const runOne = async (
    call: string,
    volumeId: string,
    send: (sending: CallOptions) => Promise<MoRef>,
    options: CnsMutationOptions,
  ): Promise<void> => {
    const [outcome] = await run(call, { volumeIds: [volumeId], send, value: () => undefined }, options);
    if (outcome?.ok === false) throw outcome.error;
  };

  return { run, runOne };
};
