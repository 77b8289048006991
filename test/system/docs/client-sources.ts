// Writes the files of packages/client/src/generated from the description of the API: the types of what is
// asked and answered, and the table of operations. A new operation, parameter or member comes into the client
// with them.
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { z } from 'zod';

const parameterForm = z.looseObject({
  name: z.string(),
  required: z.boolean(),
  description: z.string(),
  schema: z.looseObject({ enum: z.array(z.string()).optional() }),
  example: z.union([z.string(), z.number()]),
});

const answersForm = z.looseObject({
  '200': z.looseObject({
    content: z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()) })),
  }),
});

const operationForm = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z.array(parameterForm),
  responses: answersForm,
});

const specForm = z.looseObject({
  paths: z.record(z.string(), z.object({ get: operationForm })),
  components: z.looseObject({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});

type Parameter = z.infer<typeof parameterForm>;
type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** Of the JSON; undefined where the answer is CSV only. */
  readonly answer: Schema | undefined;
}

export async function writeClientSources(
  spec: unknown,
): Promise<{ readonly types: string; readonly operations: string }> {
  const { paths, components } = specForm.parse(spec);
  // Spreadsheet files are for people.
  const forPrograms = Object.entries(paths).filter(([path]) => !path.endsWith('.xlsx'));
  const operations = forPrograms.map(([path, { get }]) => ({
    id: get.operationId,
    path,
    text: `${get.summary}.${get.description ? ` ${get.description}` : ''}`,
    parameters: get.parameters,
    answer: get.responses['200'].content['application/json']?.schema,
  }));
  return {
    types: await typesOf(operations, components.schemas),
    operations: tableOf(operations),
  };
}

const origin = 'Generated from docs/openapi.json by `npm run generate`; do not edit.';

async function typesOf(
  operations: readonly Operation[],
  rows: Readonly<Record<string, Schema>>,
): Promise<string> {
  const aliases = operations.flatMap((operation) => aliasOf(operation, operations));
  const asked = operations
    .filter(({ id }) => !aliases.some((alias) => alias.id === id))
    .map(({ id, parameters }) => [`${typeName(id)}Query`, querySchema(parameters)]);
  const answered = operations.flatMap(({ id, answer }) =>
    answer ? [[`${typeName(id)}Answer`, answer]] : [],
  );
  const definitions = { ...rows, ...Object.fromEntries(answered) };
  const schema: JSONSchema = {
    $defs: {
      // The answers of the API refer to its components; here all stand side by side.
      ...JSON.parse(JSON.stringify(definitions).replaceAll('#/components/schemas/', '#/$defs/')),
      ...Object.fromEntries(asked),
    },
  };
  const written = await compile(schema, unused, {
    bannerComment: `// The types of the read API. ${origin}`,
    additionalProperties: false,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 110, singleQuote: true, semi: true, trailingComma: 'all', tabWidth: 2 },
  });
  return [withoutRemarks(written), ...aliases.map(({ text }) => text), pairsOf(operations)].join('\n');
}

/** What each operation that answers JSON takes and answers, by its operationId. */
function pairsOf(operations: readonly Operation[]): string {
  const members = operations
    .filter(({ answer }) => answer !== undefined)
    .map(({ id }) => {
      const [query, answer] = [`query: ${typeName(id)}Query;`, `answer: ${typeName(id)}Answer`];
      const line = `  ${id}: { ${query} ${answer} };`;
      return line.length <= 110 ? line : `  ${id}: {\n    ${query}\n    ${answer};\n  };`;
    });
  return `/** What each operation takes and what it answers as JSON. */\nexport interface Operations {\n${members.join('\n')}\n}\n`;
}

/** What asks for CSV takes what asks for pages does, without what is about pages. */
function aliasOf({ id, parameters }: Operation, all: readonly Operation[]) {
  const list = all.find((other) => `${other.id}Csv` === id);
  if (list === undefined) return [];
  const left = list.parameters
    .map(({ name }) => name)
    .filter((name) => !parameters.some((p) => p.name === name));
  const names = left.map((name) => `'${name}'`).join(' | ');
  return [{ id, text: `export type ${typeName(id)}Query = Omit<${typeName(list.id)}Query, ${names}>;\n` }];
}

