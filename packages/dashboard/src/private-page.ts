import { type HttpTransport, httpResponse } from '@vdo/base/http';
import type { Random } from '@vdo/base/random';
import { createDashboardHandler, type DashboardHandlerOptions } from './create-dashboard-handler.ts';

export interface PrivatePage {
  readonly handler: HttpTransport;
  /** Of the page, to be put after the address of the server: whoever knows it may read. */
  readonly path: string;
}

/** A page of another site could make a browser send requests here under a host name of its own (DNS rebinding). */
const isHere = (host: string | undefined): boolean => {
  const name = host?.replace(/:\d+$/, '');
  return name === '127.0.0.1' || name === 'localhost' || name === '[::1]';
};

const refuse = (status: number, why: string) =>
  httpResponse(status, `${why}\n`, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });

/**
 * The page on a port of this machine, which every user of the machine can reach: below a secret path that is printed to whoever started
 * it. A cookie would not do: a browser also sends it to other ports.
 */
export const createPrivatePage = (
  options: Omit<DashboardHandlerOptions, 'basePath'> & { readonly random: Random },
): PrivatePage => {
  const basePath = `/${options.random.uuid()}`;
  const page = createDashboardHandler({ ...options, basePath });
  const handler: HttpTransport = async (request) => {
    if (!isHere(request.headers['host'])) return refuse(421, 'use the address that the command printed');
    const isListed = request.path === basePath || request.path.startsWith(`${basePath}/`);
    return isListed ? page(request) : refuse(401, 'use the whole address that the command printed, with its path');
  };
  return { handler, path: `${basePath}/` };
};
