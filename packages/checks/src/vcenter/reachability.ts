import type { ErrorCode } from '@vdo/base/error-codes';
import type { Check, CheckObject, Verdict } from '../check.ts';
import { pass, skipped, unknown } from '../check.ts';
import type { VCenterFacts } from '../facts.ts';

/** The way to a vCenter, one stage after the other: the first that fails leaves the later ones unknown. */
const stages = [
  { id: 'VC/dns', title: 'The name of the vCenter resolves.', codes: ['VCenterNameUnresolved'] },
  { id: 'VC/tcp', title: 'The vCenter accepts connections on its port.', codes: ['VCenterUnreachable'] },
  { id: 'VC/tls-trust', title: 'The certificate is signed by a trusted authority.', codes: ['VCenterTlsUntrusted'] },
  {
    id: 'VC/thumbprint',
    title: 'The certificate has one of the configured thumbprints.',
    codes: ['VCenterThumbprintMismatch'],
  },
  { id: 'VC/answers', title: 'What answers is a vCenter that works.', codes: [] },
] as const satisfies readonly { id: string; title: string; codes: readonly ErrorCode[] }[];

export const vcenterObject = ({ spec }: VCenterFacts): CheckObject => ({ kind: 'VCenter', name: spec.server });

const failedStage = ({ reachError }: VCenterFacts): number => {
  if (!reachError) return stages.length;
  const index = stages.findIndex(({ codes }) => (codes as readonly string[]).includes(reachError.code));
  return index < 0 ? stages.length - 1 : index;
};

const notApplicable = (id: string, { spec: { tls } }: VCenterFacts): string | undefined => {
  if (id === 'VC/thumbprint' && tls.thumbprints.length === 0) return 'no thumbprint is configured';
  if (id !== 'VC/tls-trust') return undefined;
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
    return { result: 'Fail', reason: code, message, remedy, object };
  }
  if (why !== undefined) return skipped(object, why);
  if (!facts.about && !facts.reachError) return unknown(object, 'the vCenter was not asked yet', 'CR/secret-keys');
  return index < failed
    ? pass(object, stage?.title ?? '')
    : unknown(object, `the vCenter was not reached (${facts.reachError?.code})`, stages[failed]?.id ?? '');
};

export const reachabilityChecks: readonly Check[] = stages.map(({ id, title }, index) => ({
  id,
  title,
  action: 'BlockUpgradeOrDegrade',
  judge: ({ vcenters }) => vcenters.map((facts) => judge(index, facts)),
}));

export const insecureModeCheck: Check = {
  id: 'VC/insecure-mode',
  title: 'The certificate of the vCenter is verified.',
  action: 'BlockUpgrade',
  judge: ({ vcenters }) =>
    vcenters.map((facts) => {
      const object = vcenterObject(facts);
      if (!facts.spec.tls.insecure) return pass(object, 'the certificate is verified');
      return {
        result: 'Warn',
        reason: 'CertificateNotVerified',
        message: 'tls.insecure is true: anyone on the network path can read the password',
        remedy: `Set tls.thumbprints or tls.caBundle of vCenter ${object.name} and remove tls.insecure.`,
        object,
      };
    }),
};
