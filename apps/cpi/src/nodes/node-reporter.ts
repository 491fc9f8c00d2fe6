import type { Logger } from '@vdo/base/logger';
import type { VdoError } from '@vdo/base/vdo-error';
import type { Node } from '@vdo/kube/types/core';

/** The subject of a problem. A node can have one problem per subject. */
export type Topic = 'sync' | 'addresses' | 'topology' | 'lifecycle';

export type RecordEvent = (
  node: Node,
  event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string },
) => void;

/** Reports problems of nodes with an Event on the Node and a log line, once per change. */
export interface NodeReporter {
  /** `undefined`: the problem is resolved. */
  report(node: Node, topic: Topic, problem: VdoError | undefined): void;
  note(node: Node, reason: string, message: string): void;
  forget(nodeName: string): void;
}

/** The API server refuses longer messages. */
const maxMessage = 1024;
const fit = (text: string): string => (text.length <= maxMessage ? text : `${text.slice(0, maxMessage - 1)}…`);

export const createNodeReporter = (options: {
  readonly record: RecordEvent;
  readonly logger: Logger;
}): NodeReporter => {
  const { record, logger } = options;
  const reported = new Map<string, Map<Topic, string>>();
  const reportedOf = (name: string): Map<Topic, string> => {
    const known = reported.get(name) ?? new Map<Topic, string>();
    reported.set(name, known);
    return known;
  };

  return {
    report: (node, topic, problem) => {
      const name = node.metadata.name ?? '';
      if (!problem) {
        if (reported.get(name)?.delete(topic)) logger.info('node problem resolved', { node: name, topic });
        return;
      }
      const text = `${problem.message}. ${problem.remedy}`;
      const known = reportedOf(name);
      if (known.get(topic) === text) return;
      known.set(topic, text);
      logger.warn('node has a problem', { node: name, topic, error: problem });
      record(node, { type: 'Warning', reason: problem.code, message: fit(text) });
    },
    note: (node, reason, message) => record(node, { type: 'Normal', reason, message: fit(message) }),
    forget: (name) => {
      reported.delete(name);
    },
  };
};
