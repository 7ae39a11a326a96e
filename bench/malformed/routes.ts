import * as v from 'valibot';

/** The routes as `/openapi.json` publishes them: what a request has to have, and so what can be wrong with it. */

export type Shape = {
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly items?: Shape | undefined;
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly required?: readonly string[] | undefined;
};

const shape: v.GenericSchema<Shape> = v.object({
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  enum: v.optional(v.array(v.unknown())),
  format: v.optional(v.string()),
  minimum: v.optional(v.number()),
  exclusiveMinimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
  maxLength: v.optional(v.number()),
  minItems: v.optional(v.number()),
  maxItems: v.optional(v.number()),
  items: v.optional(v.lazy(() => shape)),
  properties: v.optional(
    v.record(
      v.string(),
      v.lazy(() => shape),
    ),
  ),
  required: v.optional(v.array(v.string())),
});

const operation = v.object({
  security: v.optional(v.array(v.unknown())),
  parameters: v.optional(
    v.array(
      v.object({
        name: v.string(),
        in: v.string(),
        required: v.optional(v.boolean()),
        schema: shape,
      }),
    ),
  ),
  requestBody: v.optional(
    v.object({ content: v.object({ 'application/json': v.object({ schema: shape }) }) }),
  ),
});
const reference = v.object({ paths: v.record(v.string(), v.record(v.string(), operation)) });

export type Route = {
  readonly method: string;
  /** With `{names}` where an id belongs. */
  readonly template: string;
  readonly side: 'vendor' | 'operator';
  readonly needsToken: boolean;
  /** Null where a route reads no body at all. */
  readonly body: Shape | null;
  readonly query: Readonly<Record<string, Shape>>;
  /** Headers that it asks for. */
  readonly headers: Readonly<Record<string, Shape>>;
};

const shapesOf = (parameters: readonly { readonly name: string; readonly schema: Shape }[]) =>
  Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));

export function routesOf(document: unknown): readonly Route[] {
  return Object.entries(v.parse(reference, document).paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([verb, { security = [], parameters = [], requestBody }]) => ({
      method: verb.toUpperCase(),
      template,
      side: template.startsWith('/operator/') ? 'operator' : 'vendor',
      needsToken: security.length > 0,
      body: requestBody?.content['application/json'].schema ?? null,
      query: shapesOf(parameters.filter((parameter) => parameter.in === 'query')),
      headers: shapesOf(
        parameters.filter(({ in: place, required }) => place === 'header' && required === true),
      ),
    })),
  );
}

export const typesOf = ({ type = [] }: Shape): readonly string[] =>
  typeof type === 'string' ? [type] : type;

/** Whether a path, ids in place, is one of a route's. */
export const isPathOf = ({ template }: Route, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path);

export const hasId = ({ template }: Route): boolean => template.includes('{');
