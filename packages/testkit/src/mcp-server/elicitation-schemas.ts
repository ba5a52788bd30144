/** Forms that the conformance suite looks at member by member. */
export const ELICITATION_SIMPLE = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

export const ELICITATION_DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: {
      type: 'string',
      description: 'User status',
      enum: ['active', 'inactive', 'pending'],
      default: 'active',
    },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  },
  required: [],
};

const titled = (title: string): readonly object[] => [
  { const: 'value1', title: `First ${title}` },
  { const: 'value2', title: `Second ${title}` },
  { const: 'value3', title: `Third ${title}` },
];
const OPTIONS = ['option1', 'option2', 'option3'];

export const ELICITATION_ENUMS = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', description: 'Select one option', enum: OPTIONS },
    titledSingle: { type: 'string', description: 'Select one option', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      description: 'Select one option',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      description: 'Select several options',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: OPTIONS },
    },
    titledMulti: {
      type: 'array',
      description: 'Select several options',
      minItems: 1,
      maxItems: 3,
      items: { anyOf: titled('Choice') },
    },
  },
  required: [],
};
