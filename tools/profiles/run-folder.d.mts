export const mountsBelow: (mountinfo: string, folder: string) => readonly string[];
export const loopDevicesBelow: (listing: string, folder: string) => readonly string[];
export const removeRunFolder: (folder: string) => void;
export const abandonedFolders: (parent?: string) => readonly string[];
export const createRunFolder: () => string;
