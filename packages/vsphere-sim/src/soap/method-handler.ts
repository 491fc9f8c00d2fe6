import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Input, Method, ResponseOf, Value } from '@vdo/vsphere/wire/schema';
import type { Core } from '../core.ts';
import type { ClientSession } from './client-session.ts';

/** A call of a SOAP method, as its handler receives it. */
export interface Call {
  readonly core: Core;
  readonly client: ClientSession;
  readonly signal: AbortSignal | undefined;
  /** Throws NoPermission; recorded. */
  authorize(privilege: string, object: MoRef): void;
  /** Starts a task of this method; injected task faults are carried over. */
  startTask(entity: MoRef | undefined, run: () => unknown): MoRef;
}

/** A call that needs no login. */
export interface AnonymousCall {
  readonly core: Core;
  readonly client: ClientSession | undefined;
  readonly userAgent: string;
  /** Assigns this session to the client, by cookie. */
  setSession(token: string): void;
  /** The whole request, for data in its header. */
  text(): string;
}

export interface MethodHandler {
  readonly method: Method;
  readonly anonymous?: (request: unknown, call: AnonymousCall) => unknown;
  readonly authenticated?: (request: unknown, call: Call) => unknown;
}

type Answer<M> = Input<ResponseOf<M>> | Promise<Input<ResponseOf<M>>>;
type Asked<M extends Method> = Value<M['request']>;

/** Binds a method to its implementation. The types of both come from the description of the method. */
export const handle = <M extends Method>(
  method: M,
  run: (request: Asked<M>, call: Call) => Answer<M>,
): MethodHandler => ({ method, authenticated: (request, call) => run(request as Asked<M>, call) });

/** The same for the few methods that work before login. */
export const handleAnonymous = <M extends Method>(
  method: M,
  run: (request: Asked<M>, call: AnonymousCall) => Answer<M>,
): MethodHandler => ({ method, anonymous: (request, call) => run(request as Asked<M>, call) });
