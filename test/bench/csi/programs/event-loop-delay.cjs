// Loaded before a program: writes how long its event loop was kept from turning, as JSON, once a second.
//   lateMs  how late a timer fired, as the program feels it; on a busy machine that is mostly waiting for a processor
//   busyMs  processor time that passed between two turns, which only the program itself can have spent
const { writeFileSync, renameSync } = require('node:fs');

const file = process.env.EVENT_LOOP_DELAY_FILE;
if (file) {
  const everyMs = 10;
  const late = [];
  const busy = [];
  const spentMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  let turnMs = performance.now();
  let spent = spentMs();
  setInterval(() => {
    const nowMs = performance.now();
    const now = spentMs();
    late.push(Math.max(0, nowMs - turnMs - everyMs));
    busy.push(now - spent);
    turnMs = nowMs;
    spent = now;
  }, everyMs).unref();
  const summary = (values) => {
    const sorted = Float64Array.from(values).sort();
    const at = (share) =>
      Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
    return { p50: at(0.5), p99: at(0.99), max: at(1) };
  };
  setInterval(() => {
    writeFileSync(`${file}.new`, JSON.stringify({ lateMs: summary(late), busyMs: summary(busy), turns: busy.length }));
    renameSync(`${file}.new`, file);
  }, 1000).unref();
}
