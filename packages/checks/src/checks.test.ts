import type { ErrorCode } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { allChecks } from './all-checks.ts';
import { actionLadder, type Check, type CheckResult } from './check.ts';
import { decideGates } from './decide-gates.ts';
import type { VCenterFacts } from './facts/vcenter-facts.ts';
import type { ClusterFacts } from './facts.ts';
import { runChecks } from './run-checks.ts';
import { driversSpec, facts, found, node, nowMs, spec, vcenter } from './testing/facts.ts';

const error = (code: ErrorCode): VdoError =>
  new VdoError({ code, message: `${code} happened`, remedy: 'Do the right thing.' });
const unreached = (code: ErrorCode, overrides: Partial<VCenterFacts> = {}): VCenterFacts => {
  const { about: _about, login: _login, ...rest } = vcenter(overrides);
  return { ...rest, reachError: error(code) };
};
const resultsOf = (cluster: ClusterFacts): Record<string, CheckResult> =>
  Object.fromEntries(runChecks(allChecks, cluster).map(({ id, result }) => [id, result]));
const outcomeOf = (id: string, cluster: ClusterFacts) => {
  const outcome = runChecks(allChecks, cluster).find((candidate) => candidate.id === id);
  if (!outcome) throw new Error(`no outcome of ${id}`);
  return outcome;
};
const secret = (lookup: Partial<NonNullable<VCenterFacts['secret']['lookup']>>) =>
  vcenter({
    secret: {
      namespace: 'vmware-system-vdo',
      exists: true,
      lookup: { missingKeys: [], trailingNewlineKeys: [], ...lookup },
    },
  });
const oneVCenter = (facts1: VCenterFacts): ClusterFacts => facts({ vcenters: [facts1] });
const oneNode = (...args: Parameters<typeof node>): ClusterFacts => facts({ nodes: [node(...args)] });

describe('every check', () => {
  it('has an id of its group, a sentence as title and an action of the ladder', () => {
    expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
    for (const { id, title, action } of allChecks) {
      expect(id).toMatch(/^(vcenter|credentials|privileges|node|topology|storage|csi|versions|cluster)\/[a-z0-9-]+$/);
      expect(title).toMatch(/^[A-Z].*\.$/);
      expect(actionLadder).toContain(action);
    }
  });

  it('is described for the reference', () => {
    for (const { meaning, remedy } of allChecks) {
      expect(meaning).toMatch(/^(?:[A-Z]|vCenter).*\.$/s);
      expect(remedy.length).toBeGreaterThan(20);
    }
  });

  it('of the specification is there', () => {
    const groups: Readonly<Record<string, string>> = {
      vcenter:
        'dns tcp tls-trust thumbprint cert-expiry insecure-mode clock-skew latency version-in-matrix features readable-replies session-leak',
      credentials: 'secret-keys username-domain login lockout-risk rotation-pending',
      privileges: 'root node-vms datastores file-services ancestors-readable excess-privilege',
      node: 'vm-found uuid-match uuid-duplicate provider-id taint-stuck addresses disk-enable-uuid hardware-version esxi-version disk-slots vm-moved tools-running vm-snapshot',
      topology: 'categories-exist tags-in-ancestry labels-match',
      storage:
        'datastore-accessible datastore-shared free-space preferred-datastores file-clusters policy-exists policy-compatible storage-classes volume-health volume-compliance orphan-volumes cluster-id-unique attach-stuck in-tree-volumes-left',
      csi: 'node-registered workloads-ready foreign-manager snapshot-crds topology-keys',
      versions: 'cpi-skew csi-range kubelet-skew matrix-age matrix-signature image-pull',
      cluster: 'cni-ready dns-resolves-vcenter admission-allows',
    };
    const wanted = Object.entries(groups).flatMap(([group, names]) =>
      names.split(' ').map((name) => `${group}/${name}`),
    );
    expect(wanted.filter((id) => !allChecks.some((check) => check.id === id))).toEqual([]);
    expect(allChecks.filter(({ id }) => !wanted.includes(id)).map(({ id }) => id)).toEqual(['vcenter/answers']);
  });

  it('stays unknown, passes or does not apply where nothing could be read', () => {
    const { about: _, login: __, ...blind } = vcenter();
    const outcomes = runChecks(
      allChecks,
      facts({ vcenters: [blind], nodes: [node({ resolution: null })], releases: { drivers: [] } }),
    );
    expect(outcomes.filter(({ result }) => result === 'Fail' || result === 'Warn')).toEqual([]);
    expect(outcomes.filter(({ result, remedy }) => result === 'Unknown' && remedy === '')).toEqual([]);
  });
});

