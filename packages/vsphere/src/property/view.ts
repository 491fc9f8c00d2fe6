import { isVdoError } from '@vdo/base/vdo-error';
import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { createContainerView, destroyView } from '../wire/methods/property.ts';
import { type MoRef, morefKey } from '../wire/moref.ts';
import { isMissingObject } from './missing.ts';
import { isViewLost, viewLost } from './view-lost.ts';

const isMissing = (view: MoRef, error: unknown): boolean =>
  isMissingObject(error) && isVdoError(error) && error.details['object'] === morefKey(view);

/**
 * Creates a container view for the duration of `use`. A view ends with its session. If this happens during `use`, `use` is called once more
 * with a new view.
 */
export const withContainerView = async <T>(
  session: VimSession,
  request: { readonly container: MoRef; readonly types: readonly string[] },
  use: (view: MoRef) => Promise<T>,
  options: CallOptions = {},
): Promise<T> => {
  const { vim } = session;
  const { container, types: type } = request;
  const once = async (): Promise<T> => {
    const _this = requireManager(await session.open(options), 'viewManager');
    const view = await vim.call(createContainerView, { _this, container, type, recursive: true }, options);
    try {
      return await use(view).catch((error: unknown) => {
        throw isMissing(view, error) ? viewLost(error) : error;
      });
    } finally {
      // The view is removed at the end of the session anyway, so a failure to remove it now is ignored.
      await vim.call(destroyView, { _this: view }, { timeoutMs: 5_000 }).catch(() => undefined);
    }
  };
  return once().catch((error: unknown) => {
    if (isViewLost(error)) return once();
    throw error;
  });
};
