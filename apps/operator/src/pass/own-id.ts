import type { VdoError } from '@vdo/base/vdo-error';
import { ofDriver } from '../decisions/drivers.ts';
import { foreignVolumesAnnotation, judgeOwnId } from '../decisions/own-id.ts';
import { readRegisteredVolumes } from '../gather/registered-ids.ts';
import type { Call, PassDeps } from './deps.ts';
import type { Survey } from './survey.ts';

/**
 * Throws before a first installation with a cluster ID that differs from that of the volumes, as after the records were lost with their namespace. For a
 * running driver with such an ID the error is returned: it continues with the volumes it has created since.
 */
export const requireOwnId = async (
  deps: PassDeps,
  { resource, spec, running, history, clients, vcenters, clusterIds }: Survey,
  { signal }: Call,
): Promise<VdoError | undefined> => {
  if (!spec.csi || resource.metadata.annotations?.[foreignVolumesAnnotation] === 'true') return undefined;
  const { kube, namespace } = deps;
  const kept = await clusterIds();
  const made = kept.native ?? kept.upstream;
  const id = made ?? kept.given?.native ?? kept.given?.upstream ?? spec.csi.clusterId ?? kept.ofCluster;
  if (id === undefined || deps.ownId.isKnown(id)) return undefined;
  const isRunning = ofDriver(running, 'csi').length > 0 || history.csi?.good !== undefined;
  const isAway = vcenters.some(({ reachError, loginError }) => reachError ?? loginError);
  // A running driver need not wait for the answer.
  if (isRunning && isAway) return undefined;
  const registered = await readRegisteredVolumes(kube, clients, { signal });
  const noted = made === undefined ? {} : { noted: { namespace } };
  const name = resource.metadata.name ?? '';
  const wrong = judgeOwnId({ id, registered, isRunning, name, ...noted });
  if (!wrong) deps.ownId.remember(id);
  else if (!isRunning) throw wrong;
  return wrong;
};