/** The name that the compiler wants for the whole, of which there is no type. */
const unused = 'Unused';

function withoutRemarks(written: string): string {
  return written
    .replaceAll(/\n \*\n \* This (?:interface|type) was referenced by [\s\S]*?(?=\n \*\/)/g, '')
    .replaceAll(/\/\*\*\n \* This (?:interface|type) was referenced by [\s\S]*?\*\/\n/g, '')
    .replaceAll(/\/\*\*\n *\* ([^\n]*)\n *\*\//g, '/** $1 */')
    .replace(new RegExp(`export interface ${unused} \\{[^}]*\\}\\n`), '');
}

/** The parameters of an operation as one object, those of its path among them. */
function querySchema(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, memberOf(parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function memberOf(parameter: Parameter): Schema {
  // The client encodes what it is given.
  const description = parameter.description
    .replace(' RFC 3339; write the + of an offset as %2B.', '')
    .replace(' (write the + of an offset as %2B)', '');
  const member = { ...parameter.schema, description };
  const undefinable = parameter.required ? '' : ' | undefined';
  return { ...member, tsType: `${valueType(parameter)}${undefinable}` };
}

/** The texts of an address that JavaScript has values for are given as those. */
function valueType({ schema, example }: Parameter): string {
  if (schema.enum?.toString() === 'true,false') return 'boolean';
  if (schema.enum?.toString() === 'true,false,unknown') return "boolean | 'unknown'";
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (typeof example === 'number') return 'number';
  return /^\d{4}-\d\d-\d\dT/.test(example) ? 'string | Date' : 'string';
}

function tableOf(operations: readonly Operation[]): string {
  return `// The operations of the read API: of each its path, what it takes and what it answers.
// ${origin}
import type { Calls } from '../calls/calls.ts';
import type * as api from './types/api-types.ts';

/** Each operation as a function, by its operationId. */
export function operationsOf(calls: Calls) {
  return {
${operations.map(lineOf).join('\n')}
  };
}
`;
}

/** The greatest length of a line, as biome.json has it. */
const longestLine = 110;

function lineOf({ id, path, text, parameters, answer }: Operation): string {
  const name = `api.${typeName(id)}`;
  const rows = answer === undefined ? [] : rowsOf(answer).map((row) => `api.${row}`);
  const types = [`${name}Query`, ...(answer === undefined ? [] : [`${name}Answer`]), ...rows];
  const call = `    ${id}: calls.${kindOf(answer)}<${types.join(', ')}>`;
  const takesAccount = parameters.some((parameter) => parameter.name === 'account');
  const given = [`'${path}'`, ...(takesAccount ? [] : ['{ takesAccount: false }'])];
  const line = `${call}(${given.join(', ')}),`;
  const broken = `${call}(\n${given.map((value) => `      ${value},\n`).join('')}    ),`;
  return `    /** ${text} */\n${line.length <= longestLine ? line : broken}`;
}

function kindOf(answer: Schema | undefined): 'csv' | 'one' | 'list' | 'listAt' {
  if (answer === undefined) return 'csv';
  const forms = rowsOf(answer).length;
  return forms === 0 ? 'one' : forms === 1 ? 'list' : 'listAt';
}

const reference = z.object({ $ref: z.string() });
const listForm = z.looseObject({
  properties: z.looseObject({
    data: z.looseObject({
      items: z.union([reference, z.object({ anyOf: z.tuple([reference, reference]) })]),
    }),
    next_cursor: z.looseObject({}),
  }),
});

/**
 * The names of the forms that the rows of a list have: now, and at a moment where that is another; none for
 * what is no list.
 */
function rowsOf(answer: Schema): readonly string[] {
  const read = listForm.safeParse(answer);
  if (!read.success) return [];
  const { items } = read.data.properties.data;
  const names = ('anyOf' in items ? items.anyOf : [items]).map(({ $ref }) => $ref.split('/').at(-1) ?? '');
  if (names.length > 1 && names[1] !== `${names[0]}At`)
    throw new Error(`rows of ${names.join(' and ')}: which are those of a moment?`);
  return names;
}

function typeName(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}
