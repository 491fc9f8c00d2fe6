import type { ErrorCode } from '@vdo/base/error-codes';
import type { Check, CheckObject, Verdict } from '../check.ts';
import { fail, pass, skipped, unknown } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';

/** The stages of a connection to a vCenter: after the first failed stage the later ones are unknown. */
const stages = [
  {
    id: 'vcenter/dns',
    title: 'The name of the vCenter resolves.',
    meaning:
      'The name in `spec.vcenters[].server` cannot be resolved on the node of the operator, so that no connection is possible.',
    remedy:
      'Correct `server`, add the name to the DNS servers of the nodes (`/etc/resolv.conf`), or use an IP address that is in the certificate.',
    codes: ['VCenterNameUnresolved'],
  },
  {
    id: 'vcenter/tcp',
    title: 'The vCenter accepts connections on its port.',
    meaning: 'The name resolves, but the connection fails: the vCenter is down, or a firewall blocks it.',
    remedy:
      'From a node: `curl -vk https://SERVER:PORT/sdk`. Open the port between nodes and vCenter, or correct `port`; on the appliance `service-control --status vmware-vpxd`.',
    codes: ['VCenterUnreachable'],
  },
  {
    id: 'vcenter/tls-trust',
    title: 'The certificate is signed by a trusted authority.',
    meaning: 'The connection was closed, because the identity of the server could not be verified.',
    remedy:
      'Set `spec.vcenters[].tls.caBundle` to the CA certificates of the vCenter (`https://SERVER/certs/download.zip`), or `tls.thumbprints` to the thumbprint of its certificate.',
    codes: ['VCenterTlsUntrusted'],
  },
  {
    id: 'vcenter/thumbprint',
    title: 'The certificate has one of the configured thumbprints.',
    meaning: 'The certificate was renewed, or another server answers under this name.',
    remedy:
      'If the vCenter has a new certificate, add its thumbprint, which is in the message, to `spec.vcenters[].tls.thumbprints`. Otherwise find out which server answers.',
    codes: ['VCenterThumbprintMismatch'],
  },
  {
    id: 'vcenter/answers',
    title: 'A working vCenter answers at the address.',
    meaning: 'A server answers, but it is not a vCenter, or its API service is not running yet.',
    remedy:
      'Point `spec.vcenters[].server` at the vCenter, not at an ESXi host or a proxy; wait until the vSphere Client is available.',
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
    // Run on the reader's machine, it distinguishes an outage from a firewall between the cluster and vCenter.
    return fail(object, { reason: code, message, remedy, commands: ['vdoctl doctor --only vcenter'] });
  }
  if (why !== undefined) return skipped(object, why);
  if (!facts.about && !facts.reachError)
    return unknown(object, 'the vCenter has not been contacted yet', 'credentials/secret-keys');
  return index < failed
    ? pass(object, stage?.title ?? '')
    : unknown(object, `the vCenter was not reached (${facts.reachError?.code})`, stages[failed]?.id ?? '');
};

export const reachabilityChecks: readonly Check[] = stages.map(({ codes: _, ...stage }, index) => ({
  ...stage,
  action: 'BlockUpgradeOrDegrade',
  judge: ({ vcenters }) => vcenters.map((facts) => judge(index, facts)),
}));
