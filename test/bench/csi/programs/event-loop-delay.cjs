// Loaded before a program: writes how long its event loop was kept from turning, as JSON, once a second.
//   lateMs   how late a timer fired, as the program feels it; on a busy machine that is mostly waiting for a processor
//   busyMs   processor time that passed between two turns, which only the program itself can have spent
//   startMs  processor time of the turns of the first second, in which a program is loaded: they count nowhere else
//   longest  the turns that took most processor time: when, and how long the garbage collector stopped the program in them
const { writeFileSync, renameSync } = require('node:fs');
const { PerformanceObserver } = require('node:perf_hooks');

const file = process.env.EVENT_LOOP_DELAY_FILE;
if (file) {
  const everyMs = 10;
  const loadingMs = 1000;
  const late = [];
  const busy = [];
  const starts = [];
  let longest = [];
  const pauses = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) pauses.push({ startTime, duration });
  }).observe({ entryTypes: ['gc'] });
  const spentMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const round = (value) => Math.round(value * 10) / 10;
  let turnMs = performance.now();
  let spent = spentMs();
  const firstMs = turnMs;
  setInterval(() => {
    const nowMs = performance.now();
    const now = spentMs();
    const busyMs = now - spent;
    if (turnMs - firstMs < loadingMs) starts.push(busyMs);
    else {
      late.push(Math.max(0, nowMs - turnMs - everyMs));
      busy.push(busyMs);
      if (busyMs > (longest[11]?.busyMs ?? 0))
        longest = [...longest, { fromMs: turnMs, toMs: nowMs, busyMs }]
          .sort((a, b) => b.busyMs - a.busyMs)
          .slice(0, 12);
    }
    turnMs = nowMs;
    spent = now;
  }, everyMs).unref();
  const summary = (values) => {
    const sorted = Float64Array.from(values).sort();
    const at = (share) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    return { p50: at(0.5), p99: at(0.99), max: at(1) };
  };
  const told = ({ fromMs, toMs, busyMs }) => {
    const within = pauses.filter(({ startTime }) => startTime >= fromMs && startTime < toMs);
    const gcMs = within.reduce((sum, { duration }) => sum + duration, 0);
    return { atMs: Math.round(fromMs - firstMs), busyMs: round(busyMs), gcMs: round(gcMs) };
  };
  setInterval(() => {
    const result = {
      lateMs: summary(late),
      busyMs: summary(busy),
      turns: busy.length,
      startMs: summary(starts).max,
      longest: longest.map(told),
    };
    writeFileSync(`${file}.new`, JSON.stringify(result));
    renameSync(`${file}.new`, file);
  }, 1000).unref();
}
