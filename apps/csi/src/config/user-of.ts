import type { Clock } from '@vdo/base/clock';
import type { ConnectedVCenter } from '@vdo/program/connect-vcenters';
import { createVersionedCache } from '../placement/versioned-cache.ts';

type Named = { readonly vcenter: Pick<ConnectedVCenter['vcenter'], 'server' | 'userName'> };

/** The account used on a vCenter, as its session reports it, because credentials with a certificate contain no user name. */
export const createUserOf = (members: readonly Named[], clock: Clock) => {
  const vcenters = new Map(members.map(({ vcenter }) => [vcenter.server, vcenter]));
  const users = createVersionedCache<string>({ clock, maxAgeMs: 60_000 });
  return (server: string, options: { readonly signal: AbortSignal }): Promise<string> =>
    users.get(server, '', async () => (await vcenters.get(server)?.userName(options)) ?? '');
};
