import { type Check, fail, pass, skipped, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import { vcenterObject } from './reachability.ts';

const dayMs = 24 * 3_600_000;
const warnDays = 30;

const renewal = ({ spec }: VCenterFacts): string =>
  `Renew the machine certificate of vCenter ${spec.server} (vSphere Client: Administration, Certificates, Certificate Management; or /usr/lib/vmware-vmca/bin/certificate-manager on the appliance)${
    spec.tls.thumbprints.length > 0
      ? '; before that, add the thumbprint of the new certificate to spec.vcenters[].tls.thumbprints: kubectl edit vspheredrivers cluster'
      : ''
  }.`;

const judgeExpiry = (facts: VCenterFacts, nowMs: number): Verdict => {
  const object = vcenterObject(facts);
  const { certificate } = facts;
  if (!certificate) return skipped(object, 'certificates cannot be read from here');
  if ('error' in certificate || !certificate.value)
    return unknown(object, 'the server presented no certificate', 'vcenter/tcp');
  const { validToMs, subject } = certificate.value;
  const days = Math.floor((validToMs - nowMs) / dayMs);
  const until = new Date(validToMs).toISOString().slice(0, 10);
  if (validToMs <= nowMs)
    return fail(object, {
      reason: 'CertificateExpired',
      message: `the certificate "${subject}" expired on ${until}`,
      remedy: renewal(facts),
    });
  if (days < warnDays)
    return warn(object, {
      reason: 'CertificateExpiresSoon',
      message: `the certificate "${subject}" expires on ${until}, in ${days} days; expected at least ${warnDays}`,
      remedy: renewal(facts),
    });
  return pass(object, `the certificate is valid until ${until}`);
};

export const certExpiryCheck: Check = {
  id: 'vcenter/cert-expiry',
  title: 'The certificate of the vCenter is valid for at least 30 days.',
  meaning: 'After it expires, programs that verify certificates can no longer connect to the vCenter.',
  remedy:
    'Renew the machine certificate in the vSphere Client (Administration, Certificates, Certificate Management). With `tls.thumbprints`, first add the thumbprint of the new certificate.',
  action: 'BlockUpgrade',
  judge: ({ vcenters, nowMs }) => vcenters.map((facts) => judgeExpiry(facts, nowMs)),
};

export const insecureModeCheck: Check = {
  id: 'vcenter/insecure-mode',
  title: 'The certificate of the vCenter is verified.',
  meaning: 'With `tls.insecure` anyone on the network path can read the password of the vCenter account.',
  remedy: 'Set `tls.thumbprints` or `tls.caBundle` of the vCenter and remove `tls.insecure`.',
  action: 'None',
  judge: ({ vcenters }) =>
    vcenters.map((facts) => {
      const object = vcenterObject(facts);
      if (!facts.spec.tls.insecure) return pass(object, 'the certificate is verified');
      const shown = facts.certificate && 'value' in facts.certificate ? facts.certificate.value?.sha256 : undefined;
      return warn(object, {
        reason: 'CertificateNotVerified',
        message: 'tls.insecure is true: anyone on the network path can read the password',
        remedy: `Set tls.thumbprints of vCenter ${object.name} to [${shown ? `"${shown}"` : '"THUMBPRINT"'}], after you have verified that thumbprint (or set tls.caBundle), and remove tls.insecure: kubectl edit vspheredrivers cluster`,
      });
    }),
};
