import type { DescMethodUnary, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { CallContext } from './call-context.ts';

/** One operation of a service: takes a complete message and returns the fields of the reply. Failures are VdoErrors. */
export type UnaryHandler<M> = M extends { readonly input: infer I; readonly output: infer O }
  ? I extends DescMethodUnary['input']
    ? O extends DescMethodUnary['output']
      ? (request: MessageShape<I>, context: CallContext) => Promise<MessageInitShape<O>>
      : never
    : never
  : never;

/** The implemented operations of a service; the others return UNIMPLEMENTED. */
export type ServiceHandlers<S extends DescService> = {
  readonly [M in keyof S['method']]?: UnaryHandler<S['method'][M]>;
};
