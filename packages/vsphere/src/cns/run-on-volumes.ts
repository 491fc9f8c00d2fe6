import { isVdoError, toVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { CallOptions } from '../soap/soap-client.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import type { MoRef } from '../wire/moref.ts';
import type { Value } from '../wire/schema.ts';
import type { CnsVolumeOperationResult } from '../wire/types/cns-results.ts';
import { isMissingAtCall, volumeError, volumeMissing } from './cns-fault.ts';
import type { CnsMutationOptions, Outcome } from './cns-types.ts';
import { mutate } from './mutate.ts';
import { volumeResults } from './volume-task.ts';

export type VolumeResult = Value<typeof CnsVolumeOperationResult>;

interface VolumesRequest<I, T> {
  readonly items: readonly I[];
  readonly volumeId: (item: I) => string;
  readonly send: (items: readonly I[], sending: CallOptions) => Promise<MoRef>;
  /** Throws if the result is not as expected. */
  readonly value: (result: VolumeResult, item: I) => T;
}

const refusals = new Set(['InvalidArgument', 'InvalidRequest', 'NotSupported']);
const isRefusal = (error: VdoError): boolean => refusals.has(String(error.details['fault']));

/** Faults that vCenter reports for the whole call, although they may apply to only one volume. Nothing was changed. */
const isOfTheWhole = (error: VdoError): boolean =>
  isRefusal(error) || isMissingAtCall(error) || error.code === 'VCenterObjectNotFound';

/** Mutations of existing volumes of one vCenter. */
export const createVolumeRunner = (server: string, tasks: TaskWaiter) => {
  /** Calls that this vCenter accepts only for one volume at a time. It is not documented which versions accept more. */
  const single = new Set<string>();

  /** Results are matched to volumes by id, as vCenter may answer in another order. */
  const outcomes = <I, T>(
    call: string,
    request: VolumesRequest<I, T>,
    results: readonly VolumeResult[],
  ): readonly Outcome<T>[] => {
    const byId = new Map(results.map((result) => [result.volumeId?.id, result]));
    return request.items.map((item, i): Outcome<T> => {
      const volume = request.volumeId(item);
      const result = byId.get(volume) ?? results[i];
      if (result?.fault) return { ok: false, error: volumeError(result.fault, { server, call, volume }) };
      try {
        return { ok: true, value: request.value(result ?? {}, item) };
      } catch (error) {
        return { ok: false, error: toVdoError(error) };
      }
    });
  };

  const oneByOne = async <I, T>(
    call: string,
    request: VolumesRequest<I, T>,
    options: CnsMutationOptions,
  ): Promise<readonly Outcome<T>[]> => {
    const all: Outcome<T>[] = [];
    for (const item of request.items) {
      const [outcome] = await run(call, { ...request, items: [item] }, options).catch(
        (error: unknown): readonly Outcome<T>[] => {
          options.signal?.throwIfAborted();
          return [{ ok: false, error: toVdoError(error) }];
        },
      );
      if (outcome) all.push(outcome);
    }
    return all;
  };

  /** A fault of the whole call that may apply to only one volume, or that reports that the only volume does not exist. */
  const refused = async <I, T>(
    call: string,
    request: VolumesRequest<I, T>,
    { error, options }: { readonly error: VdoError; readonly options: CnsMutationOptions },
  ): Promise<readonly Outcome<T>[]> => {
    const [first, ...more] = request.items;
    if (more.length > 0 && isOfTheWhole(error)) {
      if (isRefusal(error)) single.add(call);
      return oneByOne(call, request, options);
    }
    if (first === undefined || !isMissingAtCall(error)) throw error;
    return [{ ok: false, error: volumeMissing({ server, call, volume: request.volumeId(first) }) }];
  };

  /** Runs a call on several volumes. */
  const run = async <I, T>(
    call: string,
    request: VolumesRequest<I, T>,
    options: CnsMutationOptions,
  ): Promise<readonly Outcome<T>[]> => {
    const { items } = request;
    if (items.length === 0) return [];
    if (items.length > 1 && single.has(call)) return oneByOne(call, request, options);
    let accepted = false;
    const send = async (sending: CallOptions): Promise<MoRef> => {
      const task = await request.send(items, sending);
      accepted = true;
      return task;
    };
    try {
      return outcomes(call, request, volumeResults(await mutate(send, tasks, options), { server, call }));
    } catch (error) {
      if (accepted || !isVdoError(error)) throw error;
      return refused(call, request, { error, options });
    }
  };

  /** The same for one volume: its failure is thrown. */
  const runOne = async (
    call: string,
    volumeId: string,
    send: (sending: CallOptions) => Promise<MoRef>,
    options: CnsMutationOptions,
  ): Promise<void> => {
    const request = {
      items: [volumeId],
      volumeId: (id: string) => id,
      send: (_items: readonly string[], sending: CallOptions) => send(sending),
      value: () => undefined,
    };
    const [outcome] = await run(call, request, options);
    if (outcome?.ok === false) throw outcome.error;
  };

  return { run, runOne };
};
