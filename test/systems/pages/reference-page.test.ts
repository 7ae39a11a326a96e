import type { Page, Request } from 'playwright-core';
import { expect, vi } from 'vitest';
import { sides } from '../../../api/reference/api-sides.ts';
import { operatorGuides, vendorGuides } from '../../../api/reference/pages/guide-list.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { browserTest } from '../../support/browser.ts';
/** The references and guides in a browser: links to operations, the console's token (D108). */

const test = browserTest.extend('credentials', { scope: 'file' }, async ({ gateway }) => {
  const { clientId, clientSecret } = await newVendor(gateway);
  const { operatorId, operatorSecret } = await newOperator(gateway);
  return new Map(Object.entries({ clientId, clientSecret, operatorId, operatorSecret }));
});

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
};
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const selectorOf = (operationId: string): string =>
  `.scalar-app [id^="api-1/tag/"][id$="/${operationId}"]`;

/** Waits until the section of an operation has its title. */
const untilShown = (page: Page, { operationId, summary }: Operation): Promise<void> =>
  page.locator(selectorOf(operationId), { hasText: summary }).waitFor({ state: 'attached' });

const isAtTop = ({ operationId }: Operation): string => `(() => {
  const section = document.querySelector(${JSON.stringify(selectorOf(operationId))});
  const { top, bottom } = section.getBoundingClientRect();
  return top < innerHeight / 2 && bottom > innerHeight / 2;
})()`;

test.for(sides)(
  'opens an operation of $documentPath by a link with its id',
  async (side, { gateway, openPage }) => {
    const response = await gateway.app.inject({ method: 'GET', url: side.documentPath });
    const { paths, webhooks, tags } = response.json<{
      paths: Paths;
      webhooks?: Paths;
      tags: readonly { name: string }[];
    }>();
    const operations = Object.values({ ...paths, ...webhooks }).flatMap(Object.values<Operation>);
    const page = await openPage();
    // The first link loads the page. The others lead within it: Scalar makes the sections of one
    // tag at a time.
    for (const { name } of tags) {
      const ofTag = operations.filter((operation) => operation.tags[0] === name);
      const last = ofTag.at(-1) ?? expect.unreachable();
      await page.goto(`${side.pagePath}#${last.operationId}`);
      await untilShown(page, last);
      // Playwright's own wait evaluates a text in the page, which its policy forbids.
      await expect.poll(() => page.evaluate(isAtTop(last)), { timeout: 30_000 }).toBe(true);
      for (const operation of ofTag) await untilShown(page, operation);
    }
  },
);

test.for(sides)(
  'sends the token that the form of $pagePath has fetched, and stores no secret',
  async ({ pagePath, token, hasWebhooks }, { credentials, openPage }) => {
    const page = await openPage();
    const sent: Request[] = [];
    page.on('request', (request) => sent.push(request));
    const submit = async (secret: string): Promise<void> => {
      await page.fill(`#${token.id}`, credentials.get(token.id) ?? '');
      await page.fill(`#${token.secret}`, secret);
      await page.click('header form button');
    };
    const [id, path] = hasWebhooks
      ? ['getVendorProfile', '/api/v1/vendor/profile']
      : ['listVendors', '/operator/v1/vendors'];
    await page.goto(`${pagePath}#${id}`);
    await page.click('header summary:text("Get a token")');

    await submit('wrong');
    const says = (text: string) => page.locator('header output', { hasText: text }).waitFor();
    await says('No token: UNAUTHORIZED_INVALID_CREDENTIALS.');
    const secret = credentials.get(token.secret) ?? '';
    await submit(secret);
    await says('The console sends a token that is valid until');

    await page.locator(`[id$="/${id}"] button`, { hasText: 'Test Request' }).click();
    await page.getByRole('button', { name: /^Send Request/ }).click();
    const isCall = (request: Request): boolean => new URL(request.url()).pathname === path;
    const call = await vi.waitUntil(() => sent.find(isCall), 30_000);
    const authorization = (await call.headerValue('authorization')) ?? '';
    expect(authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    const kept = await page.evaluate<string>(`(async () => JSON.stringify([location.href,
      { ...localStorage }, { ...sessionStorage }, document.cookie,
      await indexedDB.databases()]))()`);
    for (const text of [secret, authorization.replace('Bearer ', '')])
      for (const each of [kept, ...sent.map((request) => request.url())])
        expect(each).not.toContain(text);
  },
);

test.for([vendorGuides, operatorGuides])(
  'fits each guide of $path into the width of a phone',
  async ({ path, guides }, { openPage }) => {
    const page = await openPage({ viewport: { width: 360, height: 740 } });
    const wide: string[] = [];
    for (const [name, [, , only]] of Object.entries<readonly string[]>(guides)) {
      if (only === 'Sandbox') continue;
      await page.goto(`${path}/${name}`);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > 360) wide.push(`${name} ${width}`);
    }
    expect(wide).toEqual([]);
  },
);
