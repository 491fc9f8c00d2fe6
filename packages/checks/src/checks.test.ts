import type { ErrorCode } from '@vdo/base/error-codes';
import { VdoError } from '@vdo/base/vdo-error';
import { describe, expect, it } from 'vitest';
import { allChecks } from './all-checks.ts';
import { actionLadder, type Check, type CheckResult } from './check.ts';
import { decideGates } from './decide-gates.ts';
import type { VCenterFacts } from './facts/vcenter-facts.ts';
import type { ClusterFacts } from './facts.ts';
import { runChecks } from './run-checks.ts';
import { driversSpec, facts, found, node, nowMs, spec, uuid, vcenter } from './testing.ts';

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
  it('passes, or does not apply, on a cluster with which everything is right', () => {
    const results = resultsOf(facts());
    expect(Object.keys(results)).toEqual(allChecks.map(({ id }) => id));
    expect(Object.entries(results).filter(([, result]) => result !== 'Pass' && result !== 'Skipped')).toEqual([]);
  });

  it('has an id of its group, a sentence as title and an action of the ladder', () => {
    expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
    for (const { id, title, action } of allChecks) {
      expect(id).toMatch(/^(VC|CR|PR|ND|TP|ST|CS|VR|CL)\/[a-z0-9-]+$/);
      expect(title).toMatch(/^[A-Z].*\.$/);
      expect(actionLadder).toContain(action);
    }
  });

  const failing: readonly [string, ClusterFacts, CheckResult, string, RegExp][] = [
    ['VC/dns', oneVCenter(unreached('VCenterNameUnresolved')), 'Fail', 'VCenterNameUnresolved', /right thing/],
    ['VC/tcp', oneVCenter(unreached('VCenterUnreachable')), 'Fail', 'VCenterUnreachable', /right thing/],
    ['VC/tls-trust', oneVCenter(unreached('VCenterTlsUntrusted')), 'Fail', 'VCenterTlsUntrusted', /right thing/],
    [
      'VC/thumbprint',
      oneVCenter(unreached('VCenterThumbprintMismatch', { spec: spec({ tls: { thumbprints: ['A'.repeat(40)] } }) })),
      'Fail',
      'VCenterThumbprintMismatch',
      /right thing/,
    ],
    ['VC/answers', oneVCenter(unreached('VCenterNotVSphere')), 'Fail', 'VCenterNotVSphere', /right thing/],
    [
      'VC/insecure-mode',
      oneVCenter(vcenter({ spec: spec({ tls: { insecure: true } }) })),
      'Warn',
      'CertificateNotVerified',
      /tls\.thumbprints/,
    ],
    [
      'VC/version-in-matrix',
      oneVCenter(vcenter({ support: { min: '7.0', max: '8.0', verdict: 'too-new' } })),
      'Fail',
      'VCenterVersionUnsupported',
      /spec\.updates\.matrix/,
    ],
    [
      'VC/version-in-matrix',
      oneVCenter(vcenter({ support: { min: '9.0', max: '9.0', verdict: 'too-old' } })),
      'Fail',
      'VCenterVersionUnsupported',
      /Upgrade vCenter vc\.example\.com to 9\.0/,
    ],
    [
      'CR/secret-keys',
      oneVCenter(vcenter({ secret: { namespace: 'ns', exists: false } })),
      'Fail',
      'SecretMissing',
      /kubectl -n ns create secret generic vcenter/,
    ],
    [
      'CR/secret-keys',
      oneVCenter(secret({ missingKeys: ['password'] })),
      'Fail',
      'SecretKeysMissing',
      /Add password to Secret vmware-system-vdo\/vcenter/,
    ],
    [
      'CR/secret-keys',
      oneVCenter(secret({ account: { username: 'a@b', password: 'x' }, trailingNewlineKeys: ['password'] })),
      'Warn',
      'TrailingLineBreak',
      /echo -n/,
    ],
    [
      'CR/username-domain',
      oneVCenter(secret({ account: { username: 'administrator', password: 'x' } })),
      'Fail',
      'UserNameWithoutDomain',
      /administrator@vsphere\.local/,
    ],
    [
      'CR/login',
      oneVCenter(vcenter({ login: error('VCenterLoginRejected') })),
      'Fail',
      'VCenterLoginRejected',
      /right thing/,
    ],
    [
      'CR/lockout-risk',
      oneVCenter(vcenter({ lockout: { recentRejections: 3 } })),
      'Fail',
      'AccountLockoutNear',
      /Secret vmware-system-vdo\/vcenter/,
    ],
    [
      'CR/lockout-risk',
      oneVCenter(vcenter({ lockout: { recentRejections: 1, suspendedUntilMs: nowMs + 60_000 } })),
      'Warn',
      'VCenterLoginSuspended',
      /Secret vmware-system-vdo\/vcenter/,
    ],
    [
      'ND/vm-found',
      oneNode({ resolution: { state: 'not-found', searched: 'vc.example.com, all datacenters' } }),
      'Fail',
      'NodeVmNotFound',
      new RegExp(uuid),
    ],
    [
      'ND/vm-found',
      oneNode({ resolution: { state: 'ambiguous', by: 'name', candidates: ['a', 'b'] } }),
      'Fail',
      'NodeVmAmbiguous',
      /govc vm\.change/,
    ],
    [
      'ND/provider-id',
      oneNode({ providerID: 'k3s://node-1' }),
      'Fail',
      'NodeForeignProviderId',
      /kubectl delete node node-1/,
    ],
    ['ND/provider-id', oneNode({ providerID: '' }), 'Fail', 'ProviderIdMissing', /--cloud-provider=external/],
    [
      'ND/provider-id',
      oneNode({ resolution: found('00000000-0000-4000-8000-000000000000') }),
      'Fail',
      'ProviderIdMismatch',
      /kubectl delete node node-1/,
    ],
    [
      'ND/taint-stuck',
      oneNode({ providerID: '', tainted: true, ageMinutes: 6 }),
      'Fail',
      'UninitializedTaintStuck',
      /kubectl describe node node-1/,
    ],
    [
      'ND/taint-stuck',
      facts({ spec: driversSpec({ cpi: undefined }), nodes: [node({ providerID: '', tainted: true, ageMinutes: 6 })] }),
      'Fail',
      'UninitializedTaintStuck',
      /Set spec\.cpi to \{\}/,
    ],
  ];
  it.each(failing)('%s tells what is wrong and what helps (case %#)', (id, cluster, result, reason, remedy) => {
    const outcome = outcomeOf(id, cluster);
    expect(outcome).toMatchObject({ result, reason });
    expect(outcome.remedy).toMatch(remedy);
    expect(outcome.action).toBe(result === 'Fail' ? allChecks.find((check) => check.id === id)?.action : 'None');
  });

  it('is among those with a failing test', () => {
    const tested = new Set(failing.map(([id]) => id));
    expect(allChecks.filter(({ id }) => !tested.has(id))).toEqual([]);
  });

  it('never shows a password', () => {
    const outcomes = failing.flatMap(([, cluster]) => runChecks(allChecks, cluster));
    expect(JSON.stringify(outcomes)).not.toContain('obviously-fake');
  });
});

