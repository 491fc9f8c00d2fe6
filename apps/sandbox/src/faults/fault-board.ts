import { VdoError } from '@vdo/base/vdo-error';
import type { Broken, Fault } from './fault.ts';
import { describeFault, faultNames } from './fault-catalogue.ts';

export interface ActiveFault {
  readonly name: string;
  readonly reported: string;
}

/** What is broken now, and how it is undone. */
export interface FaultBoard {
  active(): readonly ActiveFault[];
  break(name: string): Promise<ActiveFault>;
  /** Heals one, or all; returns those that were healed. */
  heal(name?: string): Promise<readonly ActiveFault[]>;
}

const refuse = (message: string, remedy: string): VdoError =>
  new VdoError({ code: 'InvalidArgument', message, remedy });

/** `afterwards` is called after each change: who watches should not have to wait for the next look. */
export const createFaultBoard = (
  faults: Readonly<Record<string, Fault>>,
  afterwards: () => Promise<void>,
): FaultBoard => {
  const broken = new Map<string, Broken>();
  const active = () => [...broken].map(([name, { reported }]) => ({ name, reported }));
  // One change after the other: two that overlap could undo each other halfway.
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
            `${name} needs the simulated vCenter, and this sandbox works with one that is not its own`,
            'Start the sandbox without --vcenter to play it.',
          );
        if (!fault && description)
          throw refuse(
            `${name} needs nodes that the sandbox runs itself, and those of this cluster are not its own`,
            'Start the sandbox without --kubeconfig to play it.',
          );
        if (!fault) throw refuse(`there is no fault ${name}`, `Choose one of: ${faultNames.join(', ')}.`);
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
          throw refuse(`there is no fault ${name}`, `Choose one of: ${faultNames.join(', ')}.`);
        const chosen = active().filter((fault) => name === undefined || fault.name === name);
        const healed: ActiveFault[] = [];
        let failure: unknown;
        // The last one first: it may have taken away what an earlier one struck. One that fails keeps no other from healing.
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
