import type { ErrorCode } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import type { CheckOutcome } from '@vdo/checks/check';
import { conditionTypes } from '@vdo/config/api/vsphere-drivers-status';
import { describe, expect, it } from 'vitest';
import { observeOutcomes } from '../checks/observe-outcomes.ts';
import type { DriverObservation, Observation } from '../observation.ts';
import { decideConditions } from './conditions.ts';

const error = (code: ErrorCode) => new VdoError({ code, message: `${code} happened`, remedy: `Remedy for ${code}.` });
const about = {
  version: '8.0.3',
  build: '1',
  apiVersion: '8.0.3.0',
  instanceUuid: 'i',
  fullName: 'vCenter',
  apiType: 'VirtualCenter',
};

const cpi: DriverObservation = {
  kind: 'CPI',
  distribution: 'Native',
  version: '0.1.0',
  controllers: { desired: 1, ready: 1 },
  rollingOut: false,
};
const csi: DriverObservation = { ...cpi, kind: 'CSI', nodes: { desired: 3, ready: 3 } };

const healthy: Observation = {
  vcenters: [{ server: 'vc1', about }],
  kubernetesVersion: 'v1.34.4',
  drivers: [cpi, csi],
  nodes: { total: 3, initialized: 3, failing: [] },
  wanted: { cpi: true, csi: true },
};

const summary = (observation: Observation) =>
  Object.fromEntries(decideConditions(observation).map(({ type, status, reason }) => [type, `${status}/${reason}`]));

