import { parseDurationMs } from '@vdo/config/duration';
import { InvalidArgumentError } from 'commander';
import type { Labels } from '../decisions/node-labels.ts';

export const boolean = (text: string): boolean => {
  if (['true', 't', '1'].includes(text.toLowerCase())) return true;
  if (['false', 'f', '0'].includes(text.toLowerCase())) return false;
  throw new InvalidArgumentError('expected true or false');
};

export const numberBetween =
  (min: number, max: number, options: { readonly whole: boolean }) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && value >= min && value <= max && (!options.whole || Number.isInteger(value))) return value;
    throw new InvalidArgumentError(`expected a ${options.whole ? 'whole ' : ''}number from ${min} to ${max}`);
  };

export const durationMs = (text: string): number => {
  const value = parseDurationMs(text);
  if (value !== undefined && value > 0) return value;
  throw new InvalidArgumentError('expected a duration such as 15s or 1m30s');
};

/** klog's levels: 0 and 1 are quiet, 4 and above log everything. */
export const verbosity = (text: string): number => numberBetween(0, 10, { whole: true })(text.replace(/^=/, ''));

const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefix = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

const isLabelKey = (key: string): boolean => {
  const [first = '', second, ...rest] = key.split('/');
  return second === undefined ? name.test(first) : prefix.test(first) && name.test(second) && rest.length === 0;
};

/** `team=a,rack=` as pflag parses it; the flag can be repeated. */
export const labels = (text: string, previous: Labels): Labels => {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const added = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    const [key, value] = at < 0 ? [pair, undefined] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (value === undefined) throw new InvalidArgumentError(`expected key=value, found ${JSON.stringify(pair)}`);
    if (!isLabelKey(key)) throw new InvalidArgumentError(`${JSON.stringify(key)} is not a label key`);
    if (value !== '' && !name.test(value))
      throw new InvalidArgumentError(`${JSON.stringify(value)} is not a label value`);
    return [key, value];
  });
  return { ...previous, ...Object.fromEntries(added) };
};

export interface EnabledControllers {
  readonly cloudNode: boolean;
  readonly cloudNodeLifecycle: boolean;
}

const known: Readonly<Record<string, keyof EnabledControllers>> = {
  'cloud-node': 'cloudNode',
  'cloud-node-controller': 'cloudNode',
  'cloud-node-lifecycle': 'cloudNodeLifecycle',
  'cloud-node-lifecycle-controller': 'cloudNodeLifecycle',
};
const notProvided = ['service', 'service-lb-controller', 'route', 'node-route-controller', 'node-ipam-controller'];

/** `*` enables all, `x` one, `-x` disables one, in any order, as in every Kubernetes controller manager. */
export const controllers = (text: string): EnabledControllers => {
  const items = text.split(',').map((item) => item.trim());
  const named = items.filter((item) => item !== '*' && item !== '');
  for (const item of named) {
    const bare = item.replace(/^-/, '');
    if (known[bare] === undefined && !(notProvided.includes(bare) && item.startsWith('-')))
      throw new InvalidArgumentError(
        notProvided.includes(bare)
          ? `${bare} is not part of this program`
          : `there is no controller ${JSON.stringify(bare)}; the controllers are cloud-node and cloud-node-lifecycle`,
      );
  }
  const enabled = (controller: keyof EnabledControllers): boolean => {
    const spoken = named.filter((item) => known[item.replace(/^-/, '')] === controller);
    if (spoken.some((item) => !item.startsWith('-'))) return true;
    return spoken.length === 0 && items.includes('*');
  };
  return { cloudNode: enabled('cloudNode'), cloudNodeLifecycle: enabled('cloudNodeLifecycle') };
};
