import type { Health, HealthWord } from '@vdo/config/api/health';
import { wrap } from '../cli/wrap.ts';
import type { Colour, Paint } from './style.ts';

const colours: Readonly<Record<HealthWord, Colour>> = {
  Healthy: 'green',
  Attention: 'yellow',
  Progressing: 'cyan',
  Degraded: 'yellow',
  Unavailable: 'red',
  ActionRequired: 'red',
  Removing: 'cyan',
  Absent: 'yellow',
};

/** The first lines of every view: the health, the server, and the reason. */
export const headlineLines = (
  { word, reason }: Health,
  { about, paint, width }: { readonly about: string; readonly paint: Paint; readonly width: number },
): readonly string[] => [
  `${paint('bold', paint(colours[word], word))}  ${about}`,
  ...(reason === '' ? [] : wrap(reason, { width, indent: '  ' })),
];
