import { afterAll, beforeAll, expect, test } from 'vitest';
import { postmanCollection } from '../../scripts/postman-collection.ts';
import { startGateway, type Gateway } from '../api/support/api.ts';
import { walkRoutes } from '../api/support/walk.ts';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

type Item = {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly path: readonly string[] };
  };
};

const requestsOf = ({ item = [], ...rest }: Item): readonly Item[] =>
  'request' in rest ? [rest] : item.flatMap(requestsOf);

async function collection() {
  const response = await gateway.app.inject({ method: 'GET', url: '/openapi.json' });
  return postmanCollection(response.json());
}

test('the collection in docs/postman is the one of today (npm run docs:postman writes it)', async () => {
  await expect(`${JSON.stringify(await collection(), null, 2)}\n`).toMatchFileSnapshot(
    '../../docs/postman/vendor-gateway.postman_collection.json',
  );
});

test('every route has a request in it', async () => {
  const made = (await collection()) as Item;
  const names = requestsOf(made).map(
    ({ request }) =>
      `${request?.method} /${(request?.url.path ?? []).join('/').replaceAll(/:(\w+)/g, '{$1}')}`,
  );
  const routes = (await walkRoutes(gateway, 'id')).map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(names)].toSorted()).toEqual(routes.toSorted());
});
