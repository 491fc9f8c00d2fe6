import { aborted } from '@vdo/base/async/aborted';
import { allowManyListeners } from '@vdo/base/async/many-listeners';
import type { Clock } from '@vdo/base/clock';
import { httpResponse } from '@vdo/base/http';
import { serveHttp } from '@vdo/base/http-server';
import { createSelfSigned } from '@vdo/base/self-signed';
import type { Container, Pod } from '@vdo/kube/types/core';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';

interface HttpProbe {
  readonly httpGet?: { readonly port: number | string; readonly scheme?: string };
}

const portOf = ({ ports = [] }: Container, port: number | string): number =>
  typeof port === 'number' ? port : (ports.find(({ name }) => name === port)?.containerPort ?? 0);

/**
 * Stands in for images that are not here: it answers the readiness probe and does nothing else. What it shows is how the API
 * server takes the objects, and that pods come and go in their order.
 */
export const createPretender =
  (find: (key: { readonly name: string; readonly namespace: string }) => Promise<Pod>, clock: Clock): ContainerRunner =>
  async ({ pod, container }, { signal }) => {
    // All containers of a pod listen to it, and upstream's controller has seven.
    allowManyListeners(signal);
    const ended = aborted(signal);
    const probe = (container.readinessProbe as HttpProbe | undefined)?.httpGet;
    if (!probe) return ended;
    const { name = '', namespace = '' } = pod.metadata;
    const host = (await find({ name, namespace })).status?.podIP ?? '';
    const pair = createSelfSigned({ commonName: 'pretender.example', hosts: [host], nowMs: clock.now() });
    const server = await serveHttp({
      handler: async () => httpResponse(200, 'ok'),
      host,
      port: portOf(container, probe.port),
      ...(probe.scheme === 'HTTPS' ? { tls: { cert: pair.cert, key: pair.key } } : {}),
    });
    await ended;
    await server.close();
  };
