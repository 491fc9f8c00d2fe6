import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { useTheme, useWidth } from './canvas-hooks.ts';
import { axisTime } from './format.ts';

export interface ChartProps {
  readonly title: string;
  /** A summary beside the title, and the description for screen readers. */
  readonly text: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  /** Drawn in red over the others; absent: there are none. */
  readonly errors?: readonly (number | null)[];
  readonly format: (value: number) => string;
  readonly fromMs: number;
  readonly toMs: number;
}

const height = 130;
const optionsOf = (
  element: Element,
  { format, errors }: Pick<ChartProps, 'format' | 'errors'>,
  timeOf: (seconds: number) => string,
  onCursor: (index: number | null) => void,
): Omit<uPlot.Options, 'width'> => {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour('quiet'),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  const { stepped } = uPlot.paths;
  const paths = stepped ? { paths: stepped({ align: 1 }) } : {};
  return {
    height,
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: 'time' }, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      { ...axis, values: (_, splits) => splits.map(timeOf), size: 28, space: timeOf(0).length > 5 ? 96 : 64 },
      { ...axis, values: (_, splits) => splits.map(format), size: 58, space: 34 },
    ],
    series: [
      {},
      { stroke: colour('load'), fill: colour('cell'), width: 1.5, points: { show: false }, ...paths },
      ...(errors
        ? [{ stroke: colour('bad'), fill: colour('bad'), width: 1.5, points: { show: false }, ...paths }]
        : []),
    ],
    hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
  };
};

/** A series over time. Charts of one view share the cursor. */
export const Chart = (props: ChartProps) => {
  const { title, text, times, values, errors, format, fromMs, toMs } = props;
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [at, setAt] = useState<number | null>(null);
  const width = useWidth(holder);
  const theme = useTheme();
  const hasErrors = errors !== undefined;
  const rangeMs = toMs - fromMs;
  const timeOf = (seconds: number): string => axisTime(seconds * 1_000, rangeMs);
  // The data is set below; the colours come from the theme.
  useEffect(() => {
    const element = holder.current;
    if (!element || width === 0) return undefined;
    const options = optionsOf(element, props, timeOf, setAt);
    const made = new uPlot({ ...options, width }, [[], [], ...(hasErrors ? [[]] : [])], element);
    plot.current = made;
    return () => made.destroy();
  }, [width > 0, theme, hasErrors, rangeMs]);
  useEffect(() => plot.current?.setSize({ width, height }), [width]);
  useEffect(() => {
    // No error draws nothing, not a line at zero.
    const data = [times, values, ...(errors ? [errors.map((count) => count || null)] : [])];
    plot.current?.setData(data as unknown as uPlot.AlignedData, false);
    plot.current?.setScale('x', { min: fromMs / 1000, max: toMs / 1000 });
  });
  const [time, value, error] = at === null ? [] : [times[at], values[at], errors?.[at]];
  const pointed =
    time === undefined
      ? text
      : `${timeOf(time)}: ${value === null || value === undefined ? 'none' : format(value)}${error ? `, ${format(error)} failed` : ''}`;
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b> {pointed}
      </figcaption>
      <div ref={holder} role="img" aria-label={`${title}: ${text}`} />
    </figure>
  );
};
