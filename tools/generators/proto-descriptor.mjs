// Turns .proto files into the descriptors that protobuf plugins work on, without protoc: protobufjs parses, this maps.
// Covers what the vendored files use (proto3 messages, enums, maps, oneofs, services) and refuses the rest.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import protobuf from 'protobufjs';

const scalars = {
  double: Type.DOUBLE,
  float: Type.FLOAT,
  int64: Type.INT64,
  uint64: Type.UINT64,
  int32: Type.INT32,
  uint32: Type.UINT32,
  bool: Type.BOOL,
  string: Type.STRING,
  bytes: Type.BYTES,
};

// Custom options say nothing about the wire: the types they extend are needed to parse, not to generate.
const optionsOnly = 'google/protobuf/descriptor.proto';
const optionTypes = createRequire(import.meta.url)('protobufjs/google/protobuf/descriptor.json');

const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`_${name}`);

const typeOf = (field, type) => {
  if (type in scalars) return { type: scalars[type] };
  const { resolvedType } = field;
  if (!resolvedType) throw new Error(`${field.fullName}: type ${type} is not supported`);
  const kind = resolvedType instanceof protobuf.Enum ? Type.ENUM : Type.MESSAGE;
  return { type: kind, typeName: resolvedType.fullName };
};

const mapEntry = (field) => ({
  name: `${pascal(field.name)}Entry`,
  field: [
    { name: 'key', number: 1, label: Label.OPTIONAL, jsonName: 'key', type: scalars[field.keyType] },
    { name: 'value', number: 2, label: Label.OPTIONAL, jsonName: 'value', ...typeOf(field, field.type) },
  ],
  options: { mapEntry: true },
});

const fieldOf = (field, oneofs) => ({
  name: field.name,
  number: field.id,
  jsonName: camel(field.name),
  label: field.repeated || field.map ? Label.REPEATED : Label.OPTIONAL,
  ...(field.map
    ? { type: Type.MESSAGE, typeName: `${field.parent.fullName}.${pascal(field.name)}Entry` }
    : typeOf(field, field.type)),
  ...(field.partOf ? { oneofIndex: oneofs.indexOf(field.partOf.name) } : {}),
});

const enumOf = (type) => ({
  name: type.name,
  value: Object.entries(type.values).map(([name, number]) => ({ name, number })),
  options: { allowAlias: new Set(Object.values(type.values)).size < Object.keys(type.values).length },
});

const messageOf = (type) => {
  const oneofs = type.oneofsArray.map(({ name }) => name);
  const nested = type.nestedArray;
  return {
    name: type.name,
    field: type.fieldsArray.map((field) => fieldOf(field, oneofs)),
    oneofDecl: oneofs.map((name) => ({ name })),
    nestedType: [
      ...nested.filter((child) => child instanceof protobuf.Type).map(messageOf),
      ...type.fieldsArray.filter(({ map }) => map).map(mapEntry),
    ],
    enumType: nested.filter((child) => child instanceof protobuf.Enum).map(enumOf),
  };
};

const methodOf = (method) => ({
  name: method.name,
  inputType: method.resolvedRequestType.fullName,
  outputType: method.resolvedResponseType.fullName,
  clientStreaming: method.requestStream === true,
  serverStreaming: method.responseStream === true,
});

/** The FileDescriptorProto of one proto3 file; `name` is the path that imports would use. */
export const describeProto = (path, name) => {
  const root = new protobuf.Root();
  const parsed = protobuf.parse(readFileSync(path, 'utf8'), root, { keepCase: true });
  const imports = (parsed.imports ?? []).filter((file) => file !== optionsOnly);
  for (const file of imports) root.addJSON(protobuf.common.get(file).nested);
  root.addJSON(optionTypes.nested);
  root.resolveAll();
  const space = root.lookup(parsed.package);
  const children = space.nestedArray;
  return create(FileDescriptorProtoSchema, {
    name,
    package: parsed.package,
    syntax: 'proto3',
    dependency: imports,
    messageType: children.filter((child) => child instanceof protobuf.Type).map(messageOf),
    enumType: children.filter((child) => child instanceof protobuf.Enum).map(enumOf),
    service: children
      .filter((child) => child instanceof protobuf.Service)
      .map((service) => ({
        name: service.name,
        method: service.methodsArray.map((method) => methodOf(method.resolve())),
      })),
  });
};