describe('checks', () => {
  it('stay unknown behind the stage that failed, and pass before it', () => {
    expect(resultsOf(oneVCenter(unreached('VCenterUnreachable')))).toMatchObject({
      'vcenter/dns': 'Pass',
      'vcenter/tcp': 'Fail',
      'vcenter/tls-trust': 'Unknown',
      'vcenter/thumbprint': 'Skipped',
      'vcenter/answers': 'Unknown',
      'vcenter/version-in-matrix': 'Unknown',
      'credentials/secret-keys': 'Pass',
      'credentials/login': 'Unknown',
    });
  });

  const calm: readonly [string, string, ClusterFacts, CheckResult][] = [
    [
      'a node that is being initialized',
      'node/taint-stuck',
      oneNode({ providerID: '', tainted: true, ageMinutes: 4 }),
      'Pass',
    ],
    [
      'a node that waits for its provider id',
      'node/provider-id',
      oneNode({ providerID: '', tainted: true }),
      'Unknown',
    ],
    [
      'a node without provider id where no CPI is asked for',
      'node/provider-id',
      facts({ spec: driversSpec({ cpi: undefined }), nodes: [node({ providerID: '' })] }),
      'Skipped',
    ],
    ['a node whose vCenter did not answer', 'node/vm-found', oneNode({ resolution: null }), 'Unknown'],
    [
      'a provider id in the other byte order',
      'node/provider-id',
      oneNode({ resolution: found('2e1f0442-3c7d-5b4a-8c6d-112233445566') }),
      'Pass',
    ],
    [
      'a user name as DOMAIN\\user',
      'credentials/username-domain',
      oneVCenter(secret({ account: { username: 'EXAMPLE\\k8s', password: 'x' } })),
      'Pass',
    ],
    [
      'a certificate instead of a user name',
      'credentials/username-domain',
      oneVCenter(secret({ account: { username: '-----BEGIN CERTIFICATE-----', password: 'x' } })),
      'Pass',
    ],
    [
      'a certificate that is trusted by thumbprint',
      'vcenter/tls-trust',
      oneVCenter(vcenter({ spec: spec({ tls: { thumbprints: ['A'.repeat(40)] } }) })),
      'Skipped',
    ],
    [
      'a suspension that is over',
      'credentials/lockout-risk',
      oneVCenter(vcenter({ lockout: { recentRejections: 1, suspendedUntilMs: nowMs - 1 } })),
      'Pass',
    ],
    [
      'a cluster without a chosen release',
      'vcenter/version-in-matrix',
      oneVCenter((({ support: _, ...rest }) => rest)(vcenter())),
      'Unknown',
    ],
  ];
  it.each(calm)('do not cry over %s', (_name, id, cluster, result) => {
    expect(outcomeOf(id, cluster).result).toBe(result);
  });

  it('say by vCenter what it is too old for, and whether another one has it', () => {
    const about = (version: string) => ({ ...vcenter().about, version, apiVersion: version }) as VCenterFacts['about'];
    const old = { ...vcenter(), about: about('6.7.3') } as VCenterFacts;
    const asked = driversSpec({ csi: { fileVolumes: {}, snapshots: {} } });
    const alone = outcomeOf('vcenter/features', facts({ spec: asked, vcenters: [old] }));
    expect(alone).toMatchObject({
      result: 'Warn',
      message:
        'file volumes need vCenter 7.0 Update 1; this is 6.7 Update 3; snapshots and copies of volumes need vCenter 7.0 Update 3; this is 6.7 Update 3',
      remedy: expect.stringMatching(/^Upgrade vCenter .*, or turn the feature off:$/),
      commands: [expect.stringContaining('"fileVolumes":null'), expect.stringContaining('"snapshots":null')],
    });
    const beside = outcomeOf('vcenter/features', facts({ spec: asked, vcenters: [old, vcenter()] }));
    expect(beside).toMatchObject({ result: 'Warn', remedy: expect.stringContaining('on the other vCenters') });
    expect(outcomeOf('vcenter/features', facts({ vcenters: [old] })).result).toBe('Pass');
  });

  it('that throw become unknown and leave the others alone', () => {
    const broken: Check = {
      id: 'vcenter/broken',
      title: 'It breaks.',
      meaning: '',
      remedy: '',
      action: 'Degrade',
      judge: () => {
        throw new Error('oops');
      },
    };
    const outcomes = runChecks([broken, ...allChecks], facts());
    expect(outcomes[0]).toMatchObject({ id: 'vcenter/broken', result: 'Unknown', reason: 'Internal', action: 'None' });
    expect(outcomes).toHaveLength(allChecks.length + 1);
  });
});

describe('a new cluster', () => {
  it('whose nodes have waited for hours may be installed, since that is what helps', () => {
    const waiting = node({ providerID: '', tainted: true, ageMinutes: 600 });
    expect(decideGates(runChecks(allChecks, facts({ nodes: [waiting] })), false).installBlockers).toEqual([]);
  });
});
