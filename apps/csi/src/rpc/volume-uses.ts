import { VolumeCapability_AccessMode_Mode as Mode, type VolumeCapability } from '@vdo/csi-proto/gen/csi-pb';
import { isAccessMode, type VolumeUse } from '../volumes/volume-access.ts';

const modeNames = new Map(Object.entries(Mode).map(([name, number]) => [number, name]));

/** Converts the VolumeCapabilities of CSI. */
export const toVolumeUses = (capabilities: readonly VolumeCapability[]): readonly VolumeUse[] =>
  capabilities.map(({ accessType, accessMode }) => {
    const mode = modeNames.get(accessMode?.mode ?? Mode.UNKNOWN);
    return {
      kind: accessType.case,
      fsType: accessType.case === 'mount' ? accessType.value.fsType : '',
      mode: isAccessMode(mode) ? mode : undefined,
    };
  });
