import * as faults from './faults.ts';
import type { OperatorHappening } from './step.ts';
import * as surroundings from './surroundings.ts';
import * as users from './users.ts';

interface OperatorStep {
  /** How often it happens, compared with the rest. */
  readonly weight: number;
  readonly happen: OperatorHappening;
  /** So long nothing else happens: what the status says of it is judged after minutes only. */
  readonly quietMs?: number;
}

/** Everything that happens. `linger`: nothing happens, for half an hour. */
export const operatorSteps: Readonly<Record<string, OperatorStep>> = {
  upgrade: { weight: 3, happen: users.upgrade },
  'upgrade to a broken release': { weight: 2, happen: users.badUpgrade },
  'bad matrix': { weight: 1, happen: users.badMatrix },
  'old matrix': { weight: 1, happen: users.oldMatrix },
  'no matrix': { weight: 1, happen: users.noMatrix },
  rotation: { weight: 2, happen: users.rotation },
  'wrong password': { weight: 1, happen: users.wrongPassword },
  drift: { weight: 2, happen: users.drift },
  fight: { weight: 1, happen: users.fight },
  'another spec': { weight: 2, happen: users.anotherSpec },
  'switch the distribution': { weight: 2, happen: users.switchDistribution },
  uninstall: { weight: 1, happen: users.uninstall },
  install: { weight: 3, happen: users.install },
  'a node falls silent or comes back': { weight: 1, happen: users.silentNode },
  'a node comes or goes': { weight: 2, happen: surroundings.nodeComesOrGoes },
  'a volume comes or goes': { weight: 2, happen: surroundings.volumeComesOrGoes },
  'a slow vCenter': { weight: 2, happen: surroundings.slowVCenter },
  'the password is changed at vCenter alone': { weight: 1, happen: surroundings.passwordChangedAtVCenter },
  'the Secret goes': { weight: 1, happen: surroundings.secretGoes },
  'the Lease goes': { weight: 1, happen: surroundings.leaseGoes },
  'the status is overwritten': { weight: 1, happen: surroundings.statusOverwritten },
  'the definition goes': { weight: 1, happen: surroundings.definitionGoes },
  'what runs fails': { weight: 3, happen: surroundings.whatRunsFails, quietMs: 420_000 },
  'a right is missing': { weight: 2, happen: faults.noRight },
  'API fault': { weight: 6, happen: faults.kubeFault },
  'stale reads': { weight: 1, happen: faults.staleReads },
  'API server restarts': { weight: 1, happen: faults.restartServer },
  'back up': { weight: 1, happen: faults.backUp },
  restore: { weight: 1, happen: faults.restore },
  'kill an operator': { weight: 2, happen: faults.killOperator },
  'pause an operator': { weight: 2, happen: faults.pauseOperator },
  'cut an operator off': { weight: 1, happen: faults.cutOff },
  'no Lease': { weight: 2, happen: faults.noLease },
  'hung watches': { weight: 2, happen: faults.hangWatches },
  'vCenter away': { weight: 2, happen: faults.vcenterAway },
  'set a clock': { weight: 1, happen: faults.setClock },
  'lose a note': { weight: 2, happen: faults.loseNote },
  'spoil a note': { weight: 1, happen: faults.spoilNote },
  'old note': { weight: 1, happen: faults.oldNote },
  linger: { weight: 2, happen: () => 'nothing happens for half an hour' },
};
