import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { createSystemClock } from '@vdo/base/clock';
import { type HttpTransport, readBody } from '@vdo/base/http';
import { createHttpClient, type HttpClient } from '@vdo/base/http-client';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom, createSystemRandom, type Random } from '@vdo/base/random';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../harness/control-plane.ts';
import { randomWrite, subjects, thingDefinition, type Write } from './random-writes.ts';

const seedsPerKind = 60;
const writesPerSeed = 12;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const send = async (transport: HttpTransport, { method, path, type, body }: Write): Promise<Answer> => {
  const headers = { accept: 'application/json', 'content-type': type, 'user-agent': 'differential/1' };
  const reply = await transport({ method, path, headers, body: JSON.stringify(body) });
  return { status: reply.status, body: JSON.parse((await readBody(reply.body)).toString()) };
};

const volatile = ['uid', 'resourceVersion', 'creationTimestamp', 'time', 'deletionTimestamp', 'generation'];

/** Takes out what two servers can never agree on: ids, versions, times. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string') return value.replaceAll(/ at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '');
  if (typeof value !== 'object' || value === null) return value;
  const isBlank = (name: string, child: unknown) =>
    ['labels', 'annotations'].includes(name) && (child === null || isDeepStrictEqual(child, {}));
  const kept = Object.entries(value).filter(([name, child]) => !volatile.includes(name) && !isBlank(name, child));
  return Object.fromEntries(kept.map(([name, child]) => [name, comparable(child)]));
};

interface Entry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: unknown;
}

const idOf = ({ manager, operation, subresource }: Entry): string => [operation, manager, subresource].join(' ');

const withoutDots = (fields: unknown): unknown => {
  if (typeof fields !== 'object' || fields === null) return fields;
  const kept = Object.entries(fields).filter(([name]) => name !== '.');
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutDots(child)]));
};

/**
 * Owners in a fixed order. Whether an updater owns a struct itself (`.`) depends on which Go fields are pointers; nothing
 * follows from it, and the simulator has no such types of built-in kinds.
 */
const owners = (entries: readonly Entry[], isCustom: boolean): readonly Entry[] =>
  entries
    .map((entry) =>
      entry.operation === 'Update' && !isCustom ? { ...entry, fieldsV1: withoutDots(entry.fieldsV1) } : entry,
    )
    .sort((a, b) => idOf(a).localeCompare(idOf(b)));

/** What of an answer must agree: the content and the owners of an object, or the reason and the fields of a refusal. */
const essence = ({ status: code, body }: Answer): unknown => {
  if (code >= 400) {
    const causes = (body['details'] as { causes?: { field?: string }[] } | undefined)?.causes ?? [];
    return { code, reason: body['reason'], fields: [...new Set(causes.map(({ field }) => field))].sort() };
  }
  const { metadata, ...content } = comparable(body) as { metadata: { managedFields?: readonly Entry[] }; kind: string };
  return {
    code,
    ...content,
    metadata: { ...metadata, managedFields: owners(metadata.managedFields ?? [], content.kind === 'Thing') },
  };
};

describe('kube-sim and kube-apiserver give the same answers to the same writes', () => {
  let plane: ControlPlane;
  let client: HttpClient;
  const sim = createKubeSim({ clock: createSystemClock(), random: createSystemRandom(), logger: silentLogger });

  beforeAll(async () => {
    plane = await startControlPlane({ controllers: [] });
    const [cert, key] = await Promise.all(
      [plane.adminClientCertPath, plane.adminClientKeyPath].map((path) => readFile(path, 'utf8')),
    );
    client = createHttpClient({
      origin: plane.url,
      tls: { caBundle: plane.caCert, ...(cert && { cert }), ...(key && { key }) },
    });
    const create: Write = {
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      type: 'application/json',
      body: thingDefinition,
    };
    for (const transport of [client.transport, sim.handler]) expect((await send(transport, create)).status).toBe(201);
    await plane.kubectl(['wait', '--for=condition=Established', 'crd/things.example.com', '--timeout=30s']);
  });
  afterAll(async () => {
    await client?.close();
    await plane?.stop();
  });

  const compare = async (random: Random, subject: (typeof subjects)[number], name: string): Promise<void> => {
    let before: unknown;
    for (let count = 1; count <= writesPerSeed; count++) {
      const write = randomWrite(random, subject, name);
      const [real, simulated] = [await send(client.transport, write), await send(sim.handler, write)];
      const story = [
        `write ${count}: ${JSON.stringify(write)}`,
        `before: ${JSON.stringify(before)}`,
        `real: ${JSON.stringify(comparable(real.body))}`,
      ];
      expect(essence(simulated), story.join('\n')).toEqual(essence(real));
      if (real.status < 400) before = comparable(real.body);
    }
  };

  test.each(
    subjects.flatMap((subject) =>
      Array.from({ length: seedsPerKind }, (_, seed) => ({ kind: subject.kind, seed, subject })),
    ),
  )('random writes to a $kind, seed $seed', ({ seed, subject }) =>
    compare(createSeededRandom(seed + 1), subject, `s${seed}`),
  );
});
