import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';
import { vdoCrds } from '@vdo/vdoctl/shared/operator/vdo-crds';

const header = '# Generated from packages/config/src/api. Do not edit: npm run generate.\n';

/** deploy/crds, as vdoctl installs them. */
export const renderCrds = (): ReadonlyMap<string, string> =>
  new Map(
    vdoCrds().map((crd) => {
      const [plural, ...group] = (crd.metadata.name ?? '').split('.');
      const text = header + manifestYaml([crd]);
      return [`deploy/crds/${group.join('.')}_${plural}.yaml`, text];
    }),
  );
