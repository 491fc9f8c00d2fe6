import type { VSphereDriversSpecInput } from '@vdo/config/api/vsphere-drivers';

export interface Answers {
  readonly server: string;
  readonly port: number;
  readonly thumbprint?: string;
  readonly caBundle?: string;
  readonly insecure: boolean;
  readonly secret?: string;
  readonly distribution?: 'Native' | 'Upstream';
  readonly datacenters: readonly string[];
  readonly region?: string;
  readonly zone?: string;
  readonly storagePolicy?: string;
  readonly datastoreUrl?: string;
  readonly network?: string;
  readonly fileVolumes: boolean;
  readonly cpi: boolean;
  readonly csi: boolean;
}

export const defaultSecret = 'vcenter';

export type SpecDraft = Partial<VSphereDriversSpecInput>;

const given = <T extends Readonly<Record<string, unknown>>>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

const tlsOf = ({ thumbprint, caBundle, insecure }: Answers) => {
  if (insecure) return { insecure };
  if (thumbprint !== undefined) return { thumbprints: [thumbprint] };
  return caBundle === undefined ? undefined : { caBundle };
};

const vcentersOf = (base: SpecDraft, answers: Answers): VSphereDriversSpecInput['vcenters'] => {
  const { server, port, secret, datacenters } = answers;
  const before = base.vcenters ?? [];
  const same = (one: { readonly server: string }) => one.server.toLowerCase() === server.toLowerCase();
  const old = before.find(same);
  const entry = {
    ...old,
    server,
    credentialsSecret: secret ?? old?.credentialsSecret ?? defaultSecret,
    ...given({
      port: port === 443 ? undefined : port,
      tls: tlsOf(answers),
      datacenters: datacenters.length > 0 ? [...datacenters] : undefined,
    }),
  };
  return before.some(same) ? before.map((one) => (same(one) ? entry : one)) : [...before, entry];
};

/** The StorageClass from the answers; existing settings are kept. */
const storageClassesOf = (base: SpecDraft, { storagePolicy, datastoreUrl }: Answers) => {
  const before = base.csi?.storageClasses ?? [];
  const name = 'vsphere';
  if (storagePolicy === undefined && datastoreUrl === undefined) return before;
  const others = before.filter((one) => one.name !== name);
  const isDefault = !others.some((one) => one.default);
  return [...others, { name, default: isDefault, ...given({ storagePolicy, datastoreUrl }) }];
};

/** The spec as a user would write it: the answers, merged into the existing spec. */
export const draftSpec = (base: SpecDraft, answers: Answers): SpecDraft => {
  const { region, zone, network, fileVolumes, distribution } = answers;
  // If the existing configuration has only one driver, this is kept; a new one gets both.
  const isNew = (base.vcenters ?? []).length === 0;
  const cpi = answers.cpi && (isNew || base.cpi !== undefined);
  const csi = answers.csi && (isNew || base.csi !== undefined);
  const classes = storageClassesOf(base, answers);
  const { cpi: oldCpi, csi: oldCsi, topology, ...rest } = base;
  const addresses =
    network === undefined ? undefined : { ...oldCpi?.addresses, internal: { ...oldCpi?.addresses?.internal, network } };
  const tags = given({ region, zone });
  return {
    ...rest,
    ...given({ distribution }),
    vcenters: vcentersOf(base, answers),
    ...(cpi ? { cpi: { ...oldCpi, ...given({ addresses }) } } : {}),
    ...(csi
      ? {
          csi: {
            ...oldCsi,
            ...(fileVolumes ? { fileVolumes: oldCsi?.fileVolumes ?? {} } : {}),
            ...(classes.length > 0 ? { storageClasses: classes } : {}),
          },
        }
      : {}),
    ...(topology || Object.keys(tags).length > 0 ? { topology: { ...topology, ...tags } } : {}),
  } as SpecDraft;
};
