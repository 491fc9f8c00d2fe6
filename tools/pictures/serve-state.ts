import { createSystemClock } from '@vdo/base/clock';
import { type HttpServer, serveHttp } from '@vdo/base/http-server';
import { createDashboardHandler } from '@vdo/dashboard/create-dashboard-handler';
import { createFixedSource } from '@vdo/dashboard/testing/fixed-source';
import { type StateName, states } from '@vdo/dashboard/testing/states';

/** The dashboard with the facts of one of its tests, on 127.0.0.1, at the time that these facts are from. */
export const serveState = (state: StateName): Promise<HttpServer> => {
  const clock = { ...createSystemClock(), now: () => states[state].nowMs };
  return serveHttp({
    handler: createDashboardHandler({ source: createFixedSource(states[state]).source, clock }),
    port: 0,
  });
};
