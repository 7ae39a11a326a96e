import { bodyBytesMax } from '../../api/http/body-parser.ts';
import { bodyMutators } from './bodies.ts';
import { fieldMutators } from './fields.ts';
import { addOddities, headerMutators } from './headers.ts';
import { sample, textOf } from './json.ts';
import { createRandom, type Random } from './random.ts';
import type { Draft, MalformedRequest, Mutator, Scene } from './request.ts';
import { queryMutators } from './queries.ts';
import { methodMutators, pathMutators } from './targets.ts';
import type { Route } from './routes.ts';

/** In the order in which they are applied: fields before the text that they become. */
const layers: readonly (readonly Mutator[])[] = [
  fieldMutators,
  bodyMutators,
  queryMutators,
  pathMutators,
  methodMutators,
  headerMutators,
];

/** Chosen less often than others: each is hundreds of kilobytes. */
const heavy = new Set([
  'field: a list of 100,000',
  'field: 100 to 100,000 levels',
  'field: unknown, 100 to 100,000 levels',
  'field: unknown, nearly 1 MiB',
  'body: up to 500,000 levels',
  'body: above 1 MiB',
]);

/** A request that nothing is wrong with. */
function soundDraft(scene: Scene, route: Route, random: Random): Draft {
  const ids = scene.idsFor(route.template).map((choices) => random.pick(choices));
  let place = 0;
  const token = scene.tokens()[route.side];
  return {
    route,
    scene,
    token,
    method: route.method,
    path: route.template.replaceAll(/\{\w+\}/g, () => ids[place++] ?? ''),
    query: [],
    headers: Object.entries(route.headers).map(([name, shape]) => [
      name.toLowerCase(),
      String(shape.enum?.[0]),
    ]),
    authorization: route.needsToken ? `Bearer ${token}` : null,
    contentType: route.body === null ? null : 'application/json',
    json: route.body === null ? null : sample(route.body, random),
    body: null,
  };
}

const render = (draft: Draft): void => {
  if (draft.json !== null) draft.body = Buffer.from(textOf(draft.json));
};

/** One that decides what the line of the table is, and sometimes another thing that is wrong besides. */
function chooseMutators(route: Route, random: Random): readonly [Mutator, ...Mutator[]] {
  const fitting = layers
    .map((layer) => layer.filter((mutator) => mutator.fits(route)))
    .filter((layer) => layer.length > 0);
  const first = random.pick(fitting.flat());
  const chosen = heavy.has(first.name) && random.chance(0.9) ? random.pick(fitting.flat()) : first;
  if (random.chance(0.75)) return [chosen];
  const others = fitting.filter((layer) => !layer.includes(chosen));
  return [chosen, random.pick(random.pick(others))];
}

/** Well below what Node takes: target and headers that are larger together may be too large. */
const headSizeSafe = 12_000;
const headSize = ({ target, headers }: Pick<MalformedRequest, 'target' | 'headers'>): number =>
  headers.reduce((size, [name, value]) => size + name.length + value.length, target.length);

/** Request so-and-so of a seed: always the same one, but for the rows' ids and the token in it. */
export function malformedRequest(scene: Scene, seed: string, number: number): MalformedRequest {
  const random = createRandom(`${seed}/${number}`);
  const route = random.pick(scene.routes);
  const chosen = chooseMutators(route, random);
  const draft = soundDraft(scene, route, random);
  const apply = (layer: readonly Mutator[]) =>
    chosen
      .filter((mutator) => layer.includes(mutator))
      .flatMap(({ mutate }) => mutate(draft, random));
  const allowed = apply(fieldMutators);
  render(draft);
  allowed.push(...layers.slice(1).flatMap(apply));
  addOddities(draft, random);
  // A token route counts calls by their address before anything else.
  if (!route.needsToken) allowed.push('TOO_MANY_REQUESTS');
  // Two things that are large together are too large.
  if ((draft.body?.length ?? 0) > bodyBytesMax) allowed.push('PAYLOAD_TOO_LARGE');
  const request = requestOf(draft);
  if (headSize(request) > headSizeSafe) allowed.push('HEADERS_TOO_LARGE');
  const [first, ...more] = chosen.map(({ name }) => name);
  return {
    mutators: [first ?? '', ...more],
    ...request,
    allowed: new Set(allowed),
  };
}

function requestOf(draft: Draft): Pick<MalformedRequest, 'method' | 'target' | 'headers' | 'body'> {
  const { method, path, query, headers, authorization, contentType, body } = draft;
  return {
    method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [
      ...headers,
      ...(authorization === null ? [] : [['authorization', authorization] as const]),
      ...(contentType === null ? [] : [['content-type', contentType] as const]),
    ],
    body,
  };
}

/** A well-formed request, for comparison: reads of every kind, which leave the database as it is. */
export function soundRequest(scene: Scene, seed: string, number: number) {
  const random = createRandom(`${seed}/sound/${number}`);
  const route = random.pick(scene.routes.filter(({ method }) => method === 'GET'));
  return requestOf(soundDraft(scene, route, random));
}
