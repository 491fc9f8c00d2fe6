import { type HttpRequest, type HttpResponse, httpResponse } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { createRequestDecoder, encodeFault, encodeReply, type SoapRequest } from '@vdo/vsphere/wire/envelope';
import type { MoRef } from '@vdo/vsphere/wire/moref';
import type { Registry } from '@vdo/vsphere/wire/registry';
import type { Method } from '@vdo/vsphere/wire/schema';
import { typeTable } from '@vdo/vsphere/wire/table/type-table';
import { WireError } from '@vdo/vsphere/wire/wire-error';
import { authorize } from '../access/authorize.ts';
import { methodPrivileges } from '../access/method-privileges.ts';
import type { Core } from '../core.ts';
import { applyBefore, type FaultEffect } from '../fault-rules.ts';
import type { Session } from '../sessions.ts';
import { type FaultValue, faults, SimFault } from '../sim-fault.ts';
import { isManagedType } from '../state/type-hierarchy.ts';
import { narrowerOf } from '../version/narrow-reply.ts';
import { type Caller, callerOf, type Profile } from '../version/profile.ts';
import { readStrictly } from '../version/read-strictly.ts';
import { readXmlTree, type XmlElement } from '../version/xml-tree.ts';
import type { ClientSession } from './client-session.ts';
import type { MethodHandler } from './method-handler.ts';

export interface SoapEndpointOptions {
  readonly core: Core;
  /** `/sdk`, for the record. */
  readonly path: string;
  readonly namespace: string;
  readonly registry: Registry;
  readonly handlers: readonly MethodHandler[];
  /** The simulated release: requests are validated strictly against its types. */
  readonly profile: Profile;
  /** Namespaces that are accepted in addition to `namespace`. */
  readonly alsoSpeaks?: string;
  /** Where the session is sent. Default `vmware_soap_session`, valid everywhere. */
  readonly cookie?: { readonly name: string; readonly path: string };
  /** Takes the session from the SOAP header, and returns a cookie of its own that no other endpoint knows. */
  readonly ownCookies?: boolean;
  /** What belongs to a session, kept across endpoints. */
  readonly clientOf: (session: Session) => ClientSession;
}

const headers = { 'content-type': 'text/xml; charset=utf-8' };

interface Spoken {
  readonly caller: Caller;
}

/** Faults that the table knows only by their base type are sent with its fields, under their own name. */
const withSubtypes = (registry: Registry): Registry => ({
  ...registry,
  find: (name) => {
    for (let at: string | undefined = name; at; at = typeTable().types.get(at)?.base) {
      const plan = registry.find(at);
      if (plan) return plan;
    }
    return undefined;
  },
});

