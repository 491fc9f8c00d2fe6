import { setMaxListeners } from 'node:events';

/** Many tasks and calls may listen to these signals: that is their purpose, and no leak that Node should warn of. */
export const allowManyListeners = (...signals: readonly AbortSignal[]): void => {
  setMaxListeners(0, ...signals);
};
