/** The claim a volume's name stands for; undefined for volumes that others asked for. */
export const claimUidOf = (volumeName: string): string | undefined => /^pvc-([0-9a-f-]{36})$/.exec(volumeName)?.[1];