describe('checks', () => {
  it('stay unknown behind the stage that failed, and pass before it', () => {
    expect(resultsOf(oneVCenter(unreached('VCenterUnreachable')))).toMatchObject({
      'VC/dns': 'Pass',
      'VC/tcp': 'Fail',
      'VC/tls-trust': 'Unknown',
      'VC/thumbprint': 'Skipped',
      'VC/answers': 'Unknown',
      'VC/version-in-matrix': 'Unknown',
      'CR/secret-keys': 'Pass',
      'CR/login': 'Unknown',
    });
  });

  it('of one vCenter do not suffer from another', () => {
    const east = unreached('VCenterUnreachable', { spec: spec({ server: 'east' }) });
    const west = vcenter({ spec: spec({ server: 'west' }) });
    const outcomes = runChecks(allChecks, facts({ vcenters: [east, west] }));
    const bad = outcomes.filter(({ result }) => result === 'Fail' || result === 'Unknown');
    expect(new Set(bad.filter(({ object }) => object.kind === 'VCenter').map(({ object }) => object.name))).toEqual(
      new Set(['east']),
    );
  });

  const calm: readonly [string, string, ClusterFacts, CheckResult][] = [
    [
      'a node that is being initialised',
      'ND/taint-stuck',
      oneNode({ providerID: '', tainted: true, ageMinutes: 4 }),
      'Pass',
    ],
    ['a node that waits for its provider id', 'ND/provider-id', oneNode({ providerID: '', tainted: true }), 'Unknown'],
    [
      'a node without provider id where no CPI is asked for',
      'ND/provider-id',
      facts({ spec: driversSpec({ cpi: undefined }), nodes: [node({ providerID: '' })] }),
      'Skipped',
    ],
    ['a node whose vCenter did not answer', 'ND/vm-found', oneNode({ resolution: null }), 'Unknown'],
    [
      'a provider id in the other byte order',
      'ND/provider-id',
      oneNode({ resolution: found('2e1f0442-3c7d-5b4a-8c6d-112233445566') }),
      'Pass',
    ],
    [
      'a user name as DOMAIN\\user',
      'CR/username-domain',
      oneVCenter(secret({ account: { username: 'EXAMPLE\\k8s', password: 'x' } })),
      'Pass',
    ],
    [
      'a certificate instead of a user name',
      'CR/username-domain',
      oneVCenter(secret({ account: { username: '-----BEGIN CERTIFICATE-----', password: 'x' } })),
      'Pass',
    ],
    [
      'a certificate that is trusted by thumbprint',
      'VC/tls-trust',
      oneVCenter(vcenter({ spec: spec({ tls: { thumbprints: ['A'.repeat(40)] } }) })),
      'Skipped',
    ],
    [
      'a suspension that is over',
      'CR/lockout-risk',
      oneVCenter(vcenter({ lockout: { recentRejections: 1, suspendedUntilMs: nowMs - 1 } })),
      'Pass',
    ],
    [
      'a cluster without a chosen release',
      'VC/version-in-matrix',
      oneVCenter((({ support: _, ...rest }) => rest)(vcenter())),
      'Unknown',
    ],
  ];
  it.each(calm)('do not cry over %s', (_name, id, cluster, result) => {
    expect(outcomeOf(id, cluster).result).toBe(result);
  });

  it('that throw become unknown and leave the others alone', () => {
    const broken: Check = {
      id: 'VC/broken',
      title: 'It breaks.',
      meaning: '',
      remedy: '',
      action: 'Degrade',
      judge: () => {
        throw new Error('oops');
      },
    };
    const outcomes = runChecks([broken, ...allChecks], facts());
    expect(outcomes[0]).toMatchObject({ id: 'VC/broken', result: 'Unknown', reason: 'Internal', action: 'None' });
    expect(outcomes).toHaveLength(allChecks.length + 1);
  });
});

describe('a new cluster', () => {
  it('whose nodes have waited for hours may be installed, since that is what helps', () => {
    const waiting = node({ providerID: '', tainted: true, ageMinutes: 600 });
    expect(decideGates(runChecks(allChecks, facts({ nodes: [waiting] })), false).installBlockers).toEqual([]);
  });
});
