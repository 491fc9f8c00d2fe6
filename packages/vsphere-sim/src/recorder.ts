/** One call that the vCenter received. */
export interface RecordedCall {
  readonly atMs: number;
  /** `/sdk`, `/vsanHealth`, `/rest`, … */
  readonly endpoint: string;
  /** The SOAP method, or `GET /rest/…`. */
  readonly method: string;
  readonly target: string | undefined;
  readonly user: string | undefined;
  /** What the caller said that the call is for. */
  readonly operationId?: string | undefined;
  /** `ok`, a fault's type, an HTTP status or `dropped`. */
  readonly result: string;
}

export interface UsedPrivilege {
  readonly user: string;
  readonly privilege: string;
  /** `VirtualMachine:vm-42`. */
  readonly object: string;
  readonly granted: boolean;
}

/** Records calls and privilege checks, so that tests can count them and determine a least-privilege role. */
export interface Recorder {
  call(call: RecordedCall): void;
  privilege(used: UsedPrivilege): void;
  /** At least the latest 100,000, oldest first; the others are only counted: a simulator may run for days. */
  calls(): readonly RecordedCall[];
  /** All calls so far; of one method if named. */
  count(method?: string): number;
  /** Each (user, privilege, object) once. */
  privileges(): readonly UsedPrivilege[];
  clear(): void;
}

const kept = 100_000;

export const createRecorder = (): Recorder => {
  let calls: RecordedCall[] = [];
  let total = 0;
  const byMethod = new Map<string, number>();
  const privileges = new Map<string, UsedPrivilege>();
  return {
    call: (call) => {
      calls.push(call);
      total += 1;
      byMethod.set(call.method, (byMethod.get(call.method) ?? 0) + 1);
      // Done rarely, so that it costs nothing per call.
      if (calls.length >= 2 * kept) calls = calls.slice(-kept);
    },
    privilege: (used) => {
      privileges.set(`${used.user} ${used.privilege} ${used.object} ${used.granted}`, used);
    },
    calls: () => calls,
    count: (method) => (method === undefined ? total : (byMethod.get(method) ?? 0)),
    privileges: () => [...privileges.values()],
    clear: () => {
      calls = [];
      total = 0;
      byMethod.clear();
      privileges.clear();
    },
  };
};
