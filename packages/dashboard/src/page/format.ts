const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export const size = (bytes: number): string => {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${units[unit]}`;
};

export const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
};

/** A note as a sentence. Notes also follow a name; names keep their case. */
export const sentence = (text: string): string => {
  const startsNote = /^(the|not|no|being|cannot|little|released|waiting) /.test(text);
  const capital = startsNote ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
  return text === '' || /[.!?]$/.test(text) ? capital : `${capital}.`;
};

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const clockTime = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB');

const dayMs = 86_400_000;

/** A point in time: to the second, or with its day if it was more than 20 hours ago. */
export const momentTime = (ms: number, nowMs: number): string => {
  if (nowMs - ms < dayMs * (20 / 24)) return clockTime(ms);
  const date = new Date(ms);
  const day = date.toLocaleDateString(
    'en-GB',
    nowMs - ms < 6 * dayMs ? { weekday: 'short' } : { day: 'numeric', month: 'short' },
  );
  return `${day} ${clockTime(ms).slice(0, 5)}`;
};

/** The day and the time, such as `Sun 1 Mar, 12:00`. */
export const dayTime = (ms: number): string => {
  const day = new Date(ms).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
  return `${day.replace(',', '')}, ${clockTime(ms).slice(0, 5)}`;
};

/** Hours and minutes; with the weekday on an axis of more than two days. */
export const axisTime = (ms: number, rangeMs: number): string => {
  const time = clockTime(ms).slice(0, 5);
  return rangeMs > 172_800_000 ? `${new Date(ms).toLocaleDateString('en-GB', { weekday: 'short' })} ${time}` : time;
};