/** Serves the methods of one SOAP endpoint: decodes, finds the session, applies faults, calls the method, encodes. */
export const createSoapEndpoint = (options: SoapEndpointOptions): ((request: HttpRequest) => Promise<HttpResponse>) => {
  const { core, registry, namespace, cookie = { name: 'vmware_soap_session', path: '/' } } = options;
  const byName = new Map(options.handlers.map((handler) => [handler.method.name, handler]));
  const accepted = createAccepted();
  const decodeRequest = createRequestDecoder(
    registry,
    options.handlers.map(({ method }) => method),
  );

  const answerFault = ({ message, fault }: SimFault, caller: Caller | undefined): HttpResponse => {
    const reported = caller ? (narrowerOf(caller.version).narrow('MethodFault', fault) as FaultValue) : fault;
    const spoken = caller?.namespace ?? namespace;
    return httpResponse(
      500,
      encodeFault(withSubtypes(registry), { namespace: spoken, message, fault: reported }),
      headers,
    );
  };

  let given = 0;
  const own = new Map<string, string>();
  /** A client without a known cookie gets one: without a session, or for this endpoint only. */
  const withCookie = (response: HttpResponse, token: string): HttpResponse => {
    if (options.cookie !== undefined || response.headers['set-cookie'] !== undefined) return response;
    given += 1;
    const value = `${options.path.slice(1)}-${given}`;
    if (options.ownCookies) own.set(value, token);
    const text = `${cookie.name}="${value}"; Path=${cookie.path}; HttpOnly; Secure`;
    return { ...response, headers: { ...response.headers, 'set-cookie': text } };
  };

  const exchange = async (http: HttpRequest, soap: SoapRequest & Spoken): Promise<HttpResponse> => {
    const shown = sessionCookie(http.headers['cookie'], cookie.name) ?? '';
    const token = options.ownCookies ? (soap.header.vcSessionCookie ?? own.get(shown) ?? '') : shown;
    const isKnown = options.ownCookies ? own.has(shown) : core.sessions.find(token) !== undefined;
    const target = (soap.args['_this'] as MoRef | undefined)?.value;
    const user = core.sessions.use(token)?.user;
    const effects = core.faults.strike({ method: soap.name, target, user });
    const record = (result: string) =>
      core.recorder.call({
        atMs: core.clock.now(),
        endpoint: options.path,
        method: soap.name,
        target,
        user,
        operationId: soap.header.operationID,
        result,
      });
    const release = core.sessions.hold(token);
    try {
      const { result, response } = await carryOut({ http, soap, token, effects });
      record(result);
      return isKnown ? response : withCookie(response, token);
    } catch (error) {
      if (error instanceof HttpFailure) record('dropped');
      if (!(error instanceof SimFault)) throw error;
      record(error.fault.$type);
      return answerFault(error, soap.caller);
    } finally {
      release();
    }
  };

  const carryOut = async (call: {
    readonly http: HttpRequest;
    readonly soap: SoapRequest & Spoken;
    readonly token: string;
    readonly effects: readonly FaultEffect[];
  }): Promise<{ readonly response: HttpResponse; readonly result: string }> => {
    const { http, soap, token, effects } = call;
    await applyBefore(effects, {
      clock: core.clock,
      expireSession: () => core.sessions.logout(token),
      ...(http.signal ? { signal: http.signal } : {}),
    });
    const plain = effects.find((effect) => effect.kind === 'http');
    if (plain) {
      const response = httpResponse(plain.status, plain.body ?? '', { 'content-type': 'text/html' });
      return { response, result: String(plain.status) };
    }
    const response = await dispatch({ http, soap, session: core.sessions.use(token), effects });
    if (effects.some((effect) => effect.kind === 'drop' && effect.when === 'after')) throw dropped();
    return { response, result: 'ok' };
  };

  const dispatch = async (call: {
    readonly http: HttpRequest;
    readonly soap: SoapRequest & Spoken;
    readonly session: Session | undefined;
    readonly effects: readonly FaultEffect[];
  }): Promise<HttpResponse> => {
    const { soap, session, http } = call;
    const handler = byName.get(soap.name);
    if (!handler) throw faults.invalidRequest(`Unable to resolve WSDL method name ${soap.name}`);
    const cookies: Record<string, string> = {};
    const client = session && options.clientOf(session);
    if (handler.anonymous) {
      const setSession = (token: string) => {
        cookies['set-cookie'] = `${cookie.name}="${token}"; Path=${cookie.path}; HttpOnly; Secure; SameSite=Lax`;
      };
      const value = await handler.anonymous(soap.args, {
        core,
        client,
        userAgent: http.headers['user-agent'] ?? '',
        setSession,
        text: () => Buffer.from(http.body ?? '').toString('utf8'),
      });
      return httpResponse(200, reply(handler.method, value, soap.caller), { ...headers, ...cookies });
    }
    if (!client) throw faults.notAuthenticated(soap.args['_this'] as MoRef);
    demand(core, client, soap);
    const { user } = client.session;
    const value = await handler.authenticated?.(soap.args, {
      core,
      client,
      signal: http.signal,
      authorize: (privilege, object) => authorize(core, client.session, privilege, object),
      startTask: (entity, run) =>
        core.tasks.start({ method: soap.name, user, effects: call.effects, run, ...(entity ? { entity } : {}) }),
    });
    return httpResponse(200, reply(handler.method, value, soap.caller), headers);
  };

  /** In the version of the caller, and in its namespace. */
  const reply = (method: Method, value: unknown, caller: Caller): string => {
    const result = typeTable().method(caller.namespace, method.name)?.result.type;
    const reported = result ? narrowerOf(caller.version).narrow(result, value) : value;
    const spoken = { ...method, namespace: caller.namespace };
    return encodeReply(registry, spoken, reported as Parameters<typeof encodeReply<Method>>[2]);
  };

  const read = async (http: HttpRequest): Promise<(SoapRequest & Spoken) | SimFault> => {
    try {
      const text = Buffer.from(http.body ?? '').toString('utf8');
      const caller = callerIn(options, http);
      const before = accepted.get(caller, text);
      if (before) return before;
      readStrictly(parse(text), caller);
      const request = { ...(await decodeRequest([text])), caller };
      accepted.keep(caller, text, request);
      return request;
    } catch (error) {
      if (error instanceof SimFault) return error;
      if (!(error instanceof WireError) || error.kind === 'unencodable') throw error;
      return faults.invalidRequest(`XML document could not be read: ${error.message}`);
    }
  };

  return async (http) => {
    const request = await read(http);
    if (!(request instanceof SimFault)) return exchange(http, request);
    core.recorder.call({
      atMs: core.clock.now(),
      endpoint: options.path,
      method: 'refused',
      target: undefined,
      user: undefined,
      result: request.message,
    });
    return answerFault(request, undefined);
  };
};

