import type { VSphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { vcenterRelease, vcenterVersionOf } from '@vdo/config/product-version';
import { featureLack, offersFeature, type VCenterFeatureId, vcenterFeatures } from '@vdo/config/vcenter-features';
import { type Check, pass, unknown, type Verdict, warn } from '../check.ts';
import type { VCenterFacts } from '../facts/vcenter-facts.ts';
import type { ClusterFacts } from '../facts.ts';
import { vcenterObject } from './reachability.ts';

interface RequestedFeature {
  readonly feature: VCenterFeatureId;
  /** How to turn the feature off. */
  readonly without: string;
}

const drop = (field: 'fileVolumes' | 'snapshots' | 'inTreeMigration'): string =>
  `kubectl patch vspheredrivers cluster --type merge -p '{"spec":{"csi":{"${field}":null}}}'`;
const openToNetworks = 'grant access to networks in spec.csi.fileVolumes.netPermissions';

/** The features in the spec that some vCenters do not have. */
const requestedFeatures = ({ csi }: VSphereDriversSpec): readonly RequestedFeature[] => {
  const { netPermissions = [] } = csi?.fileVolumes ?? {};
  const perNode = netPermissions.length > 0 && netPermissions.every(({ permissions }) => permissions === 'NoAccess');
  return [
    ...(csi?.fileVolumes ? [{ feature: 'file-volumes', without: drop('fileVolumes') } as const] : []),
    ...(perNode ? [{ feature: 'share-access', without: openToNetworks } as const] : []),
    ...(csi?.snapshots ? [{ feature: 'snapshots', without: drop('snapshots') } as const] : []),
    ...(csi?.inTreeMigration ? [{ feature: 'in-tree-disks', without: drop('inTreeMigration') } as const] : []),
  ];
};

const versionIn = ({ about }: VCenterFacts): string | undefined => about && vcenterVersionOf(about);

const judge = (facts: VCenterFacts, { spec, vcenters }: ClusterFacts): Verdict => {
  const object = vcenterObject(facts);
  const version = versionIn(facts);
  if (version === undefined) return unknown(object, 'the version of the vCenter is unknown', 'vcenter/answers');
  const lacking = requestedFeatures(spec).filter(({ feature }) => !offersFeature(version, feature));
  const names = lacking.map(({ feature }) => vcenterFeatures[feature].name);
  if (names.length === 0) return pass(object, `${vcenterRelease(version)} has all features that the spec uses`);
  const elsewhere = (feature: VCenterFeatureId) =>
    vcenters.some((other) => other !== facts && offersFeature(versionIn(other) ?? '', feature));
  const nowhere = lacking.filter(({ feature }) => !elsewhere(feature));
  return warn(object, {
    reason: 'VCenterFeatureMissing',
    message: lacking.map(({ feature }) => featureLack(feature, version)).join('; '),
    ...(nowhere.length === 0
      ? {
          remedy: `No action is needed if such volumes are only created on the other vCenters: select their zones in the claims. Otherwise upgrade vCenter ${object.name}.`,
        }
      : {
          remedy: `Upgrade vCenter ${object.name}, or turn the feature off:`,
          commands: nowhere.map(({ without }) => without),
        }),
  });
};

export const featuresCheck: Check = {
  id: 'vcenter/features',
  title: 'The vCenter is new enough for all features that the spec uses.',
  meaning:
    'Block volumes work, but volumes that need a missing feature are rejected. `docs/reference/vcenter-features.md` lists the features of each version.',
  remedy: 'Upgrade the vCenter, or remove the feature from `spec.csi`.',
  action: 'None',
  judge: (cluster) => cluster.vcenters.map((facts) => judge(facts, cluster)),
};
