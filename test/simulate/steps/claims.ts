import { type PersistentVolumeClaim, persistentVolumeClaims, persistentVolumes } from '@vdo/kube/types/core';
import { classes } from '../set-up-cluster.ts';
import type { WishedClaim } from '../truth.ts';
import { type Happening, pick, type StepContext, upTo } from './step.ts';

const namespace = 'default';
const most = 8;
const request = (sizeGi: number) => ({ resources: { requests: { storage: `${sizeGi}Gi` } } });

interface Wanted {
  readonly sizeGi: number;
  readonly className: string;
  readonly name?: string;
  readonly source?: { readonly kind: string; readonly name: string };
  readonly shared?: true;
}

const makeClaim = async ({ world, truth }: StepContext, wanted: Wanted): Promise<string | undefined> => {
  if (truth.claims().length >= most) return undefined;
  const { sizeGi, className, source, shared, name = truth.named('claim') } = wanted;
  const apiGroup = source?.kind === 'VolumeSnapshot' ? { apiGroup: 'snapshot.storage.k8s.io' } : {};
  const { metadata } = await world.client.create<PersistentVolumeClaim>(persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace },
    spec: {
      accessModes: [shared ? 'ReadWriteMany' : 'ReadWriteOnce'],
      storageClassName: className,
      ...request(sizeGi),
      ...(source ? { dataSource: { ...source, ...apiGroup } } : {}),
    },
  });
  truth.all.claims.push({
    name,
    uid: metadata.uid ?? '',
    sizeGi,
    ...(source ? { from: source.name } : {}),
    ...(shared ? { shared } : {}),
  });
  return `${name} of ${sizeGi} Gi, class ${className}${source ? `, from ${source.name}` : ''}${shared ? ', shared' : ''}`;
};

const classOf = (die: number): string => (die < 0.35 ? classes.Retain : classes.Delete);

export const create: Happening = (context) => {
  const [size, policy] = context.dice;
  return makeClaim(context, { sizeGi: upTo(3, size), className: classOf(policy) });
};

export const share: Happening = (context) => {
  const [size, policy] = context.dice;
  return makeClaim(context, { sizeGi: upTo(3, size), className: classOf(policy), shared: true });
};

/** Disks: of shares there are neither copies nor snapshots, and they do not grow. */
const bound = ({ truth }: StepContext): readonly WishedClaim[] =>
  truth.claims().filter((claim) => !claim.shared && truth.volumeOf(claim) !== undefined);

export const clone: Happening = (context) => {
  const [which, more, policy] = context.dice;
  const source = pick(bound(context), which);
  if (!source) return undefined;
  return makeClaim(context, {
    sizeGi: source.sizeGi + upTo(2, more) - 1,
    className: classOf(policy),
    source: { kind: 'PersistentVolumeClaim', name: source.name },
  });
};

export const restore: Happening = (context) => {
  const [which, policy] = context.dice;
  const source = pick(context.truth.snapshots(), which);
  if (!source) return undefined;
  return makeClaim(context, {
    sizeGi: source.sizeGi,
    className: classOf(policy),
    source: { kind: 'VolumeSnapshot', name: source.name },
  });
};

/** CNS does not let a disk with snapshots grow, and a copy must not be smaller than its original. */
export const grow: Happening = async (context) => {
  const { world, truth, dice } = context;
  const free = bound(context).filter((one) => truth.snapshotsOf(one).length === 0 && !truth.isNeeded(one.name));
  const claim = pick(free, dice[0]);
  if (!claim) return undefined;
  claim.sizeGi += 1;
  const body = { spec: request(claim.sizeGi) };
  await world.client.patch(persistentVolumeClaims, { namespace, name: claim.name }, { type: 'merge', body });
  return `${claim.name} grows to ${claim.sizeGi} Gi`;
};

export const deleteClaimNow = async ({ world, truth }: Pick<StepContext, 'world' | 'truth'>, claim: WishedClaim) => {
  claim.deleted = true;
  for (const volume of world.list(persistentVolumes))
    if (volume.spec.claimRef?.uid === claim.uid)
      truth.decide(volume, volume.spec.persistentVolumeReclaimPolicy === 'Retain' ? 'kept' : 'may go');
  await world.client.delete(persistentVolumeClaims, { namespace, name: claim.name });
};

const free = ({ truth, dice }: StepContext): WishedClaim | undefined =>
  pick(
    truth.claims().filter(({ name }) => !truth.isNeeded(name)),
    dice[0],
  );

export const deleteClaim: Happening = async (context) => {
  const claim = free(context);
  if (!claim) return undefined;
  await deleteClaimNow(context, claim);
  return `${claim.name} is deleted`;
};

/** The name is used again at once. */
export const replaceClaim: Happening = async (context) => {
  const { world, dice } = context;
  const claim = free(context);
  if (!claim) return undefined;
  await deleteClaimNow(context, claim);
  // The finalizer goes within milliseconds.
  await world.clock.advance(50);
  if (await world.client.find(persistentVolumeClaims, { namespace, name: claim.name }))
    return `${claim.name} is deleted`;
  const made = await makeClaim(context, { sizeGi: upTo(3, dice[1]), className: classOf(dice[2]), name: claim.name });
  return `${claim.name} is deleted and made again: ${made ?? 'not'}`;
};
