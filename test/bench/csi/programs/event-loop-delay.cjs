// Loaded before a program: writes how long its event loop was kept from turning, as JSON, once a second.
const { writeFileSync, renameSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const file = process.env.EVENT_LOOP_DELAY_FILE;
if (file) {
  const resolution = 10;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  // The histogram holds the time between two turns of the timer, which itself takes `resolution`.
  const late = (nanoseconds) => Math.max(0, Math.round(nanoseconds / 1e5) / 10 - resolution);
  setInterval(() => {
    const summary = { p50Ms: late(delay.percentile(50)), p99Ms: late(delay.percentile(99)), maxMs: late(delay.max) };
    writeFileSync(`${file}.new`, JSON.stringify(summary));
    renameSync(`${file}.new`, file);
  }, 1000).unref();
}
