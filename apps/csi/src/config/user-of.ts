import type { Clock } from '@vdo/base/clock';
import type { ConnectedVCenter } from '@vdo/program/connect-vcenters';
import { createVersionedCache } from '../placement/versioned-cache.ts';

/** The account used on a vCenter, by its name. Every new volume names it; reading the Secret each time would cost more than creating the volume. */
export const createUserOf = (members: readonly Pick<ConnectedVCenter, 'vcenter' | 'credentials'>[], clock: Clock) => {
  const accounts = new Map(members.map(({ vcenter, credentials }) => [vcenter.server, credentials]));
  const users = createVersionedCache<string>({ clock, maxAgeMs: 60_000 });
  return (server: string, options: { readonly signal: AbortSignal }): Promise<string> =>
    users.get(server, '', async () => (await accounts.get(server)?.(options))?.username ?? '');
};
