import type { CnsClient } from '@vdo/vsphere/cns/cns-client';
import type { Outcome } from '@vdo/vsphere/cns/cns-types';
import type { FullVCenter } from '@vdo/vsphere/create-vcenter';
import { type DestructiveCalls, destructive } from '@vdo/vsphere/destructive/destructive-calls';
import { type Cell, errorOf } from './cells.ts';

export type Operation = keyof Pick<
  CnsClient & DestructiveCalls,
  | 'createBlockVolume'
  | 'createFileVolume'
  | 'deleteVolume'
  | 'attach'
  | 'detach'
  | 'extend'
  | 'createSnapshot'
  | 'createFromSnapshot'
  | 'deleteSnapshot'
  | 'changePolicy'
  | 'grantAccess'
  | 'removeAccess'
  | 'updateMetadata'
>;

/**
 * A client of vCenter whose calls fail as they are told to: each once, by the operation and what it is about. One that lies says
 * instead that it has done them.
 */
export const createFaultyVCenter = ({ lies = false }: { readonly lies?: boolean } = {}) => {
  const armed = new Map<string, Cell>();
  const take = (operation: Operation, subject: string): Cell | undefined => {
    const cell = armed.get(`${operation} ${subject}`);
    armed.delete(`${operation} ${subject}`);
    return cell;
  };
  /** One call about one thing. */
  const single = async <R>(operation: Operation, subject: string, call: () => Promise<R>): Promise<R> => {
    const cell = take(operation, subject);
    if (cell && lies) return true as R;
    if (cell?.when === 'before') throw errorOf(cell);
    const result = await call();
    if (cell) throw errorOf(cell);
    return result;
  };
  /** One call about several things, of which each has its own outcome. */
  const several = async <I, R>(
    operation: Operation,
    items: readonly I[],
    {
      subjectOf,
      call,
    }: { subjectOf: (item: I) => string; call: (items: readonly I[]) => Promise<readonly Outcome<R>[]> },
  ): Promise<readonly Outcome<R>[]> => {
    const taken = items.map((item) => take(operation, subjectOf(item)));
    const sent = items.filter((_, index) => taken[index]?.when !== 'before');
    const outcomes = sent.length === 0 ? [] : [...(await call(sent))];
    return items.map((item, index) => {
      const cell = taken[index];
      if (cell && lies) return { ok: true, value: '' as R };
      const outcome = cell?.when === 'before' ? undefined : outcomes[sent.indexOf(item)];
      return cell || !outcome ? { ok: false, error: errorOf(cell as Cell) } : outcome;
    });
  };
  const throughDestructive = (calls: DestructiveCalls): DestructiveCalls => ({
    ...calls,
    deleteVolume: (id, options) => single('deleteVolume', id, () => calls.deleteVolume(id, options)),
    detach: (all, options) =>
      several('detach', all, { subjectOf: ({ volumeId }) => volumeId, call: (items) => calls.detach(items, options) }),
    deleteSnapshot: (one, options) => single('deleteSnapshot', one.volumeId, () => calls.deleteSnapshot(one, options)),
    removeAccess: (id, permissions, options) =>
      single('removeAccess', id, () => calls.removeAccess(id, permissions, options)),
  });
  const throughCns = (cns: CnsClient): CnsClient => ({
    ...cns,
    createBlockVolume: (spec, options) =>
      single('createBlockVolume', spec.name, () => cns.createBlockVolume(spec, options)),
    createFileVolume: (spec, options) =>
      single('createFileVolume', spec.name, () => cns.createFileVolume(spec, options)),
    attach: (all, options) =>
      several('attach', all, { subjectOf: ({ volumeId }) => volumeId, call: (items) => cns.attach(items, options) }),
    extend: (id, size, options) => single('extend', id, () => cns.extend(id, size, options)),
    createSnapshot: (id, name, options) => single('createSnapshot', id, () => cns.createSnapshot(id, name, options)),
    createFromSnapshot: (spec, options) =>
      single('createFromSnapshot', spec.source.volumeId, () => cns.createFromSnapshot(spec, options)),
    changePolicy: (id, policy, options) => single('changePolicy', id, () => cns.changePolicy(id, policy, options)),
    grantAccess: (id, permissions, options) =>
      single('grantAccess', id, () => cns.grantAccess(id, permissions, options)),
    updateMetadata: (all, options) =>
      several('updateMetadata', all, {
        subjectOf: ({ volumeId }) => volumeId,
        call: (items) => cns.updateMetadata(items, options),
      }),
  });
  return {
    /** The next such call about this ends so. */
    arm: (operation: Operation, subject: string, cell: Cell) => void armed.set(`${operation} ${subject}`, cell),
    /** What is armed and was not called. */
    unmet: (): readonly string[] => [...armed.keys()],
    through: (vcenter: FullVCenter): FullVCenter => {
      const lasting = throughDestructive(vcenter[destructive]);
      return { ...vcenter, cns: throughCns(vcenter.cns), [destructive]: lasting };
    },
  };
};
