import { mapNodes, type SchemaNode } from './schema-nodes.ts';

/** What the operations of a document refer to by name, collected while they are refined. */
export type Components = Readonly<
  Record<'schemas' | 'responses' | 'parameters' | 'examples', Map<string, SchemaNode>>
>;

/** `VendorOrderAssigned` for `vendor.order.assigned`, `PageSize` for `pageSize`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[._-])(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** The component's name in a reference: its last part. */
export const nameIn = (reference: unknown): string => String(reference).split('/').at(-1) ?? '';

/** Adds a component and returns its reference. Throws when another one has the name. */
export function addComponent(
  components: Components,
  kind: keyof Components,
  [name, component]: readonly [string, SchemaNode],
): { readonly $ref: string } {
  const known = components[kind].get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
    throw new Error(`two different ${kind} of the document are named ${name}`);
  components[kind].set(name, component);
  return { $ref: `#/components/${kind}/${name}` };
}

const isEnumeration = (schema: SchemaNode): boolean =>
  'enum' in schema || 'x-extensible-enum' in schema;

/**
 * Moves every schema with a title to the components and leaves a reference. The description and the
 * examples stay with the reference. The examples of an enumeration explain its values, and move
 * with it.
 */
export const hoist = (schema: unknown, components: Components): unknown =>
  mapNodes(schema, (node) => {
    const { title, description, examples, ...rest } = node;
    if (typeof title !== 'string') return node;
    if (isEnumeration(rest))
      return addComponent(components, 'schemas', [title, { ...rest, description, examples }]);
    return { description, examples, ...addComponent(components, 'schemas', [title, rest]) };
  });