describe('conditions', () => {
  it('are all there from the first visit, in a fixed order', () => {
    const first = decideConditions({ vcenters: [], drivers: [], wanted: { cpi: true, csi: true } });
    expect(first.map(({ type }) => type)).toEqual([...conditionTypes]);
  });

  it('of a healthy system are good', () => {
    expect(summary(healthy)).toMatchObject({
      Ready: 'True/AllReady',
      Available: 'True/DriversRunning',
      Progressing: 'False/UpToDate',
      Degraded: 'False/AsExpected',
      Upgradeable: 'True/AsExpected',
      Stalled: 'False/AsExpected',
      VCenterReachable: 'True/Reachable',
      CredentialsValid: 'True/LoginSucceeded',
      NodesInitialized: 'True/AllInitialized',
      StorageReady: 'True/DriverReady',
    });
  });

  describe('when a check fails that stops nothing', () => {
    const outcome: CheckOutcome = {
      id: 'node/tools-running',
      result: 'Fail',
      reason: 'ToolsNotRunning',
      message: 'VMware Tools do not run',
      remedy: 'Start them.',
      object: { kind: 'Node', name: 'node-1' },
      action: 'BlockUpgrade',
    };
    const tally = { id: outcome.id, counts: [{ kind: 'Node', result: 'Fail' as const, count: 1 }], notable: [outcome] };
    const checks = observeOutcomes([tally], { installed: true, lastRunTime: '2026-01-01T00:00:00Z' });

    it('are degraded and ready: GitOps tools wait for Ready alone', () => {
      expect(summary({ ...healthy, checks })).toMatchObject({
        Degraded: 'True/ToolsNotRunning',
        Ready: 'True/AllReady',
        Available: 'True/DriversRunning',
      });
    });

    it('are not degraded while the drivers are installed for the first time, and stay so while a pod is replaced', () => {
      const starting: Observation = {
        ...healthy,
        checks,
        drivers: [cpi, { ...csi, controllers: { desired: 1, ready: 0 } }],
      };
      expect(summary(starting)).toMatchObject({ Degraded: 'False/AsExpected' });
      const before = decideConditions({ ...healthy, checks });
      expect(decideConditions(starting, before)).toContainEqual(
        expect.objectContaining({ type: 'Degraded', status: 'True', reason: 'ToolsNotRunning' }),
      );
    });
  });

  it.each([
    ['Native', 'See kubectl -n vmware-system-vdo get pods.', 'See kubectl -n vmware-system-vdo get pods.'],
    [
      'Upstream',
      'See kubectl -n vmware-system-csi get pods.',
      'See kubectl -n kube-system get pods; kubectl -n vmware-system-csi get pods.',
    ],
  ] as const)('name the namespaces where pods of %s drivers are', (distribution, ofStorage, ofBoth) => {
    const down = { controllers: { desired: 1, ready: 0 }, distribution };
    const decided = decideConditions({ ...healthy, drivers: [cpi, csi].map((driver) => ({ ...driver, ...down })) });
    const messageOf = (type: string) => decided.find((condition) => condition.type === type)?.message;
    expect(messageOf('StorageReady')).toContain(ofStorage);
    expect(messageOf('Available')).toContain(ofBoth);
  });

  it('do not call it progress when a pod stays as it is and nothing will move by itself', () => {
    const short: DriverObservation = { ...csi, rollingOut: true, nodes: { desired: 3, ready: 2 } };
    expect(summary({ ...healthy, drivers: [cpi, short] })).toMatchObject({
      Progressing: 'True/RollingOut',
      Degraded: 'False/AsExpected',
    });
    const stuck = { ...short, problem: error('WorkloadsNotReady') };
    expect(summary({ ...healthy, drivers: [cpi, stuck] })).toMatchObject({
      Ready: 'False/WorkloadsNotReady',
      Available: 'True/DriversRunning',
      Progressing: 'False/WorkloadsNotReady',
      Degraded: 'True/WorkloadsNotReady',
    });
    expect(summary({ ...healthy, drivers: [cpi, { ...stuck, target: '0.2.0' }] })).toMatchObject({
      Progressing: 'True/Upgrading',
    });
  });

  it('tell an outage of vCenter from bad credentials, and keep running drivers available', () => {
    const outage = error('VCenterUnreachable');
    expect(summary({ ...healthy, vcenters: [{ server: 'vc1', reachError: outage }], failure: outage })).toMatchObject({
      Ready: 'False/VCenterUnreachable',
      Available: 'True/DriversRunning',
      Degraded: 'True/VCenterUnreachable',
      Stalled: 'False/AsExpected',
      VCenterReachable: 'False/VCenterUnreachable',
      CredentialsValid: 'Unknown/VCenterUnreachable',
    });
  });

  it.each(['VCenterLoginRejected', 'SecretMissing'] as const)('wait for a person when %s', (code) => {
    const failure = error(code);
    expect(
      summary({ ...healthy, drivers: [], vcenters: [{ server: 'vc1', about, loginError: failure }], failure }),
    ).toMatchObject({
      Ready: `False/${code}`,
      Stalled: `True/${code}`,
      Degraded: `True/${code}`,
      VCenterReachable: 'True/Reachable',
      CredentialsValid: `False/${code}`,
      Progressing: `False/${code}`,
    });
  });

  it('carry the remedy in the message', () => {
    const failure = error('KubeForbidden');
    const degraded = decideConditions({ ...healthy, failure }).find(({ type }) => type === 'Degraded');
    expect(degraded?.message).toBe('KubeForbidden happened. Remedy for KubeForbidden.');
  });

  it('stay Available while a normal upgrade rolls out', () => {
    const rolling = { ...csi, nodes: { desired: 3, ready: 2 }, rollingOut: true };
    expect(summary({ ...healthy, drivers: [cpi, rolling] })).toMatchObject({
      Ready: 'False/RollingOut',
      Available: 'True/DriversRunning',
      Progressing: 'True/RollingOut',
    });
  });

  it('do not wait for nodes that another cloud provider initialises', () => {
    const nodes = { total: 3, initialized: 0, failing: [] };
    expect(summary({ ...healthy, drivers: [csi], nodes, wanted: { cpi: false, csi: true } })).toMatchObject({
      Ready: 'True/AllReady',
      NodesInitialized: 'Unknown/NotManaged',
    });
  });
});
