import { names, upstreamNames } from '@vdo/config/names';
import { readDriverConfig } from '@vdo/config/read-driver-config';
import type { AnyObject } from '@vdo/kube/types/object';
import type { StoreEvent } from '@vdo/kube-sim/store/store';
import { upstreamObjects } from '@vdo/releases/render/upstream/objects';
import type { Life } from '../life.ts';
import { isForeign } from '../objects-of-others.ts';

const server = 'vc.example.com';
const textsOf = (object: AnyObject, decode: (value: string) => string): readonly string[] =>
  Object.values((object['data'] ?? {}) as Readonly<Record<string, string>>).map(decode);
const fromBase64 = (value: string): string => Buffer.from(value, 'base64').toString();
const driverSecrets: ReadonlySet<string> = new Set([
  names.credentialsSecret,
  upstreamNames.cpiSecret,
  upstreamNames.csiConfigSecret,
]);
const driverConfigs: ReadonlySet<string> = new Set([names.configMap, upstreamObjects.cpiConfig]);
const passwords = /obviously-fake[\w-]*|never-accepted/g;

const isWhole = (text: string): boolean => {
  try {
    return readDriverConfig(text, { unknownKeys: 'warn' }).config.vcenters.some((one) => one.server === server);
  } catch {
    return false;
  }
};

const judgeSecret = (object: AnyObject, { proofs }: Life): readonly string[] => {
  const texts = textsOf(object, fromBase64);
  const name = `${object.metadata.namespace}/${object.metadata.name}`;
  if (texts.length === 0 || texts.some((text) => text.trim() === '')) return [`empty credentials: ${name}`];
  const found = texts.flatMap((text) => text.match(passwords) ?? []);
  const half = object.metadata.name === upstreamNames.csiConfigSecret && !texts.every(isWhole);
  return [
    ...(half ? [`half a configuration: ${name}`] : []),
    ...(found.length === 0 ? [`credentials without a password: ${name}`] : []),
    ...found
      .filter((password) => !proofs.isProven(password))
      .map((password) => `unproven credentials: ${name} holds ${password}`),
  ];
};

const judgeConfig = (object: AnyObject): readonly string[] => {
  const texts = textsOf(object, (value) => value);
  return texts.length > 0 && texts.every(isWhole) ? [] : [`half a configuration: ConfigMap ${object.metadata.name}`];
};

const judge = ({ type, bucket, object }: StoreEvent, life: Life): readonly string[] => {
  const { name = '', deletionTimestamp } = object.metadata;
  if (isForeign(object)) return [`foreign object ${type === 'DELETED' ? 'pruned' : 'changed'}: ${bucket} ${name}`];
  if (type === 'DELETED' || deletionTimestamp) return [];
  if (bucket === '/secrets' && driverSecrets.has(name)) return judgeSecret(object, life);
  if (bucket === '/configmaps' && driverConfigs.has(name)) return judgeConfig(object);
  return [];
};

/** Judges what is there, every object as it is written, and every deletion. To be opened anew after a restore, which is another store. */
export const watchWrites = (life: Life): { readonly violations: readonly string[]; readonly open: () => void } => {
  const violations: string[] = [];
  const open = () => {
    const { store } = life.story.kubeSimNow();
    for (const bucket of ['/secrets', '/configmaps'])
      for (const object of store.list(bucket))
        if (!isForeign(object))
          violations.push(...judge({ type: 'ADDED', revision: store.revision(), bucket, object }, life));
    store.onChange((event) => void violations.push(...judge(event, life)));
  };
  open();
  return { violations, open };
};
