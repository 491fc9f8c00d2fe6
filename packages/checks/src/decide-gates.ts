import { type Action, actionLadder, type CheckOutcome, remedyLine } from './check.ts';
import { worstFirst } from './summarize.ts';

/** A decision with its reason, ready to become a condition. */
export interface GateVerdict {
  /** The reason of the worst outcome; `AsExpected` if there is none. */
  readonly reason: string;
  readonly message: string;
}

export interface Gates {
  /** What prevents the first installation, worst first. Empty if drivers run: they are reconciled whatever fails. */
  readonly installBlockers: readonly CheckOutcome[];
  /** `Unknown` if a vCenter could not be asked before anything was installed. */
  readonly upgradeable: GateVerdict & { readonly status: 'True' | 'False' | 'Unknown' };
  /** Whether a check fails without which the drivers do not work. */
  readonly degraded: GateVerdict & { readonly status: 'True' | 'False' };
  /** Whether any check fails. */
  readonly failing: GateVerdict & { readonly status: 'True' | 'False' };
}

const atLeast = (action: Action, step: Action): boolean => actionLadder.indexOf(action) >= actionLadder.indexOf(step);

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const summarize = (outcomes: readonly CheckOutcome[]): GateVerdict => {
  const [worst, ...others] = outcomes;
  if (!worst) return { reason: 'AsExpected', message: 'No check fails.' };
  const more = others.length === 0 ? '' : ` (${others.length} more: vdoctl status)`;
  const object = `${worst.object.kind} ${worst.object.name}`;
  return {
    reason: worst.reason,
    // A command is copied as it stands, so that nothing may follow it.
    message: `${worst.id}, ${object}${more}: ${sentence(worst.message)} ${remedyLine(worst)}`,
  };
};

/** A vCenter that cannot be reached or rejects the login. */
const isConnectionFailure = ({ id, result, action }: CheckOutcome): boolean =>
  result === 'Fail' && atLeast(action, 'BlockUpgradeOrDegrade') && /^vcenter\/|^credentials\/login$/.test(id);

/** What the operator may do, given what failed. `installed`: a driver runs already. */
export const decideGates = (outcomes: readonly CheckOutcome[], installed: boolean): Gates => {
  const failed = outcomes.filter(({ action }) => action !== 'None').sort(worstFirst);
  const from = (step: Action) => failed.filter(({ action }) => atLeast(action, step));
  const status = failed.length === 0 ? 'True' : !installed && failed.some(isConnectionFailure) ? 'Unknown' : 'False';
  const degrading = from(installed ? 'BlockUpgradeOrDegrade' : 'Degrade');
  const failing = outcomes.filter(({ result }) => result === 'Fail').sort(worstFirst);
  return {
    installBlockers: installed ? [] : from('BlockInstall'),
    upgradeable: { status, ...summarize(failed) },
    degraded: { status: degrading.length > 0 ? 'True' : 'False', ...summarize(degrading) },
    failing: { status: failing.length > 0 ? 'True' : 'False', ...summarize(failing) },
  };
};
