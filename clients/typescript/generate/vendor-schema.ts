import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What says nothing about types. */
const dropped = new Set(['example', 'examples', 'links', 'headers']);

function withoutDropped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDropped);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      // A field of a body may have the name of a dropped key.
      .filter(([key, inner]) => !dropped.has(key) || (isObject(inner) && 'type' in inner))
      .map(([key, inner]) => [key, withoutDropped(inner)]),
  );
}

/** The references in a value, such as `#/components/schemas/Error`. */
function refsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}

/** The components that a value refers to, also through other components. */
function usedComponents(from: unknown, components: Json): Json {
  const used = new Set<string>();
  let found = refsIn(from);
  while (found.length > 0) {
    const added = found.filter((ref) => !used.has(ref));
    for (const ref of added) used.add(ref);
    found = added.flatMap((ref) => {
      const [, , kind = '', name = ''] = ref.split('/');
      const ofKind = components[kind];
      return refsIn(isObject(ofKind) ? ofKind[name] : null);
    });
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(
        Object.entries(isObject(named) ? named : {}).filter(([name]) =>
          used.has(`#/components/${kind}/${name}`),
        ),
      ),
    ]),
  );
}

/** The source of `src/schema.ts`: the types of the vendors' operations and events in a document. */
export async function vendorSchema(document: unknown): Promise<string> {
  const { openapi, info, paths, webhooks, components } = withoutDropped(document) as Readonly<
    Record<string, Json>
  >;
  const ofVendors = Object.fromEntries(
    Object.entries(paths ?? {}).filter(([path]) => path.startsWith('/api/v1/')),
  );
  const reduced: unknown = {
    openapi,
    info,
    paths: ofVendors,
    webhooks,
    components: usedComponents([ofVendors, webhooks], components ?? {}),
  };
  const source = astToString(await openapiTS(reduced as OpenAPI3));
  return `// Generated from the gateway's document by \`npm run client:types\`: do not edit.\n\n${source}`;
}
