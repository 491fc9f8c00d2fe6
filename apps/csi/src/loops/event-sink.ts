import type { VdoError } from '@vdo/base/vdo-error';
import type { KubeObject } from '@vdo/kube/types/object';

/** Events on Kubernetes objects. Recording never fails the work it tells about. */
export interface EventSink {
  normal(object: KubeObject, reason: string, message: string): void;
  warning(object: KubeObject, reason: string, message: string): void;
}

/** An error as people read it in an event: what happened, what helps, and the code to look up. */
export const eventMessage = ({ message, remedy, code }: VdoError): string => `${message}. ${remedy} [${code}]`;
