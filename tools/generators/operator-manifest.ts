import { manifestYaml } from '@vdo/releases/render/manifest-yaml';
import { renderOperator } from '@vdo/releases/render/render-operator';

const header = '# Generated from packages/releases/src/render. Do not edit: npm run generate.\n';

/** deploy/operator.yaml: namespaces, rights and Deployment of the operator, in the version of the repository. */
export const renderOperatorManifest = (version: string): ReadonlyMap<string, string> => {
  const objects = renderOperator({ version, image: { repository: 'vdo/vdo', tag: version } });
  return new Map([['deploy/operator.yaml', header + manifestYaml(objects)]]);
};
