import type { ErrorCode } from '@vdo/base/error-codes';
import type { Check, CheckObject, Verdict } from '../check.ts';
import { fail, pass, skipped, unknown } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';

/** The way to a vCenter, one stage after the other: the first that fails leaves the later ones unknown. */
const stages = [
  {
    id: 'vcenter/dns',
    title: 'The name of the vCenter resolves.',
    meaning:
      'The name in `spec.vcenters[].server` has no address where the operator runs, so that nothing can be asked.',
    remedy:
      'Correct `server`, add the name to the DNS servers of the nodes (`/etc/resolv.conf`), or write an IP address that the certificate names.',
    codes: ['VCenterNameUnresolved'],
  },
  {
    id: 'vcenter/tcp',
    title: 'The vCenter accepts connections on its port.',
    meaning: 'The address is known, but no connection comes about: the vCenter is down, or a firewall is in the way.',
    remedy:
      'From a node: `curl -vk https://SERVER:PORT/sdk`. Open the port between nodes and vCenter, or correct `port`; on the appliance `service-control --status vmware-vpxd`.',
    codes: ['VCenterUnreachable'],
  },
  {
    id: 'vcenter/tls-trust',
    title: 'The certificate is signed by a trusted authority.',
    meaning: 'The connection was given up, since nobody could tell whether the right server answers.',
    remedy:
      'Put the authority of the vCenter (`https://SERVER/certs/download.zip`) into `spec.vcenters[].tls.caBundle`, or the fingerprint of its certificate into `tls.thumbprints`.',
    codes: ['VCenterTlsUntrusted'],
  },
  {
    id: 'vcenter/thumbprint',
    title: 'The certificate has one of the configured thumbprints.',
    meaning: 'The certificate was renewed, or another server answers under this name.',
    remedy:
      'If the vCenter has a new certificate, add its fingerprint to `spec.vcenters[].tls.thumbprints`; the message names it. Otherwise find out who answers.',
    codes: ['VCenterThumbprintMismatch'],
  },
  {
    id: 'vcenter/answers',
    title: 'What answers is a vCenter that works.',
    meaning: 'Something answers, but it is no vCenter, or its API service is not up yet.',
    remedy:
      'Point `spec.vcenters[].server` at the vCenter, not at an ESXi host or a proxy; wait until the vSphere Client opens.',
    codes: [],
  },
] as const satisfies readonly (Pick<Check, 'id' | 'title' | 'meaning' | 'remedy'> & {
  readonly codes: readonly ErrorCode[];
})[];

export const vcenterObject = ({ spec }: VCenterFacts): CheckObject => ({ kind: 'VCenter', name: spec.server });

const failedStage = ({ reachError }: VCenterFacts): number => {
  if (!reachError) return stages.length;
  const index = stages.findIndex(({ codes }) => (codes as readonly string[]).includes(reachError.code));
  return index < 0 ? stages.length - 1 : index;
};

const notApplicable = (id: string, { spec: { tls } }: VCenterFacts): string | undefined => {
  if (id === 'vcenter/thumbprint' && tls.thumbprints.length === 0) return 'no thumbprint is configured';
  if (id !== 'vcenter/tls-trust') return undefined;
  if (tls.insecure) return 'any certificate is accepted';
  return tls.thumbprints.length > 0 ? 'the certificate is trusted by its thumbprint' : undefined;
};

const judge = (index: number, facts: VCenterFacts): Verdict => {
  const stage = stages[index];
  const object = vcenterObject(facts);
  const failed = failedStage(facts);
  const why = notApplicable(stage?.id ?? '', facts);
  if (index === failed && facts.reachError) {
    const { code, message, remedy } = facts.reachError;
    // From where the reader sits: tells an outage from a firewall between the cluster and vCenter.
    return fail(object, { reason: code, message, remedy, commands: ['vdoctl doctor --only vcenter'] });
  }
  if (why !== undefined) return skipped(object, why);
  if (!facts.about && !facts.reachError)
    return unknown(object, 'the vCenter was not asked yet', 'credentials/secret-keys');
  return index < failed
    ? pass(object, stage?.title ?? '')
    : unknown(object, `the vCenter was not reached (${facts.reachError?.code})`, stages[failed]?.id ?? '');
};

export const reachabilityChecks: readonly Check[] = stages.map(({ codes: _, ...stage }, index) => ({
  ...stage,
  action: 'BlockUpgradeOrDegrade',
  judge: ({ vcenters }) => vcenters.map((facts) => judge(index, facts)),
}));
