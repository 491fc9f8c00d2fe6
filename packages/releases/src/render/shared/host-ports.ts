/**
 * Ports that pods of the host network take. Both distributions take the same ones: the scheduler then lets only one of them
 * onto a node, so that a change of distribution hands over node by node. Two node pods at once would take each other's
 * socket and registration away.
 */
export const hostPorts = { cpi: 10_258, cpiHealth: 9811, csiNode: 9808 } as const;