/** The sender of a request. Throws InvalidRequest if a vCenter of this release would refuse it. */
const callerIn = (
  { namespace, alsoSpeaks, profile }: Pick<SoapEndpointOptions, 'namespace' | 'alsoSpeaks' | 'profile'>,
  { headers: sent }: HttpRequest,
): Caller => {
  const caller = callerOf(profile, sent['soapaction'] ?? namespace);
  if (typeof caller === 'string') throw faults.invalidRequest(caller);
  if (caller.namespace !== namespace && caller.namespace !== alsoSpeaks)
    throw faults.invalidRequest(`Unsupported namespace "${caller.namespace}"`);
  return caller;
};

const acceptedCount = 500;
const acceptedLength = 4_000;

/** Requests that were validated and accepted: clients repeat them, and validation is most of the work. */
const createAccepted = () => {
  const requests = new Map<string, SoapRequest & Spoken>();
  const keyOf = ({ version, namespace }: Caller, text: string) => `${version} ${namespace} ${text}`;
  return {
    get: (caller: Caller, text: string): (SoapRequest & Spoken) | undefined => requests.get(keyOf(caller, text)),
    keep: (caller: Caller, text: string, request: SoapRequest & Spoken): void => {
      if (requests.size >= acceptedCount) requests.clear();
      if (text.length <= acceptedLength) requests.set(keyOf(caller, text), request);
    },
  };
};

const parse = (text: string): XmlElement => {
  try {
    return readXmlTree(text);
  } catch (error) {
    throw faults.invalidRequest(`XML document could not be read: ${error instanceof Error ? error.message : error}`);
  }
};

/** The object of a method must exist, and the caller must have the privileges that the method requires on it. */
const demand = (core: Core, client: ClientSession, { name, args }: SoapRequest): void => {
  const target = args['_this'] as MoRef;
  if (isManagedType(target.type, 'ManagedEntity') && !core.store.get(target))
    throw faults.managedObjectNotFound(target);
  for (const { privilege, on = '_this' } of methodPrivileges[name] ?? [])
    for (const object of [args[on]].flat() as readonly MoRef[]) {
      if (isManagedType(object.type, 'ManagedEntity') && !core.store.get(object))
        throw faults.managedObjectNotFound(object);
      authorize(core, client.session, privilege, object);
    }
};

const dropped = (): HttpFailure => new HttpFailure('interrupted', 'the connection was dropped');

const sessionCookie = (header: string | undefined, name: string): string | undefined => {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value) return value.replaceAll('"', '');
  }
  return undefined;
};
