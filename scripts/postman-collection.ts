import * as v from 'valibot';

/** A Postman collection (v2.1) of the reference: one folder a tag, with tokens that fetch themselves. */

const parameter = v.looseObject({
  name: v.string(),
  in: v.picklist(['path', 'query', 'header']),
  description: v.optional(v.string(), ''),
  example: v.optional(v.unknown()),
  schema: v.looseObject({ enum: v.optional(v.array(v.unknown())) }),
});
const operation = v.looseObject({
  operationId: v.string(),
  summary: v.string(),
  description: v.optional(v.string(), ''),
  tags: v.tuple([v.string()]),
  security: v.array(v.unknown()),
  parameters: v.optional(v.array(parameter), []),
  requestBody: v.optional(
    v.object({
      content: v.object({
        'application/json': v.looseObject({
          example: v.optional(v.unknown()),
          examples: v.optional(
            v.record(v.string(), v.object({ summary: v.string(), value: v.unknown() })),
            {},
          ),
        }),
      }),
    }),
  ),
});
const reference = v.looseObject({
  info: v.looseObject({ title: v.string(), description: v.string() }),
  tags: v.array(v.object({ name: v.string(), description: v.string() })),
  paths: v.record(v.string(), v.record(v.string(), operation)),
});
type Operation = v.InferOutput<typeof operation>;
type Parameter = v.InferOutput<typeof parameter>;
type Place = { readonly path: string; readonly method: string; readonly operation: Operation };

/** What a path's id is called among the collection's variables: `/offers/{id}` and `/offers/{offerId}` name one thing. */
function variableOf(path: string, name: string): string {
  const before =
    path
      .slice(0, path.indexOf(`{${name}}`))
      .split('/')
      .at(-2) ?? '';
  const singular = before
    .replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
  return `${singular}Id`;
}

/** Answers that make something leave its id where later requests look for it. */
const keepers: Readonly<
  Record<string, readonly (readonly [variable: string, expression: string])[]>
> = {
  'POST /api/v1/auth/token': [['vendorToken', 'payload.accessToken']],
  'POST /operator/v1/auth/token': [['operatorToken', 'payload.accessToken']],
  'POST /api/v1/scent/offers': [['offerId', 'payload.id']],
  'POST /api/v1/webhooks': [
    ['webhookId', 'payload.subscription.id'],
    ['subscriptionId', 'payload.subscription.id'],
  ],
  'POST /api/v1/credentials': [['credentialId', 'payload.id']],
  'POST /operator/v1/vendors/{id}/credentials': [['credentialId', 'payload.id']],
  'GET /api/v1/scent/orders': [['orderId', 'payload.items[0]?.groupId']],
  'GET /api/v1/scent/returns': [['returnId', 'payload.items[0]?.id']],
  'GET /api/v1/webhooks/{id}/deliveries': [['deliveryId', 'payload.items[0]?.id']],
  'POST /operator/v1/vendors': [['vendorId', 'payload.id']],
  'POST /operator/v1/variants': [['variantId', 'payload.id']],
  'POST /operator/v1/orders': [
    ['orderGlobalId', 'payload.orderGlobalId'],
    ['groupId', 'payload.groups[0]?.groupId'],
    ['lineId', 'payload.groups[0]?.lines[0]?.lineId'],
  ],
  'POST /operator/v1/returns': [['returnId', 'payload.id']],
};

