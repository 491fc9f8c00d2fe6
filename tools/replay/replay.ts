import { readFileSync } from 'node:fs';
import { type QualifyRecord, recordFormat } from '@vdo/vdoctl/commands/vsphere/qualify/record/record-file';
import { replayOnClient } from './replay-client.ts';
import { replayOnProfile } from './replay-profile.ts';

const readRecord = (file: string): QualifyRecord => {
  const record = JSON.parse(readFileSync(file, 'utf8')) as QualifyRecord;
  if (record.format !== recordFormat)
    throw new Error(`${file} is no record of vdoctl vsphere qualify --record in the format ${recordFormat}`);
  return record;
};

/** Plays a record; prints what differs. True if nothing does that cannot be explained. */
export const replay = async (
  file: string,
  release: string | undefined,
  print: (line: string) => void,
): Promise<boolean> => {
  const record = readRecord(file);
  const { version } = record.report.vcenter;
  const onClient = await replayOnClient(record);
  print(`Client: ${record.exchanges.length} exchanges of a vCenter ${version}, ${onClient.length} differences.`);
  for (const line of onClient) print(`  ${line}`);
  const profile = release ?? version;
  const onProfile = await replayOnProfile(record, profile);
  const open = onProfile.filter(({ because }) => because === undefined);
  print(`Simulator of ${profile}: ${onProfile.length} differences, ${open.length} of them not explained.`);
  for (const { what, because } of onProfile) print(`  ${what}${because === undefined ? '' : `, because ${because}`}`);
  return onClient.length === 0 && open.length === 0;
};
