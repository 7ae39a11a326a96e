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

/** The part of a document that vendors use, with all that it refers to. */
function vendorPart(document: unknown): Readonly<Record<string, Json>> {
  const { openapi, info, paths, webhooks, components } = document as Readonly<Record<string, Json>>;
  const ofVendors = Object.fromEntries(
    Object.entries(paths ?? {}).filter(([path]) => path.startsWith('/api/v1/')),
  );
  return {
    openapi,
    info,
    paths: ofVendors,
    webhooks,
    components: usedComponents([ofVendors, webhooks], components ?? {}),
  } as Readonly<Record<string, Json>>;
}

const note = "// Generated from the gateway's document by `npm run client:types`: do not edit.\n\n";

/** The source of `src/schema.ts`: the types of the vendors' operations and events in a document. */
export async function vendorSchema(document: unknown): Promise<string> {
  const reduced: unknown = vendorPart(withoutDropped(document));
  return `${note}${astToString(await openapiTS(reduced as OpenAPI3))}`;
}

/** A union of literals, such as `'parameter' | 'minimum'`. */
const unionOf = (names: readonly string[]): string =>
  names.map((name) => `'${name.replace('?', '')}'`).join(' | ') || 'never';

function detailsType(code: string, details: string): string {
  // The specification gives the refusals of a log-in empty details.
  if (/^UNAUTHORIZED_(INVALID_CREDENTIALS|VENDOR_INACTIVE)$/.test(code)) return 'NoDetails';
  const names = details.split(' ').filter((name) => name !== '');
  const always = names.filter((name) => !name.endsWith('?'));
  const sometimes = names.filter((name) => name.endsWith('?'));
  return sometimes.length === 0
    ? `Details<${unionOf(always)}>`
    : `Details<${unionOf(always)}, ${unionOf(sometimes)}>`;
}

/**
 * The source of `src/core/error-details.ts`: the codes that vendors can receive, with the details of
 * each in the catalogue. The examples of a document's errors have the names of the codes.
 */
export function vendorErrors(
  document: unknown,
  catalogue: readonly string[],
  detailsByCode: Readonly<Record<string, string>>,
): string {
  const { examples } = vendorPart(document)['components'] as { readonly examples: Json };
  // No operation has this one.
  const received = new Set([...Object.keys(examples), 'NOT_FOUND_ROUTE']);
  const codes = catalogue.filter((code) => received.has(code));
  const types = codes.map((code) => `  ${code}: ${detailsType(code, detailsByCode[code] ?? '')};`);
  return `${note}import type { components } from '../schema.ts';

/** One failing field of a request body. */
export type FieldError = Readonly<components['schemas']['FieldError']>;

type All = Readonly<components['schemas']['ErrorDetails']>;
/** \`help\` is where the gateway explains the code. */
type Details<Always extends keyof All, Sometimes extends keyof All = never> = Required<
  Pick<All, Always | 'help'>
> &
  Pick<All, Sometimes>;
type NoDetails = Readonly<Record<string, never>>;

/** The details of each code that the gateway returns to vendors. */
export type DetailsByCode = {
${types.join('\n')}
};
export type ErrorCode = keyof DetailsByCode;

export const errorCodes: readonly ErrorCode[] = [
${codes.map((code) => `  '${code}',`).join('\n')}
];
`;
}
