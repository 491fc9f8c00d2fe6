import { names } from '@vdo/config/names';
import type { AnyObject } from '@vdo/kube/types/object';
import { hasHost } from '@vdo/releases/matrix';
import { loadReleaseSettings } from '@vdo/releases/release-settings';
import { renderOperatorGuard } from '@vdo/releases/render/operator/operator-guard';
import { renderOperator } from '@vdo/releases/render/operator/render-operator';
import { definitions } from './definitions.ts';

export interface OperatorChoice {
  /** Version of the operator, also the image's tag. */
  readonly version: string;
  /** Image without its tag. */
  readonly image: string;
  /** Mirror that takes the place of the registry host. */
  readonly registry?: string;
  readonly replicas: number;
  /** The operator serves the status page. */
  readonly dashboard?: boolean;
  /** With the policies that hold its account to its work; Kubernetes 1.30 and later has them. Default false. */
  readonly guard?: boolean;
}

export const operatorImage = names.image;

/** Everything `vdoctl install` applies: definitions first. */
export const operatorObjects = (choice: OperatorChoice): readonly AnyObject[] => {
  const { version, replicas, dashboard = false, guard = false } = choice;
  const image = { repository: choice.image, tag: version };
  // A name without a registry belongs to somebody else on the public one.
  const registry = choice.registry ?? (hasHost(choice.image) ? undefined : loadReleaseSettings().registry);
  const mirror = registry === undefined ? {} : { registry };
  const operator = renderOperator({ version, image, replicas, dashboard, ...mirror });
  return [...definitions(), ...(guard ? renderOperatorGuard() : []), ...operator].map((object) => ({ ...object }));
};
