import { VdoError } from '@vdo/base/vdo-error';
import type { Broken, Fault } from './fault.ts';
import { describeFault, faultNames } from './fault-catalogue.ts';

export interface ActiveFault {
  readonly name: string;
  readonly reported: string;
}

/** The active faults, and how to remove them. */
export interface FaultBoard {
  active(): readonly ActiveFault[];
  break(name: string): Promise<ActiveFault>;
  /** Removes one fault, or all; returns the removed ones. */
  heal(name?: string): Promise<readonly ActiveFault[]>;
}

const refuse = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message, remedy });

/** `afterwards` is called after each change, so that a watching user need not wait for the next reconciliation. */
export const createFaultBoard = (
  faults: Readonly<Record<string, Fault>>,
  afterwards: () => Promise<void>,
): FaultBoard => {
  const broken = new Map<string, Broken>();
  const active = () => [...broken].map(([name, { reported }]) => ({ name, reported }));
  // One change at a time: two parallel changes could undo each other halfway.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(step: () => Promise<T>): Promise<T> => {
    const result = turn.then(step);
    turn = result.catch(() => undefined);
    return result;
  };

  return {
    active,
    break: (name) =>
      inTurn(async () => {
        const fault = faults[name];
        const description = describeFault(name);
        if (!fault && description?.vcenter)
          throw refuse(
            `${name} needs the simulated vCenter, but this sandbox uses an external one`,
            'To use this fault, start the sandbox without --vcenter.',
          );
        if (!fault && description)
          throw refuse(
            `${name} needs nodes that the sandbox runs itself, but this sandbox uses an external cluster`,
            'To use this fault, start the sandbox without --kubeconfig.',
          );
        if (!fault) throw refuse(`unknown fault: ${name}`, `Choose one of: ${faultNames.join(', ')}.`);
        const known = broken.get(name);
        if (known) return { name, reported: known.reported };
        const done = await fault();
        if (done.heal) broken.set(name, done);
        await afterwards();
        return { name, reported: done.reported };
      }),
    heal: (name) =>
      inTurn(async () => {
        if (name !== undefined && !describeFault(name))
          throw refuse(`unknown fault: ${name}`, `Choose one of: ${faultNames.join(', ')}.`);
        const chosen = active().filter((fault) => name === undefined || fault.name === name);
        const healed: ActiveFault[] = [];
        let failure: unknown;
        // The last fault first: it may have removed what an earlier one changed. A failure does not stop the others.
        for (const fault of chosen.toReversed()) {
          try {
            await broken.get(fault.name)?.heal?.();
            broken.delete(fault.name);
            healed.unshift(fault);
          } catch (error) {
            failure ??= error;
          }
        }
        if (healed.length > 0) await afterwards();
        if (failure !== undefined) throw failure;
        return healed;
      }),
  };
};
