import { anyPlan, createFrames, type Frame, mode } from './decode-frame.ts';
import { fieldOf, type Tag, toTag } from './decode-tag.ts';
import type { MoRef } from './moref.ts';
import type { ObjectPlan, Plan, Registry } from './registry.ts';
import { createUtf8Decoder } from './utf8.ts';
import { WireError } from './wire-error.ts';
import { createXmlScanner } from './xml-scanner.ts';
import { createTagCache, type TagCache } from './xml-tags.ts';

export interface DecodeLimits {
  /** 256 MiB by default. */
  readonly maxBytes?: number;
  /** Maximum nesting depth of elements; 200 by default. */
  readonly maxDepth?: number;
  /** Approximate limit for the decoded data in bytes: four characters of XML can become an object of a hundred bytes. 128 MiB by default. */
  readonly maxWeight?: number;
}

/** Replaces each object of a type as soon as it is read, so that large replies need little memory. */
export interface Conversion {
  readonly type: string;
  readonly apply: (object: unknown) => unknown;
}

/** The object to which a value in a reply belongs, if the reply contains it. */
export interface ValueOwner {
  readonly object?: MoRef | undefined;
  readonly property?: string | undefined;
}

export interface DecoderOptions extends DecodeLimits {
  readonly registry: Registry;
  /** The name of the root element; any other name is `not-soap`. */
  readonly rootName: string;
  readonly root: Plan;
  readonly convert?: Conversion | undefined;
  /** Called with each unreadable value that is ignored because the rest of the reply does not depend on it. */
  readonly onUnreadable?: ((path: string, why: string, owner: ValueOwner) => void) | undefined;
}

/** Decodes chunks of XML to one typed value, without an intermediate tree. It must not be used after an error. */
export interface Decoder {
  write(chunk: Uint8Array | string): void;
  /** The value of the root element. Throws WireError if the text is not complete. */
  end(): unknown;
}

/** Memory for an element besides its text. */
const elementWeight = 100;

const refPlan: Plan = { kind: 'ref' };
const blank = /^\s*$/;

/** The meaning of a tag depends only on the types, so documents share the parsed tags. */
const tagsOf = new WeakMap<Registry, TagCache<Tag>>();
const knownTags = (registry: Registry): TagCache<Tag> => {
  const known = tagsOf.get(registry) ?? createTagCache<Tag>();
  tagsOf.set(registry, known);
  return known;
};

