import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import {
  child,
  newSchemaValidator,
  pointerOf,
  readReference,
  resolved,
} from './openapi-document.ts';
import { errorCatalogue, isErrorCode } from '../../../domain/errors.ts';
import { detailsByCode } from './details-by-code.ts';
import { sides, type Side } from '../../../api/reference/api-sides.ts';

type ApiResponse = {
  readonly method: string;
  /** With or without a query. */
  readonly url: string;
  readonly status: number;
  readonly body: unknown;
};
/** What is wrong with a response; null when nothing is, or when the reference lacks the path. */
type Objection = (response: ApiResponse) => string | null;

/**
 * Clients must live with fields and values that are added; we must not add any that the reference
 * does not name.
 */
export function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    ['example', 'examples'].includes(key) ? value : closed(value),
  ]);
  const inner: Record<string, unknown> = Object.fromEntries(entries);
  // What says no properties at all may hold anything: the details of an error.
  const isOpen = inner['properties'] !== undefined && inner['additionalProperties'] === undefined;
  const values = inner['x-extensible-enum'];
  return {
    ...inner,
    ...(isOpen ? { additionalProperties: false } : {}),
    ...(Array.isArray(values) ? { enum: [...values, ...nullOf(inner)] } : {}),
  };
}

const nullOf = ({ type }: Record<string, unknown>): readonly null[] =>
  Array.isArray(type) && type.includes('null') ? [null] : [];

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** A path that cannot be decoded matches no route. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with the names of an error's details; null when nothing is. */
function objectToDetails(body: unknown): string | null {
  const { state, details } = child(body);
  if (typeof state !== 'string' || !isErrorCode(state)) return null;
  const names = (detailsByCode[state] ?? '').split(' ').filter((name) => name !== '');
  const known = new Set(['help', ...names.map((name) => name.replace('?', ''))]);
  const unknown = Object.keys(child(details)).filter((name) => !known.has(name));
  const missing = names.filter((name) => !name.endsWith('?') && !(name in child(details)));
  return unknown.length === 0 && missing.length === 0
    ? null
    : `detailsByCode: ${state} has [${unknown.join()}] and lacks [${missing.join()}]`;
}

const parameters = (path: string): number => path.split('{').length;

async function objectionOf(app: FastifyInstance, side: Side): Promise<Objection> {
  const { document, operations } = await readReference(app, side);
  const ajv = newSchemaValidator();
  ajv.addSchema({ ...(closed(document) as object), $id: 'reference' });
  // A path without parameters matches before one with them, as OpenAPI wants.
  const routes = operations
    .map((operation) => ({ ...operation, pattern: patternOf(operation.path) }))
    .toSorted((one, other) => parameters(one.path) - parameters(other.path));
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (at: string): ValidateFunction => {
    const known = validators.get(at) ?? ajv.compile({ $ref: `reference#${at}` });
    validators.set(at, known);
    return known;
  };
  return ({ method, url, status, body }) => {
    // The details of /ready are the parts of health.
    const ofDetails = url === '/ready' ? null : objectToDetails(body);
    if (ofDetails !== null) return `${ofDetails}: ${JSON.stringify(body)}`;
    const [path = ''] = url.split('?');
    const first = isDecodable(path) ? routes.find(({ pattern }) => pattern.test(path)) : undefined;
    const found = routes.find((route) => route.path === first?.path && route.method === method);
    if (found === undefined) return null;
    const responses = child(found.node, 'responses');
    const range = `${Math.trunc(status / 100)}XX`;
    const listed = String(status) in responses ? String(status) : range;
    const text = JSON.stringify(body).slice(0, 300);
    if (responses[listed] === undefined)
      return `${found.at} answered ${status}, which is not in the reference: ${text}`;
    const { $ref } = child(responses[listed]);
    const isShared = typeof $ref === 'string';
    // An error's examples are named after the states that the response can have.
    const { examples } = child(
      resolved(document, responses[listed]),
      'content',
      'application/json',
    );
    const code = String(child(body)['state']);
    // A range of statuses names codes, each with a status of its own.
    const isNamed =
      code in child(examples) && isErrorCode(code) && errorCatalogue[code].status === status;
    if (isShared && status >= 400 && !isNamed)
      return `${found.at} ${status} does not have this state in the reference: ${text}`;
    const at = isShared
      ? $ref.slice(1)
      : pointerOf('paths', found.path, method.toLowerCase(), 'responses', listed);
    const validate = validatorAt(at + pointerOf('content', 'application/json', 'schema'));
    return validate(body)
      ? null
      : `${found.at} ${status}: ${ajv.errorsText(validate.errors)} in ${text}`;
  };
}

/**
 * The rules of a sandbox and of Production, read once for each process, since all its apps have the
 * same routes: it takes a second of CPU time.
 */
const known = new Map<boolean, Promise<readonly Objection[]>>();

/** Throws for a response that the published reference does not have. */
export async function expectInReference(
  app: FastifyInstance,
  response: ApiResponse,
): Promise<void> {
  const isSandbox = app.hasRoute({ method: 'POST', url: '/api/v1/sandbox/orders' });
  const reading = known.get(isSandbox) ?? Promise.all(sides.map((side) => objectionOf(app, side)));
  known.set(isSandbox, reading);
  reading.catch(() => known.delete(isSandbox));
  const fault = (await reading)
    .map((objection) => objection(response))
    .find((each) => each !== null);
  if (fault !== undefined) throw new Error(fault);
}
