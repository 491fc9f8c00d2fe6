// Competes for a Lease and, while it leads, acts every 20 ms behind its fence. Tells on standard output what it does.
import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createSystemRandom } from '@vdo/base/random';
import { isVdoError } from '@vdo/base/vdo-error';
import { connectKube } from '@vdo/kube/connect-kube';
import { createLeaderElector } from '@vdo/kube/create-leader-elector';

const [kubeconfigPath = '', namespace = '', name = '', identity = ''] = process.argv.slice(2);
const clock = createSystemClock();
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const client = await connectKube({ kubeconfigPath, env: {}, clock });
const elector = createLeaderElector({
  client,
  lease: { namespace, name },
  identity,
  clock,
  random: createSystemRandom(),
  logger: silentLogger,
  leaseDurationMs: 4_000,
  renewDeadlineMs: 3_000,
  retryPeriodMs: 500,
});

const say = (what: string) => console.log(`${what} ${Date.now()}`);

// Deliberately does not look at its signal: only the fence stands between it and an action that is not its own.
const actForever = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    say('leads');
    const timer = setInterval(() => {
      try {
        elector.assertHeld();
        say('acts');
      } catch (error) {
        say(isVdoError(error, 'LeaseLost') ? 'refrains' : `fails ${error}`);
      }
    }, 20);
    signal.addEventListener('abort', () =>
      setTimeout(() => {
        clearInterval(timer);
        say('ends');
        resolve();
      }, 200),
    );
  });

await elector.run(stop.signal, actForever);
await client.close();
say('exits');
