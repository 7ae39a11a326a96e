import { expect, vi } from 'vitest';
import { sides } from '../../../api/reference/sides.ts';
import { baseUrlOf } from '../../api/error-codes/http.ts';
import { newOperator, newVendor } from '../../api/support/actors.ts';
import { hasBrowser, openBrowser, type BrowserPage } from '../../support/browser.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
/** The references in a browser: links to operations, and the token of the console (D108). */

const test = gatewayTest
  .extend('baseUrl', { scope: 'file' }, ({ gateway }) => baseUrlOf(gateway.app))
  .extend('credentials', { scope: 'file' }, async ({ gateway }) => {
    const { clientId, clientSecret } = await newVendor(gateway);
    const { operatorId, operatorSecret } = await newOperator(gateway);
    const byField = { clientId, clientSecret, operatorId, operatorSecret };
    return new Map(Object.entries(byField));
  });

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
};
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** What the page's policy has refused. */
const violationsIn = (page: BrowserPage): readonly unknown[] =>
  page.eventsOf('Log.entryAdded').filter((event) => /Content Security/.test(JSON.stringify(event)));

/** The section of an operation, as an expression of the page. */
const sectionOf = ({ operationId }: Operation): string =>
  `document.querySelector('.scalar-app [id^="api-1/tag/"][id$="/${operationId}"]')`;

const hasTitle = (operation: Operation): string =>
  `${sectionOf(operation)}?.textContent.includes(${JSON.stringify(operation.summary)}) === true`;

const isAtTop = (operation: Operation): string => `(() => {
  const { top, bottom } = ${sectionOf(operation)}.getBoundingClientRect();
  return top < innerHeight / 2 && bottom > innerHeight / 2;
})()`;

test.skipIf(!hasBrowser).for(sides)(
  'a link with the id of an operation of $documentPath opens it',
  { timeout: 300_000 },
  async (side, { gateway, baseUrl }) => {
    const answer = await gateway.app.inject({ method: 'GET', url: side.documentPath });
    const { paths, webhooks, tags } = answer.json<{
      paths: Paths;
      webhooks?: Paths;
      tags: readonly { name: string }[];
    }>();
    const operations = Object.values({ ...paths, ...webhooks }).flatMap(Object.values<Operation>);
    const page = await openBrowser();
    // Scalar makes the sections of one tag at a time.
    for (const { name } of tags) {
      const ofTag = operations.filter((operation) => operation.tags[0] === name);
      const last = ofTag.at(-1) ?? expect.unreachable();
      await page.open(`${baseUrl}${side.pagePath}#${last.operationId}`);
      await page.until(hasTitle(last));
      await page.until(isAtTop(last));
      for (const operation of ofTag) await page.until(hasTitle(operation));
    }
    expect(violationsIn(page)).toEqual([]);
  },
);

const clickOn = (text: string): string => `(() => {
  const button = [...document.querySelectorAll('.scalar-app button')].find(
    (each) => each.checkVisibility() && each.innerText.trim().startsWith(${JSON.stringify(text)}),
  );
  button?.click();
  return button !== undefined;
})()`;

type Sent = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

test.skipIf(!hasBrowser).for(sides)(
  'the console of $pagePath sends the token that its form has fetched, and keeps no secret',
  { timeout: 120_000 },
  async ({ pagePath, token, hasWebhooks }, { credentials, baseUrl }) => {
    const page = await openBrowser();
    const sentTo = (path: string): readonly Sent[] =>
      page
        .eventsOf('Network.requestWillBeSent')
        .map(({ request }) => request as Sent)
        .filter(({ url }) => new URL(url).pathname === path);
    const submit = (secret: string) => {
      const values = { [token.id]: credentials.get(token.id), [token.secret]: secret };
      return page.valueOf(`for (const [id, value] of Object.entries(${JSON.stringify(values)}))
        document.getElementById(id).value = value;
        document.querySelector('header button').click();`);
    };
    const [id, path] = hasWebhooks
      ? ['getVendorProfile', '/api/v1/vendor/profile']
      : ['listVendors', '/operator/v1/vendors'];
    await page.open(`${baseUrl}${pagePath}#${id}`);
    await page.until(`document.querySelector('[id$="/${id}"] button') !== null`);

    await submit('wrong');
    const says = (text: string) =>
      page.until(`document.querySelector('header output').textContent.startsWith('${text}')`);
    await says('No token: UNAUTHORIZED_INVALID_CREDENTIALS.');
    const secret = credentials.get(token.secret) ?? '';
    await submit(secret);
    await says('The console sends a token that is valid until');

    await page.until(clickOn('Test Request'));
    await page.until(clickOn('Send'));
    const call = await vi.waitUntil(() => sentTo(path)[0], { timeout: 30_000 });
    const authorization = new Headers(call.headers).get('authorization') ?? '';
    expect(authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
    const bearer = authorization.replace('Bearer ', '');
    const kept = String(
      await page.valueOf(`(async () => JSON.stringify([location.href, { ...localStorage },
        { ...sessionStorage }, document.cookie, await indexedDB.databases()]))()`),
    );
    for (const text of [secret, bearer]) {
      expect(kept).not.toContain(text);
      for (const { url } of page
        .eventsOf('Network.requestWillBeSent')
        .map(({ request }) => request as Sent))
        expect(url).not.toContain(text);
    }
    expect(violationsIn(page)).toEqual([]);
  },
);
