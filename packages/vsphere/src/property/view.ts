import { requireManager, type VimSession } from '../session/vim-session.ts';
import type { CallOptions } from '../soap/soap-client.ts';
import { createContainerView, destroyView } from '../wire/methods/property.ts';
import type { MoRef } from '../wire/moref.ts';

/** Makes a container view for the time of `use`. */
export const withContainerView = async <T>(
  session: VimSession,
  request: { readonly container: MoRef; readonly types: readonly string[] },
  use: (view: MoRef) => Promise<T>,
  options: CallOptions = {},
): Promise<T> => {
  const { vim } = session;
  const _this = requireManager(await session.open(options), 'viewManager');
  const { container, types: type } = request;
  const view = await vim.call(createContainerView, { _this, container, type, recursive: true }, options);
  try {
    return await use(view);
  } finally {
    // The session's end takes the view with it; failing to remove it now is no failure of the work.
    await vim.call(destroyView, { _this: view }, { timeoutMs: 5_000 }).catch(() => undefined);
  }
};
