import type { CommandRun } from '../../cli/command-run.ts';
import { printResult } from '../../output/print-result.ts';
import { readSigned, type SignedMatrix } from '../../shared/releases/read-signed.ts';
import { trustedKeys } from '../../shared/releases/trusted-keys.ts';
import type { MatrixVerifyFlags } from './commands.ts';

export const summaryOf = ({ matrix, keyId, source }: SignedMatrix) => ({
  source,
  serial: matrix.serial,
  published: matrix.published,
  releases: matrix.releases.length,
  keyId,
});

export const summaryLine = ({ matrix, keyId }: SignedMatrix): string =>
  `serial ${matrix.serial}, published ${matrix.published}, ${matrix.releases.length} releases, signed with key ${keyId}`;

/** vdoctl matrix verify SOURCE */
export const matrixVerify: CommandRun<MatrixVerifyFlags> = async (context, flags, [source = '']) => {
  const keys = await trustedKeys(context, flags);
  const signed = await readSigned(context, source, { trustedKeys: keys, signatureFile: flags.signature });
  printResult(context, flags.output, {
    data: summaryOf(signed),
    lines: () => [`${source} is valid: ${summaryLine(signed)}.`],
  });
};
