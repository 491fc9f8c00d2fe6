import { type Account, findAccount } from '@vdo/config/credentials';
import { secrets } from '@vdo/kube/types/core';
import { accountKeys, writeSecret } from '../../../shared/vsphere/store-password.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import type { Before } from './record.ts';
import type { Scene } from './scene.ts';
import type { Step } from './step.ts';

/** An account that the drivers need: the Secret, the vCenter, and the credentials if they are known. */
export interface WantedAccount {
  readonly secretName: string;
  readonly server: string;
  readonly account: Account | undefined;
  /** Where the accounts come from, such as `the file`. */
  readonly source: string;
}

/** `Secret/key`, as the record lists what existed before. */
const keysOf = (accounts: ClusterFacts['accounts']): readonly string[] =>
  [...accounts].flatMap(([secret, data]) => [`${secret}/`, ...Object.keys(data).map((key) => `${secret}/${key}`)]);

export const accountKeysOf = (facts: ClusterFacts): string[] => [...keysOf(facts.accounts)];

/** The keys of the account that were not in the Secret before. */
const addedKeys = (
  { secretName, server }: WantedAccount,
  data: Readonly<Record<string, string>>,
  before: readonly string[],
): readonly string[] =>
  accountKeys(data, server).filter((key) => key in data && !before.includes(`${secretName}/${key}`));

/** Removes the account from the Secret, and deletes the Secret if it did not exist before and is empty. */
const withdraw = async (
  { kube, namespace, signal }: Scene,
  name: string,
  data: Readonly<Record<string, string>>,
  { added, before }: { readonly added: readonly string[]; readonly before: readonly string[] },
): Promise<void> => {
  if (!before.includes(`${name}/`) && Object.keys(data).every((key) => added.includes(key))) {
    await kube.delete(secrets, { namespace, name }, { signal });
    return;
  }
  const body = { data: Object.fromEntries(added.map((key) => [key, null])) };
  await kube.patch(secrets, { namespace, name }, { type: 'merge', body }, { signal });
};

const hasAccount = (facts: ClusterFacts, { secretName, server }: WantedAccount): boolean =>
  findAccount(facts.accounts.get(secretName) ?? {}, server).account !== undefined;

export const accountSteps = (
  scene: Scene,
  facts: ClusterFacts,
  wanted: readonly WantedAccount[],
  before: Before | undefined,
): readonly Step[] =>
  wanted.map((one): Step => {
    const { secretName, server, account, source } = one;
    const { kube, namespace, signal } = scene;
    const isDone = hasAccount(facts, one);
    const isYours = account === undefined && !isDone;
    const data = facts.accounts.get(secretName);
    const kept = before?.secretKeys ?? [];
    const added = addedKeys(one, data ?? {}, kept);
    return {
      id: `account-${secretName}-${server}`,
      where: namespace,
      forward: {
        what: `store the account of vCenter ${server} in Secret ${secretName}${isYours ? ` (not found in ${source})` : ''}`,
        who: isYours ? 'you' : 'vdoctl',
        isDone,
        ...(account
          ? { perform: () => writeSecret({ kube, namespace, name: secretName, server, signal }, account) }
          : {}),
        commands: isYours
          ? [
              data === undefined
                ? `kubectl -n ${namespace} create secret generic ${secretName} --from-literal=${server}.username=USER@DOMAIN --from-file=${server}.password=FILE`
                : `kubectl -n ${namespace} edit secret ${secretName}`,
            ]
          : [],
      },
      back: {
        what: `remove the account of vCenter ${server} from Secret ${secretName}`,
        who: 'vdoctl',
        isDone: added.length === 0,
        perform: () => withdraw(scene, secretName, data ?? {}, { added, before: kept }),
      },
    };
  });
