import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { handleUnaryCall, ServerUnaryCall, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { openFence } from '@vdo/base/fence';
import { redactText } from '@vdo/base/redact';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CallContext } from './call-context.ts';
import { grpcStatusOfError } from './grpc-status.ts';
import type { OperationObserver } from './operation-observer.ts';
import type { ServiceHandlers } from './service-handlers.ts';

type AnyHandler = (request: Message, context: CallContext) => Promise<MessageInitShape<DescMethod['output']>>;

export interface GrpcServiceOptions {
  readonly observer: OperationObserver;
  /** Aborted when the server stops. */
  readonly lifetime: AbortSignal;
}

export interface GrpcService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

const unimplemented = (service: DescService, method: DescMethod): VdoError =>
  new VdoError({
    code: 'Unimplemented',
    message: `${service.typeName}/${method.name} is not implemented in this version`,
    remedy: 'Ask the driver for its capabilities before calling optional methods.',
  });

const definitionOf = (service: DescService): ServiceDefinition =>
  Object.fromEntries(
    service.methods.map((method) => [
      method.localName,
      {
        path: `/${service.typeName}/${method.name}`,
        requestStream: method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
        responseStream: method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
        requestSerialize: (message: Message) => Buffer.from(toBinary(method.input, message)),
        requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
        responseSerialize: (message: Message) => Buffer.from(toBinary(method.output, message)),
        responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
      },
    ]),
  );

const cancellationOf = (call: ServerUnaryCall<Message, Message>): AbortSignal => {
  const controller = new AbortController();
  call.on('cancelled', () => controller.abort());
  return controller.signal;
};

/** IDs and names in requests that identify an operation in the log; never secrets. */
const logFieldsOf = (request: Message): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ['name', 'volumeId', 'nodeId', 'snapshotId', 'sourceVolumeId'].flatMap((field) => {
      const value = (request as unknown as Readonly<Record<string, unknown>>)[field];
      return typeof value === 'string' && value !== '' ? [[field, value]] : [];
    }),
  );

const statusOf = (error: VdoError): { readonly code: number; readonly details: string } => ({
  code: grpcStatusOfError(error),
  details: redactText(`${error.message}. ${error.remedy} [${error.code}]`),
});

/** A service in the format of grpc-js. VdoErrors are converted to gRPC statuses only here. */
export const toGrpcService = <S extends DescService>(
  service: S,
  handlers: ServiceHandlers<S>,
  { observer, lifetime }: GrpcServiceOptions,
): GrpcService => {
  const byName = handlers as Readonly<Record<string, AnyHandler | undefined>>;

  const serve =
    (method: DescMethod): handleUnaryCall<Message, Message> =>
    (call, reply) => {
      // A caller on the socket (a sidecar) holds its own Lease.
      const context: CallContext = { signal: cancellationOf(call), lifetime, fence: openFence };
      const handler: AnyHandler = byName[method.localName] ?? (() => Promise.reject(unimplemented(service, method)));
      observer
        .observe(method.name, logFieldsOf(call.request), () => handler(call.request, context))
        .then(
          (result) => reply(null, create(method.output, result)),
          (error) => reply(statusOf(toVdoError(error))),
        );
    };

  return {
    definition: definitionOf(service),
    implementation: Object.fromEntries(
      service.methods
        .filter(({ methodKind }) => methodKind === 'unary')
        .map((method) => [method.localName, serve(method)]),
    ),
  };
};
