import type * as v from 'valibot';

/** Calls `make` once for each schema, so that routes with one payload share what it makes. */
export function oncePerSchema<TMake extends (schema: never) => unknown>(make: TMake): TMake {
  const made = new WeakMap<v.GenericSchema, unknown>();
  const remembered = (schema: v.GenericSchema): unknown => {
    if (!made.has(schema)) made.set(schema, make(schema as never));
    return made.get(schema);
  };
  // A function that returns what `make` returns has its type.
  return remembered as unknown as TMake;
}
