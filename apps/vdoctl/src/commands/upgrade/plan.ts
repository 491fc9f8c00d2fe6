import { isVdoError, type VdoError } from '@vdo/base/vdo-error';
import type { VSphereDrivers } from '@vdo/config/api/vsphere-drivers';
import type { DriverKind, Matrix } from '@vdo/releases/matrix';
import { type Pick, pickRelease } from '@vdo/releases/pick-release';
import { knownLayouts } from '@vdo/releases/render/layouts';

export interface DriverUpgrade {
  readonly driver: 'CPI' | 'CSI';
  readonly running: string | null;
  /** The newest compatible release; null if there is none. */
  readonly newest: string | null;
  readonly verdict: 'upgrade' | 'current' | 'install' | 'none-fits';
  readonly explanation: string;
  readonly rejected: readonly { readonly version: string; readonly reasons: readonly string[] }[];
}

export interface PlanInput {
  readonly resource: VSphereDrivers;
  readonly matrix: Matrix;
  readonly kubernetesVersion: string;
  readonly vcenterVersions: readonly { readonly server: string; readonly version: string }[];
}

const rejectedOf = ({ rejected }: Pick): DriverUpgrade['rejected'] =>
  rejected.map(({ release, reasons }) => ({ version: release.version, reasons: reasons.map(({ text }) => text) }));

const noneFits = (driver: DriverUpgrade['driver'], running: string | null, error: VdoError): DriverUpgrade => ({
  driver,
  running,
  newest: null,
  verdict: 'none-fits',
  explanation: `${error.message}. ${error.remedy}`,
  rejected: [],
});

const planDriver = (kind: DriverKind, input: PlanInput): DriverUpgrade => {
  const { spec, status } = input.resource;
  const driver = kind === 'cpi' ? 'CPI' : 'CSI';
  const running = status?.drivers?.find((one) => one.kind === driver)?.version ?? null;
  try {
    const pick = pickRelease({
      matrix: input.matrix,
      driver: kind,
      distribution: spec.distribution,
      kubernetesVersion: input.kubernetesVersion,
      vcenterVersions: input.vcenterVersions,
      layouts: knownLayouts,
      policy: 'Automatic',
      ...(running === null ? {} : { installed: running }),
    });
    const newest = pick.release.version;
    const verdict = running === null ? 'install' : running === newest ? 'current' : 'upgrade';
    return { driver, running, newest, verdict, explanation: pick.explanation, rejected: rejectedOf(pick) };
  } catch (error) {
    if (isVdoError(error, 'NoCompatibleRelease', 'ReleaseLayoutUnknown')) return noneFits(driver, running, error);
    throw error;
  }
};

/** The plan for an upgrade to the newest compatible releases. */
export const planUpgrade = (input: PlanInput): readonly DriverUpgrade[] =>
  (['cpi', 'csi'] as const)
    .filter((kind) => input.resource.spec[kind] !== undefined)
    .map((kind) => planDriver(kind, input));
