/**
 * Ports of pods on the host network. Both distributions use the same ones: the scheduler then allows only one of them
 * on a node, so that a change of distribution proceeds node by node. Two node pods at the same time would remove each other's
 * socket and registration.
 */
export const hostPorts = { cpi: 10_258, cpiHealth: 9811, csiNode: 9808 } as const;
