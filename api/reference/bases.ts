import { asNode, type SchemaNode } from './nodes.ts';

/** The schemas of a document, by their names. */
type Schemas = ReadonlyMap<string, SchemaNode>;

const reference = (name: string): SchemaNode => ({ $ref: `#/components/schemas/${name}` });

/** The schema of an object that has these properties and allows others; null for another schema. */
function openObject(schema: SchemaNode) {
  const { type, properties, required, ...rest } = schema;
  if (type !== 'object' || Object.keys(rest).length > 0) return null;
  const texts = new Map(
    Object.entries(asNode(properties)).map(([name, each]) => [name, JSON.stringify(each)]),
  );
  const names = new Set<unknown>(Array.isArray(required) ? required : []);
  return texts.size === 0 ? null : { texts, required: names };
}
type OpenObject = NonNullable<ReturnType<typeof openObject>>;

const has = (
  { texts, required }: OpenObject,
  [name, text]: readonly [string, string],
  isRequired: boolean,
): boolean => texts.get(name) === text && required.has(name) === isRequired;

/** Whether an object has every property of a base, and others. */
const isExtensionOf = (object: OpenObject, base: OpenObject): boolean =>
  object.texts.size > base.texts.size &&
  [...base.texts].every((entry) => has(object, entry, base.required.has(entry[0])));

/** How long the properties of an object are, in characters. */
const lengthOf = ({ texts }: OpenObject): number =>
  [...texts].reduce((sum, [name, text]) => sum + 2 * name.length + text.length, 0);

/** The properties that all these schemas have in common, as a schema. */
export function commonBase(schemas: readonly SchemaNode[]): SchemaNode {
  const [first, ...others] = schemas.flatMap((schema) => openObject(schema) ?? []);
  const entries = Object.entries(asNode(schemas[0]?.['properties'])).filter(([name, property]) => {
    const entry = [name, JSON.stringify(property)] as const;
    return others.every((other) => has(other, entry, first?.required.has(name) ?? false));
  });
  const required = entries.map(([name]) => name).filter((name) => first?.required.has(name));
  return { type: 'object', properties: Object.fromEntries(entries), required };
}

/** A schema without what its base has. */
function extend(schema: SchemaNode, base: string, { texts }: OpenObject): SchemaNode {
  const properties = Object.entries(asNode(schema['properties']));
  const own = Object.fromEntries(properties.filter(([name]) => !texts.has(name)));
  const { required } = schema;
  const needed = Array.isArray(required) ? required.filter((name) => String(name) in own) : [];
  return {
    allOf: [reference(base), { type: 'object', properties: own, required: needed }],
  };
}

/** The characters of properties that a base takes out of a document, at least. */
const sharedMin = 700;

/**
 * Replaces the properties that a schema has in common with a smaller one, its base, by a reference
 * to that one. Only for objects that allow other properties: of a closed one, `allOf` allows
 * nothing.
 */
export function shareProperties(schemas: Schemas): Schemas {
  const objects = [...schemas].flatMap(([name, schema]) => {
    const object = openObject(schema);
    return object === null ? [] : [{ name, object }];
  });
  const pairs = objects.flatMap(({ name, object }) => {
    const [base] = objects
      .filter((other) => isExtensionOf(object, other.object))
      .toSorted((one, other) => lengthOf(other.object) - lengthOf(one.object));
    return base === undefined ? [] : [{ name, base }];
  });
  const sharedWith = (name: string): number =>
    pairs.filter(({ base }) => base.name === name).length;
  const bases = new Map(
    pairs
      .filter(({ base }) => lengthOf(base.object) * sharedWith(base.name) >= sharedMin)
      .map(({ name, base }) => [name, base]),
  );
  return new Map(
    [...schemas].map(([name, schema]) => {
      const base = bases.get(name);
      return [name, base === undefined ? schema : extend(schema, base.name, base.object)];
    }),
  );
}
