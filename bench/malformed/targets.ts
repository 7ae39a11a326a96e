import { errorCatalogue, isErrorCode, type ErrorCode } from '../../domain/errors.ts';
import type { Random } from './random.ts';
import type { Draft, Mutator } from './request.ts';
import { hasId, isPathOf, type Route } from './routes.ts';
import { methods, wrongIds } from './lists.ts';

/** What can be wrong with a request's path and its method. */

const always = (): boolean => true;

/** These cannot be decoded, so that no route is asked. */
const undecodable = ['%', '%zz', '%ff', '%ED%A0%80', '%C0%AF', '%E0%A4%A', 'a%'];

const notFound: readonly ErrorCode[] = Object.keys(errorCatalogue)
  .filter(isErrorCode)
  .filter((code) => code.startsWith('NOT_FOUND_') && code !== 'NOT_FOUND_ROUTE');
const noRoute: readonly ErrorCode[] = ['NOT_FOUND_ROUTE'];

/** Puts something in the place of one of the path's ids. */
function replaceId(draft: Draft, random: Random, id: string): void {
  const places = [...draft.route.template.matchAll(/\{\w+\}/g)].map(({ index }) => index);
  const segment = draft.route.template.slice(0, random.pick(places)).split('/').length - 1;
  draft.path = draft.path
    .split('/')
    .map((part, index) => (index === segment ? id : part))
    .join('/');
}

const wrongId: Mutator = {
  name: 'path: no uuid',
  fits: hasId,
  mutate: (draft, random) => {
    replaceId(draft, random, random.pick(wrongIds));
    return notFound;
  },
};

const undecodableId: Mutator = {
  name: 'path: not to be decoded',
  fits: hasId,
  mutate: (draft, random) => {
    replaceId(draft, random, random.pick(undecodable));
    return noRoute;
  },
};

const emptyId: Mutator = {
  name: 'path: empty id',
  fits: hasId,
  mutate: (draft, random) => {
    replaceId(draft, random, '');
    return noRoute;
  },
};

const paths: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => `${path}/x/y/z/w`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1/', '/v2/'),
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace('/v1/', '/./v1/'),
  (path) => path.replace('/v1/', '%2Fv1/'),
  (path) => path.replace('/v1/', '\\v1\\'),
  (path) => path.replace('/v1/', '/v1%00/'),
  (path) => path.replace('/v1/', '/v1/../v1/'),
  (path) => path.replace('/v1/', '/__proto__/'),
  (path) => `${path}/${'x/'.repeat(4000)}`,
  () => '/%',
];

const noSuchPath: Mutator = {
  name: 'path: no route',
  fits: always,
  mutate: (draft, random) => {
    draft.path = random.pick(paths)(draft.path);
    return noRoute;
  },
};

const tooLong: Mutator = {
  name: 'path: above 16 KiB',
  fits: hasId,
  mutate: (draft, random) => {
    replaceId(draft, random, 'a'.repeat(16_384 + random.below(5000)));
    return ['HEADERS_TOO_LARGE'];
  },
};

const isRoute = (routes: readonly Route[], method: string, path: string): boolean =>
  routes.some((route) => route.method === method && isPathOf(route, path));

const wrongMethod: Mutator = {
  name: 'method: not of this path',
  fits: always,
  mutate: (draft, random) => {
    const { routes } = draft.scene;
    draft.method = random.pick(methods.filter((method) => !isRoute(routes, method, draft.path)));
    if (draft.method === 'HEAD' || random.chance(0.5)) draft.body = null;
    draft.headers.push(['x-http-method-override', draft.route.method]);
    return noRoute;
  },
};

export const pathMutators: readonly Mutator[] = [
  wrongId,
  undecodableId,
  emptyId,
  noSuchPath,
  tooLong,
];
export const methodMutators: readonly Mutator[] = [wrongMethod];
