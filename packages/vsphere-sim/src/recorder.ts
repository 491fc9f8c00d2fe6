/** One call as the vCenter saw it. */
export interface RecordedCall {
  readonly atMs: number;
  /** `/sdk`, `/vsanHealth`, `/rest`, … */
  readonly endpoint: string;
  /** The SOAP method, or `GET /rest/…`. */
  readonly method: string;
  readonly target: string | undefined;
  readonly user: string | undefined;
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

/** Remembers calls and privilege checks: what a test asks to count, and what a least-privilege role needs. */
export interface Recorder {
  call(call: RecordedCall): void;
  privilege(used: UsedPrivilege): void;
  calls(): readonly RecordedCall[];
  /** Calls so far; of one method if named. */
  count(method?: string): number;
  /** Each (user, privilege, object) once. */
  privileges(): readonly UsedPrivilege[];
  clear(): void;
}

export const createRecorder = (): Recorder => {
  let calls: RecordedCall[] = [];
  const privileges = new Map<string, UsedPrivilege>();
  return {
    call: (call) => {
      calls.push(call);
    },
    privilege: (used) => {
      privileges.set(`${used.user} ${used.privilege} ${used.object} ${used.granted}`, used);
    },
    calls: () => calls,
    count: (method) => (method === undefined ? calls.length : calls.filter((call) => call.method === method).length),
    privileges: () => [...privileges.values()],
    clear: () => {
      calls = [];
      privileges.clear();
    },
  };
};
