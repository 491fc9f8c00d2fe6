import { names } from '@vdo/config/names';
import { loadReleaseSettings } from '@vdo/releases/release-settings';
import { renderOperatorGuard } from '@vdo/releases/render/operator/operator-guard';
import { renderAllSecretsRole } from '@vdo/releases/render/operator/render-all-secrets-role';
import { renderCniRole } from '@vdo/releases/render/operator/render-cni-role';
import { renderDashboardRole } from '@vdo/releases/render/operator/render-dashboard-role';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { manifestYaml } from '@vdo/releases/render/shared/manifest-yaml';

const header = '# Generated from packages/releases/src/render. Do not edit: npm run generate.\n';
const guardHeader = `${header}# Holds the operator's account to its work. Kubernetes 1.30 and later; apply it before operator.yaml.\n`;
const secretsHeader = `${header}# Only for upstream cloud controller managers before 1.32, which read the Secrets of all namespaces.\n`;
const cniHeader = `${header}# Only for spec.cni.manifest. Whoever may change that manifest has, by it, the rights of an administrator.\n`;

/** deploy/operator.yaml: namespaces, rights and Deployment of the operator; deploy/cni-role.yaml: what few clusters add. */
export const renderOperatorManifest = (version: string): ReadonlyMap<string, string> => {
  const { registry } = loadReleaseSettings();
  const objects = renderOperator({ version, image: { repository: names.image, tag: version }, registry });
  return new Map([
    ['deploy/operator.yaml', header + manifestYaml(objects)],
    ['deploy/operator-guard.yaml', guardHeader + manifestYaml(renderOperatorGuard())],
    ['deploy/all-secrets-role.yaml', secretsHeader + manifestYaml(renderAllSecretsRole())],
    ['deploy/cni-role.yaml', cniHeader + manifestYaml(renderCniRole())],
    [
      'deploy/dashboard-role.yaml',
      `${header}# Only for an operator that runs with --dashboard.\n${manifestYaml(renderDashboardRole())}`,
    ],
  ]);
};
