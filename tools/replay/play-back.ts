import type { HttpResponse, HttpTransport } from '@vdo/base/http';
import { httpResponse } from '@vdo/base/http';
import { callOf, type Exchange } from '@vdo/vdoctl/commands/vsphere/qualify/exchange';
import { redactExchange } from '@vdo/vdoctl/commands/vsphere/qualify/record/redact-exchange';

/** Written as a record is, and otherwise left as it is. */
const asRecorded = (request: Pick<Exchange, 'method' | 'path' | 'request' | 'call'>): string =>
  redactExchange(
    { ...request, step: '', action: '', status: 0, contentType: '', reply: '', ms: 0 },
    { text: (it) => it },
  ).request;

/** The first place where two texts differ, with what stands around it. */
const differenceOf = (recorded: string, sent: string): string => {
  let at = 0;
  while (at < recorded.length && recorded[at] === sent[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `recorded ${around(recorded)}, sent ${around(sent)}`;
};

const headersOf = ({ call, contentType }: Exchange): HttpResponse['headers'] => ({
  'content-type': contentType || 'application/json',
  // The cookie itself was never recorded; any will do.
  ...(/^Login/.test(call) ? { 'set-cookie': 'vmware_soap_session="replayed"; Path=/; HttpOnly; Secure;' } : {}),
});

/** What nobody answered is answered by nobody again. */
const silence = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** A record is written before the session ends. */
const isLogout = (call: string): boolean => call === 'Logout' || /^DELETE .*\/session$/.test(call);

/** A vCenter that answers what was recorded, and notes where it is asked something else. */
export const createPlayBack = (exchanges: readonly Exchange[]) => {
  const unused = [...exchanges];
  const differences: string[] = [];
  const take = (index: number): Exchange | undefined => (index < 0 ? undefined : unused.splice(index, 1)[0]);

  const transport: HttpTransport = async (sent) => {
    const body = typeof sent.body === 'string' ? sent.body : '';
    const call = callOf(sent, body);
    const request = asRecorded({ method: sent.method, path: sent.path, request: body, call });
    const same = take(
      unused.findIndex((one) => one.call === call && one.path === sent.path && one.request === request),
    );
    const alike = same ?? take(unused.findIndex((one) => one.call === call));
    if (!alike && isLogout(call)) return httpResponse(204);
    if (!alike) {
      differences.push(`${call} is sent, and was not recorded so often`);
      return httpResponse(500, '', { 'content-type': 'text/html' });
    }
    if (!same) differences.push(`${call} is sent differently: ${differenceOf(alike.request, request)}`);
    if (alike.status === 0) return silence(sent.signal);
    return httpResponse(alike.status, alike.reply, headersOf(alike));
  };
  return {
    transport,
    differences,
    /** Called at the end. */
    unasked: (): readonly string[] =>
      unused.map(({ step, call }) => `${call} was recorded (${step || 'at the start'}), and is not sent`),
  };
};
