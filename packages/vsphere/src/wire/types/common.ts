import { anyType, array, defineType, int, optional, string } from '../schema.ts';

export const KeyValue = defineType('KeyValue', {
  key: string,
  value: string,
});

export const KeyAnyValue = defineType('KeyAnyValue', {
  key: string,
  value: anyType,
});

export const OptionValue = defineType(
  'OptionValue',
  {
    key: string,
    /** Absent for an option that is not set. */
    value: optional(anyType),
  },
  { open: true },
);

export const LocalizableMessage = defineType('LocalizableMessage', {
  key: string,
  arg: array(KeyAnyValue),
  message: optional(string),
});

export const Description = defineType(
  'Description',
  {
    label: string,
    summary: string,
  },
  { open: true },
);

export const ElementDescription = defineType(
  'ElementDescription',
  {
    key: string,
  },
  { extends: Description, open: true },
);

export const ID = defineType('ID', {
  id: string,
});

export const CustomFieldValue = defineType(
  'CustomFieldValue',
  {
    key: int,
  },
  { open: true },
);

export const CustomFieldStringValue = defineType(
  'CustomFieldStringValue',
  {
    value: string,
  },
  { extends: CustomFieldValue },
);

export const CustomFieldDef = defineType('CustomFieldDef', {
  key: int,
  name: string,
  type: string,
  managedObjectType: optional(string),
});
