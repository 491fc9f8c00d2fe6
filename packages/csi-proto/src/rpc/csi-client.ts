import {
  create,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';

/** A gRPC client for one service, over a real connection. */
export type CsiClient<S extends DescService> = {
  readonly [M in keyof S['method']]: (
    request: MessageInitShape<S['method'][M]['input']>,
    options?: { readonly timeoutMs?: number },
  ) => Promise<MessageShape<S['method'][M]['output']>>;
} & { close(): void };

export const createCsiClient = <S extends DescService>(service: S, target: string): CsiClient<S> => {
  const client = new Client(target, credentials.createInsecure());
  const calls = service.methods.map((method) => [
    method.localName,
    (request: MessageInitShape<typeof method.input>, { timeoutMs = 10_000 } = {}) =>
      new Promise((resolve, reject) =>
        client.makeUnaryRequest(
          `/${service.typeName}/${method.name}`,
          (message: MessageShape<typeof method.input>) => Buffer.from(toBinary(method.input, message)),
          (bytes: Buffer) => fromBinary(method.output, bytes),
          create(method.input, request),
          new Metadata(),
          { deadline: Date.now() + timeoutMs },
          (error: ServiceError | null, reply) => (error ? reject(error) : resolve(reply)),
        ),
      ),
  ]);
  return { ...Object.fromEntries(calls), close: () => client.close() } as CsiClient<S>;
};
