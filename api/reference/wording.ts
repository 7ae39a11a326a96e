import { isNode, type SchemaNode } from './examples.ts';
import { glossary, type GlossaryEntry } from './glossary.ts';

/** Where a name stands. */
export type Place = {
  /** The property around it; null at the top of a form. */
  readonly parent: string | null;
  /** Its form; for what has no form's name its operation, and `request` in a body. */
  readonly forms: readonly string[];
};

/** The key under which the glossary explains a name: the most particular one that there is, the bare name last. */
export const keyOf = ({ parent, forms }: Place, name: string): string | undefined =>
  [...(parent === null ? [] : [parent]), ...forms]
    .map((scope) => `${scope}.${name}`)
    .concat(name)
    .find((key) => Object.hasOwn(glossary, key));

export const entryOf = (place: Place, name: string): GlossaryEntry | undefined =>
  glossary[keyOf(place, name) ?? ''];

/** Of a parameter: in a path it is what the word before it names. */
export const placeOfParameter = (
  kind: string,
  name: string,
  path: string,
  operationId: string,
): Place => {
  const [, resource = ''] = new RegExp(`/([\\w-]+)/\\{${name}\\}`).exec(path) ?? [];
  return { parent: kind === 'path' ? `path.${resource}` : operationId, forms: [kind] };
};

/** A form is shown once, wherever it stands: within it only its own words count. */
const placeIn = (schema: SchemaNode, place: Place): Place =>
  typeof schema['title'] === 'string' ? { parent: null, forms: [schema['title']] } : place;

/** Keywords that are no part of the form; `allOf` has rules between fields, which are explained already. */
export const isOpaque = (keyword: string): boolean =>
  ['enum', 'const', 'example', 'examples', 'default', 'allOf', 'not'].includes(keyword);

/** Adds the glossary's words to every property. */
export function explain(schema: unknown, around: Place): unknown {
  if (Array.isArray(schema)) return schema.map((item) => explain(item, around));
  if (!isNode(schema)) return schema;
  const place = placeIn(schema, around);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isNode(value))
        return [keyword, explainProperties(value, place)];
      return [keyword, isOpaque(keyword) ? value : explain(value, place)];
    }),
  );
}

const explainProperties = (properties: SchemaNode, place: Place): SchemaNode =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      worded(explain(property, { ...place, parent: name }), entryOf(place, name)),
    ]),
  );

function worded(schema: unknown, entry: GlossaryEntry | undefined): unknown {
  if (!isNode(schema) || entry === undefined) return schema;
  const { description, example } = entry;
  const isExampled = 'const' in schema || 'examples' in schema;
  return {
    ...schema,
    description,
    ...(example === undefined || isExampled ? {} : { examples: [example] }),
  };
}
