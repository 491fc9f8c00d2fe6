import type { RoleBinding } from '@vdo/kube/types/cluster';
import { servesMetricsApart } from '../layouts.ts';
import type { Subject } from '../shared/rbac.ts';
import { bindDriverRole } from './driver-role.ts';
import { metricsReviews } from './native-roles.ts';

/** Native programs from the second layout on ask the API server who may read their metrics. */
export const bindMetricsReviews = (
  release: { readonly layout: string; readonly distribution: string },
  subject: Subject,
): readonly RoleBinding[] =>
  release.distribution === 'Native' && servesMetricsApart(release) ? [bindDriverRole(metricsReviews, subject)] : [];
