import { raceAbort } from '@vdo/base/async/race-abort';

/** A session that many callers share: opened once, on demand, and again after it was found lost. */
export interface SharedSession<S> {
  /** The open session; opens it if there is none. Concurrent callers wait for the same attempt. */
  get(options?: { readonly signal?: AbortSignal | undefined }): Promise<S>;
  /** Marks `session` as no longer valid. Ignored if it was already replaced. */
  lost(session: S): void;
  /** The open session, if any; opens nothing. */
  current(): S | undefined;
  /** Closes it permanently; `get` fails afterwards. Safe to call twice. */
  close(): Promise<void>;
}

/** `open` does not use a caller's signal: if one caller aborts, the others must not fail. */
export const createSharedSession = <S>(options: {
  readonly open: () => Promise<S>;
  readonly close: (session: S) => Promise<void>;
  readonly closedError: () => Error;
  /** Called when the session begins and when it ends, by a logout or because it was lost. */
  readonly onChange?: (isOpen: boolean) => void;
}): SharedSession<S> => {
  let session: S | undefined;
  let opening: Promise<S> | undefined;
  let closed = false;

  const open = (): Promise<S> => {
    opening ??= options
      .open()
      .then(async (opened) => {
        if (closed) {
          await options.close(opened);
          throw options.closedError();
        }
        session = opened;
        options.onChange?.(true);
        return opened;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  };

  return {
    get: async (call = {}) => {
      call.signal?.throwIfAborted();
      if (closed) throw options.closedError();
      return session ?? raceAbort(open(), call.signal);
    },
    lost: (seen) => {
      if (session !== seen) return;
      session = undefined;
      options.onChange?.(false);
    },
    current: () => session,
    close: async () => {
      closed = true;
      await opening?.catch(() => undefined);
      const open = session;
      session = undefined;
      if (open === undefined) return;
      options.onChange?.(false);
      await options.close(open);
    },
  };
};
