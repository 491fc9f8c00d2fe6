const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a line that a program of ours wrote; undefined for any other line. */
export const parseLogLine = (line: string): Readonly<Record<string, unknown>> | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const valueText = (value: unknown): string => {
  if (typeof value === 'string') return /[\s"=]/.test(value) || value === '' ? JSON.stringify(value) : value;
  // Of an error, show code and message; the stack trace is in the JSON output.
  if (isRecord(value) && typeof value['message'] === 'string')
    return JSON.stringify([value['code'], value['message']].filter((part) => part !== undefined).join(': '));
  return JSON.stringify(value);
};

/** `key=value` for each field. */
export const fieldTexts = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(fields).map(([key, value]) => `${key}=${valueText(value)}`);

/** Converts a JSON line to `2026-01-01T00:00:00.000Z WARN  message key=value`; other lines stay unchanged. */
export const readableLine = (line: string): string => {
  const entry = parseLogLine(line);
  if (!entry || typeof entry['msg'] !== 'string') return line;
  const { level, time, msg, app: _app, name: _name, ...rest } = entry;
  return [
    String(time ?? ''),
    String(level ?? '')
      .toUpperCase()
      .padEnd(5),
    msg,
    ...fieldTexts(rest),
  ]
    .join(' ')
    .trim();
};