/** Creates a streaming decoder for one document. */
export const createDecoder = (options: DecoderOptions): Decoder => {
  const { registry, convert, maxBytes = 256 * 1024 * 1024, maxDepth = 200, maxWeight = 128 * 1024 * 1024 } = options;
  const frames = createFrames();
  const utf8 = createUtf8Decoder();
  let depth = 0;
  let bytes = 0;
  let weight = 0;
  let result: unknown;

  const path = () => frames.path(depth);

  const enterObject = (frame: Frame, plan: ObjectPlan, typeName: string): void => {
    // An empty literal reserves space for four fields in the object; a literal with one field reserves space only for that one.
    const target: Record<string, unknown> = {};
    target['$type'] = typeName;
    for (const name of plan.arrays) target[name] = [];
    frame.mode = mode.object;
    frame.plan = plan;
    frame.target = target;
  };

  const enterAny = (frame: Frame, tag: Tag): void => {
    const { type } = tag;
    if (type?.plan) enter(frame, type.plan, tag);
    else if (type?.item) {
      frame.mode = mode.list;
      frame.list = [];
      frame.plan = type.item;
    } else if (type === undefined && tag.refType !== '') enter(frame, refPlan, tag);
    else {
      frame.mode = mode.generic;
      frame.typeName = type === undefined || type.name === 'anyType' ? '' : type.name;
      frame.target = {};
      frame.count = 0;
    }
  };

  const enter = (frame: Frame, plan: Plan, tag: Tag): void => {
    frame.text = '';
    frame.plan = plan;
    switch (plan.kind) {
      case 'scalar':
        frame.mode = mode.scalar;
        return;
      case 'ref':
        frame.mode = mode.ref;
        frame.typeName = tag.refType;
        return;
      case 'children':
        frame.mode = mode.list;
        frame.list = [];
        return;
      case 'object': {
        const { type } = tag;
        // A subtype that this program does not know is read as its declared base type.
        enterObject(frame, type?.plan?.kind === 'object' ? type.plan : plan, type?.name ?? plan.name);
        return;
      }
      case 'any':
        enterAny(frame, tag);
    }
  };

  const skip = (frame: Frame): void => {
    frame.mode = mode.skip;
    frame.count = 0;
  };

  const enterChild = (frame: Frame, parent: Frame, tag: Tag): void => {
    if (parent.mode === mode.object) {
      const plan = parent.plan as ObjectPlan;
      frame.field = fieldOf(tag, plan);
      if (frame.field) enter(frame, frame.field.item, tag);
      else {
        if (plan.notesUnknown) parent.target['$unknown'] = frame.name;
        skip(frame);
      }
    } else if (parent.mode === mode.list) {
      enter(frame, parent.plan.kind === 'children' ? anyPlan : parent.plan, tag);
      // Faults whose type is only in the element name: <NotAuthenticatedFault>.
      if (parent.plan.kind === 'children' && frame.mode === mode.generic && frame.typeName === '')
        frame.typeName = frame.name.replace(/Fault$/, '');
    } else if (parent.mode === mode.generic) {
      parent.count++;
      enter(frame, anyPlan, tag);
    } else skip(frame);
  };

  const open = (tag: Tag): void => {
    const parent = frames.at(depth);
    const skipping = depth > 0 && parent.mode === mode.skip;
    if (depth + (skipping ? parent.count : 0) >= maxDepth)
      throw new WireError('too-deep', `more than ${maxDepth} elements deep`);
    if (skipping) {
      parent.count++;
      return;
    }
    const frame = frames.at(++depth);
    frame.name = tag.name;
    frame.field = undefined;
    frame.weight = weight;
    weight += elementWeight;
    if (weight > maxWeight) throw new WireError('too-large', `more than ${maxWeight} bytes in memory`);
    if (depth > 1) {
      if (tag.nil) skip(frame);
      else enterChild(frame, parent, tag);
    } else if (frame.name === options.rootName) enter(frame, options.root, tag);
    else throw new WireError('not-soap', `expected the element ${options.rootName}, got ${frame.name.slice(0, 40)}`);
  };

  const finishObject = (frame: Frame): unknown => {
    const { target } = frame;
    for (const name of (frame.plan as ObjectPlan).required)
      if (target[name] === undefined)
        throw new WireError('malformed', `${path()}: ${String(target['$type'])} lacks its element ${name}`);
    if (convert === undefined || target['$type'] !== convert.type) return target;
    // The parts from which it was made are not kept.
    weight = frame.weight + elementWeight;
    return convert.apply(target);
  };

  const finish = (frame: Frame): unknown => {
    switch (frame.mode) {
      case mode.object:
        return finishObject(frame);
      case mode.scalar:
        try {
          return (frame.plan as Extract<Plan, { kind: 'scalar' }>).codec.parse(frame.text);
        } catch (error) {
          throw error instanceof WireError ? error.at(path()) : error;
        }
      case mode.ref:
        return { type: frame.typeName, value: frame.text.trim() };
      case mode.list:
        return frame.list;
      default:
        return finishGeneric(frame);
    }
  };

  const finishGeneric = (frame: Frame): unknown => {
    if (frame.count === 0 && !(frame.typeName !== '' && blank.test(frame.text))) return frame.text;
    if (frame.typeName !== '') frame.target['$type'] = frame.typeName;
    return frame.target;
  };

  const addGeneric = (target: Record<string, unknown>, name: string, value: unknown): void => {
    // Without inherited properties such as `constructor`.
    const before = Object.hasOwn(target, name) ? target[name] : undefined;
    if (before === undefined) target[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else target[name] = [before, value];
  };

  const deliver = (parent: Frame, frame: Frame, value: unknown): void => {
    if (parent.mode === mode.object && frame.field) {
      const { name, repeated } = frame.field;
      if (!repeated) parent.target[name] = value;
      else {
        const list = parent.target[name];
        if (Array.isArray(list)) list.push(value);
        else parent.target[name] = [value];
      }
    } else if (parent.mode === mode.list) parent.list.push(value);
    else if (parent.mode === mode.generic && frame.name !== '__proto__') addGeneric(parent.target, frame.name, value);
  };

  const close = (): void => {
    const frame = frames.at(depth);
    if (frame.mode === mode.skip) {
      if (frame.count > 0) frame.count--;
      else depth--;
      return;
    }
    let value: unknown;
    try {
      value = finish(frame);
    } catch (error) {
      if (!contain(error)) throw error;
      return;
    }
    depth--;
    if (depth === 0) result = value;
    else deliver(frames.at(depth), frame, value);
  };

  /** The object of a property, from the enclosing elements. */
  const ownerAt = (from: number): ValueOwner => {
    let property: string | undefined;
    for (let at = from; at > 0; at--) {
      const { mode: is, target } = frames.at(at);
      if (is !== mode.object) continue;
      const { name, obj } = target;
      if (typeof name === 'string') property ??= name;
      if (obj !== undefined) return { object: obj as MoRef, property };
    }
    return { property };
  };

  /** One malformed object must not make the whole reply fail: omits the nearest enclosing element that may be omitted. */
  const contain = (error: unknown): boolean => {
    if (!(error instanceof WireError) || error.kind !== 'malformed') return false;
    for (let at = depth; at > 0; at--) {
      const frame = frames.at(at);
      if (!frame.field?.contained) continue;
      options.onUnreadable?.(frames.path(depth), error.message, ownerAt(at));
      // The elements between it and the one that ends here are still open.
      const stillOpen = depth - 1 - at;
      frame.mode = mode.skip;
      frame.count = Math.max(0, stillOpen);
      depth = stillOpen < 0 ? at - 1 : at;
      return true;
    }
    return false;
  };

  const text = (chunk: string): void => {
    const frame = frames.at(depth);
    if (frame.mode !== mode.scalar && frame.mode !== mode.ref && frame.mode !== mode.generic) return;
    weight += chunk.length;
    if (weight > maxWeight) throw new WireError('too-large', `more than ${maxWeight} bytes in memory`);
    frame.text += chunk;
  };

  const doctype = (start: string): never => {
    const kind = /^\s*html\b/i.test(start) ? 'not-soap' : 'forbidden';
    throw new WireError(kind, kind === 'not-soap' ? 'a web page, not SOAP' : 'a DOCTYPE is not allowed in SOAP');
  };

  const scanner = createXmlScanner<Tag>(
    { tag: (...read) => toTag(registry, ...read), open, close, text, doctype },
    knownTags(registry),
  );

  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (cause) {
      if (cause instanceof WireError) throw cause;
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new WireError(depth === 0 && result === undefined ? 'not-soap' : 'malformed', message, { cause });
    }
  };

  return {
    write: (chunk) =>
      guarded(() => {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new WireError('too-large', `more than ${maxBytes} bytes`);
        scanner.write(typeof chunk === 'string' ? chunk : utf8.decode(chunk));
      }),
    end: () => {
      if (bytes === 0) throw new WireError('truncated', 'empty');
      if (depth > 0) throw new WireError('truncated', `ended inside ${path()}`);
      guarded(() => {
        utf8.end();
        scanner.end();
      });
      if (result === undefined) throw new WireError('not-soap', 'no element found');
      return result;
    },
  };
};
