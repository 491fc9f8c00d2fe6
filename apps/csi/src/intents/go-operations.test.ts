import { openFence } from '@vdo/base/fence';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { FaultEffect } from '@vdo/vsphere-sim/fault-rules';
import { afterEach, describe, expect, it } from 'vitest';
import { createDomainTestbed, type DomainTestbed, leaseNamespace } from '../testing/domain-testbed.ts';
import { goOperations } from './go-operations.ts';

let testbed: DomainTestbed | undefined;
afterEach(async () => {
  await testbed?.close();
  testbed = undefined;
});

const cluster = { clusterId: 'cluster-a', vSphereUser: 'go', distribution: 'Vanilla' };

/** A cluster in which the Go driver asked vCenter for `pvc-1` and died. */
const takeOver = async (effect: FaultEffect, status: (task: string) => Record<string, unknown>) => {
  const opened = createDomainTestbed();
  testbed = opened;
  const { sim, clock, kube, run, vcenters } = opened;
  await opened.define(goOperations);
  await opened.namespace(leaseNamespace);
  sim.control.addFault({ method: 'CnsCreateVolume', times: 1, effect });
  let task: MoRef | undefined;
  const onTask = async (accepted: MoRef) => {
    task = accepted;
  };
  const spec = { name: 'pvc-1', capacityMb: 1024n, datastores: [], cluster };
  vcenters[0]?.cns.createBlockVolume(spec, { fence: openFence, onTask }).catch(() => {});
  await run(clock.advance(1_000));
  await kube.create(goOperations, {
    apiVersion: 'cns.vmware.com/v1alpha1',
    kind: 'CnsVolumeOperationRequest',
    metadata: { name: 'pvc-1', namespace: leaseNamespace },
    spec: { name: 'pvc-1' },
    status: status(task?.value ?? ''),
  });
  return opened;
};

const inProgress = (taskId: string) => ({
  latestOperationDetails: [
    { taskId: 'task-old', taskStatus: 'Failed', taskInvocationTimestamp: '2026-01-01T00:00:00Z' },
    { taskId, taskStatus: 'In Progress', taskInvocationTimestamp: '2026-01-01T00:01:00Z' },
  ],
});

describe('a volume that the Go driver left', () => {
  it('unfinished is awaited, not asked for again, and not taken for blank', async () => {
    const { create, sim } = await takeOver({ kind: 'task-latency', ms: 30_000 }, inProgress);
    expect(sim.volumes.list()).toEqual([]);
    const volume = await create('pvc-1');
    expect(sim.volumes.list().map(({ id }) => id)).toEqual([volume.volumeId]);
    expect(sim.recorder.count('CnsCreateVolume')).toBe(1);
    expect(volume.volumeContext).toEqual({ type: 'vSphere CNS Block Volume' });
  });

  it('finished is adopted by its name', async () => {
    const { create, sim } = await takeOver({ kind: 'latency', ms: 1 }, (taskId) => ({
      volumeID: 'known to Go',
      latestOperationDetails: [{ taskId, taskStatus: 'Successful' }],
    }));
    const volume = await create('pvc-1');
    expect(sim.volumes.list().map(({ id }) => id)).toEqual([volume.volumeId]);
    expect(sim.recorder.count('CnsCreateVolume')).toBe(1);
  });

  it('failed is asked for anew, when it is sure that the failure is its own', async () => {
    const fault = { $type: 'CnsFault', reason: 'injected' };
    const { create, sim, clock } = await takeOver({ kind: 'task-failure', fault }, inProgress);
    await expect(create('pvc-1')).rejects.toMatchObject({ code: 'VolumeBusy' });
    // A vCenter that was restored counts its tasks anew: another's may have the number.
    await clock.advance(360_000);
    const volume = await create('pvc-1');
    expect(sim.volumes.list().map(({ id }) => id)).toEqual([volume.volumeId]);
    expect(sim.recorder.count('CnsCreateVolume')).toBe(2);
  });

  it('with a task that vCenter has forgotten is looked for by name, then asked for', async () => {
    const { create, sim, clock } = await takeOver({ kind: 'drop', when: 'before' }, () => inProgress('task-99999'));
    await expect(create('pvc-1')).rejects.toMatchObject({ code: 'VolumeBusy' });
    // Its work may go on untold.
    await clock.advance(360_000);
    await create('pvc-1');
    expect(sim.volumes.list()).toHaveLength(1);
  });
});
