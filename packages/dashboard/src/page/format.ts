const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export const size = (bytes: number): string => {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
};

export const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
};

/** Notes of ours stand after a name as well; at the beginning they are sentences. Names keep their letters. */
export const sentence = (text: string): string => {
  const begun = /^(the|not|no|being|cannot|little|released) /.test(text);
  const capital = begun ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
  return text === '' || /[.!?]$/.test(text) ? capital : `${capital}.`;
};

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const clockTime = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB');

const dayMs = 86_400_000;

/** When something was: to the second today, with its day if that was not in the last 20 hours. */
export const momentTime = (ms: number, nowMs: number): string => {
  if (nowMs - ms < dayMs * (20 / 24)) return clockTime(ms);
  const date = new Date(ms);
  const day = date.toLocaleDateString(
    'en-GB',
    nowMs - ms < 6 * dayMs ? { weekday: 'short' } : { day: 'numeric', month: 'short' },
  );
  return `${day} ${clockTime(ms).slice(0, 5)}`;
};

/** Hours and minutes, and the day where the time at hand is longer than two. */
export const axisTime = (ms: number, rangeMs: number): string => {
  const time = clockTime(ms).slice(0, 5);
  return rangeMs > 172_800_000 ? `${new Date(ms).toLocaleDateString('en-GB', { weekday: 'short' })} ${time}` : time;
};
