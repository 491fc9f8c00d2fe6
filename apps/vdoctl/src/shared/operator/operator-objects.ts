import { names } from '@vdo/config/names';
import type { AnyObject } from '@vdo/kube/types/object';
import { hasHost } from '@vdo/releases/matrix';
import { loadReleaseSettings } from '@vdo/releases/release-settings';
import { renderOperatorGuard } from '@vdo/releases/render/operator/operator-guard';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { vdoCrds } from './vdo-crds.ts';

export interface OperatorChoice {
  /** Version of the operator, also the tag of the image. */
  readonly version: string;
  /** Image without its tag. */
  readonly image: string;
  /** Mirror that replaces the registry of the image. */
  readonly registry?: string;
  readonly replicas: number;
  /** The operator serves the dashboard. */
  readonly dashboard?: boolean;
  /** With the admission policies that restrict the operator's account; they need Kubernetes 1.30. Default false. */
  readonly guard?: boolean;
}

export const operatorImage = names.image;

/** Everything that `vdoctl install` applies, CRDs first. */
export const operatorObjects = (choice: OperatorChoice): readonly AnyObject[] => {
  const { version, replicas, dashboard = false, guard = false } = choice;
  const image = { repository: choice.image, tag: version };
  // On a public registry, a name without a registry would be somebody else's image.
  const registry = choice.registry ?? (hasHost(choice.image) ? undefined : loadReleaseSettings().registry);
  const mirror = registry === undefined ? {} : { registry };
  const operator = renderOperator({ version, image, replicas, dashboard, ...mirror });
  return [...vdoCrds(), ...(guard ? renderOperatorGuard() : []), ...operator].map((object) => ({ ...object }));
};