const script = (listen: 'prerequest' | 'test', exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const keep = (pairs: readonly (readonly [string, string])[]) =>
  script('test', [
    'const { payload } = pm.response.json();',
    'if (payload !== null) {',
    ...pairs.map(
      ([variable, expression]) =>
        `  pm.collectionVariables.set('${variable}', ${expression} ?? '');`,
    ),
    '}',
  ]);

/** Before each request: a token of its side, when there is none or it ends within 30 seconds. */
const fetchToken = script('prerequest', [
  "const isOperators = pm.request.url.getPath().startsWith('/operator/');",
  "if (pm.request.url.getPath().endsWith('/auth/token')) return;",
  "const name = isOperators ? 'operatorToken' : 'vendorToken';",
  'const read = (variable) => pm.variables.get(variable);',
  'if (read(name) && Date.now() < Number(read(`${name}Until`)) - 30000) return;',
  'const body = isOperators',
  "  ? { operatorId: read('operatorId'), operatorSecret: read('operatorSecret') }",
  "  : { clientId: read('clientId'), clientSecret: read('clientSecret') };",
  "const url = `${read('baseUrl')}${isOperators ? '/operator' : '/api'}/v1/auth/token`;",
  "const header = { 'Content-Type': 'application/json' };",
  "pm.sendRequest({ url, method: 'POST', header, body: { mode: 'raw', raw: JSON.stringify(body) } }, (error, answer) => {",
  '  if (error || answer.code !== 200) throw new Error(`no token: ${error ?? answer.text()}`);',
  '  const { accessToken, expiresIn } = answer.json().payload;',
  '  pm.collectionVariables.set(name, accessToken);',
  '  pm.collectionVariables.set(`${name}Until`, String(Date.now() + expiresIn * 1000));',
  '});',
]);

const valueOf = ({ example, schema }: Parameter): string => {
  const value = example ?? schema.enum?.[0] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function urlOf({ path, operation: { parameters } }: Place) {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  const query = parameters
    .filter(({ in: place }) => place === 'query')
    .map((given) => ({
      key: given.name,
      value: valueOf(given),
      description: given.description,
      disabled: true,
    }));
  const variable = parameters
    .filter(({ in: place }) => place === 'path')
    .map(({ name, description }) => ({
      key: name,
      value: `{{${variableOf(path, name)}}}`,
      description,
    }));
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    query,
    variable,
  };
}

/** Fields of bodies that the collection's variables have a value for: what was given, and what earlier answers left. */
const filledIn = new Set([
  'clientId',
  'clientSecret',
  'operatorId',
  'operatorSecret',
  'vendorId',
  'variantId',
  'orderGlobalId',
  'lineId',
  'subscriptionId',
]);

const raw = (value: unknown) => ({
  mode: 'raw',
  raw: JSON.stringify(
    value,
    (key, field: unknown) =>
      filledIn.has(key) && typeof field === 'string' ? `{{${key}}}` : field,
    2,
  ),
  options: { raw: { language: 'json' } },
});

function bodiesOf({
  operation: { requestBody },
}: Place): readonly (readonly [name: string, value: unknown])[] {
  const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
  const named = Object.values(examples).map(({ summary, value }) => [summary, value] as const);
  return named.length > 0 || example === undefined ? named : [['', example]];
}

/** One request for each example of a body, so that every form of a route is at hand. */
function itemsOf(place: Place) {
  const { path, method, operation: described } = place;
  const { summary, description, parameters, security } = described;
  const headers = parameters
    .filter(({ in: where }) => where === 'header')
    .map((given) => ({ key: given.name, value: valueOf(given), description: given.description }));
  const bodies = bodiesOf(place);
  const isOpen = security.length === 0;
  const token = path.startsWith('/operator/') ? '{{operatorToken}}' : '{{vendorToken}}';
  const kept = keepers[`${method.toUpperCase()} ${path}`];
  const item = (name: string, body: unknown) => ({
    name,
    ...(kept === undefined ? {} : { event: [keep(kept)] }),
    request: {
      method: method.toUpperCase(),
      description,
      header:
        body === undefined
          ? headers
          : [...headers, { key: 'Content-Type', value: 'application/json' }],
      auth: isOpen
        ? { type: 'noauth' }
        : { type: 'bearer', bearer: [{ key: 'token', value: token, type: 'string' }] },
      url: urlOf(place),
      ...(body === undefined ? {} : { body: raw(body) }),
    },
    response: [],
  });
  return bodies.length === 0
    ? [item(summary, undefined)]
    : bodies.map(([name, body]) =>
        item(bodies.length === 1 ? summary : `${summary}: ${name}`, body),
      );
}

const variables = [
  ['baseUrl', 'http://127.0.0.1:3000'],
  ['clientId', ''],
  ['clientSecret', ''],
  ['operatorId', ''],
  ['operatorSecret', ''],
] as const;

/** Throws where the document is not one of ours. */
export function postmanCollection(document: unknown): object {
  const { info, tags, paths } = v.parse(reference, document);
  const places: readonly Place[] = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, described]) => ({
      path,
      method,
      operation: described,
    })),
  );
  // A folder can be run from top to bottom: what is deleted is deleted last.
  const deletesLast = places.toSorted(
    (one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'),
  );
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    event: [fetchToken],
    variable: variables.map(([key, value]) => ({ key, value, type: 'string' })),
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: deletesLast
        .filter(({ operation: { tags: own } }) => own.includes(name))
        .flatMap(itemsOf),
    })),
  };
}
