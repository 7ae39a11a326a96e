import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { baseUrlOf } from '../../api/error-codes/http.ts';
import { newParties, succeeded } from '../../api/offers/offer-record.ts';
import { newReturnFixture } from '../../api/returns/return-fixture.ts';
import { newOperator, newVariant } from '../../api/support/actors.ts';
import { hasBrowser, openBrowser, type BrowserPage } from '../../support/browser.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
/** The console in a browser, with and without JavaScript: sign-in, queue, decision (D139). */

/** A folder for pictures of the pages, to look at; without it there are none. */
const pictures = process.env['PAGE_PICTURES'];

/** The elements that reach beyond the viewport at this width. */
const beyond = `[...document.querySelectorAll('body *')].flatMap((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  const isOut = width > 1 && (left < -1 || right > document.documentElement.clientWidth + 1);
  return isOut ? [each.outerHTML.slice(0, 100)] : [];
})`;

/** No page scrolls sideways. */
async function expectNoOverflow(page: BrowserPage): Promise<void> {
  for (const width of [1280, 360]) {
    const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
    await page.send('Emulation.setDeviceMetricsOverride', size);
    expect(await page.valueOf(beyond), `${width} px`).toEqual([]);
  }
  await page.send('Emulation.clearDeviceMetricsOverride');
}

async function takePictures(page: BrowserPage, name: string): Promise<void> {
  await expectNoOverflow(page);
  if (pictures === undefined) return;
  for (const [width, scheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [360, 'light'],
  ] as const) {
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await page.send('Emulation.setEmulatedMedia', { features });
    const size = { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 };
    await page.send('Emulation.setDeviceMetricsOverride', size);
    const { data } = await page.send('Page.captureScreenshot', {
      captureBeyondViewport: width < 500,
    });
    writeFileSync(`${pictures}/${name}-${width}-${scheme}.png`, String(data), 'base64');
  }
  await page.send('Emulation.clearDeviceMetricsOverride');
}

test.skipIf(!hasBrowser).for([
  ['with JavaScript', false],
  ['without JavaScript', true],
] as const)(
  '%s, an operator signs in and approves',
  { timeout: 120_000 },
  async ([, isOff], { gateway }) => {
    const parties = await newParties(gateway);
    const given = { cost: 100, costIsVatInclusive: false, rawBrandName: 'Brand' };
    for (const rawProductName of ['Oud 50', 'مسك أبيض'])
      succeeded(await parties.byVendor('POST', '', { ...given, rawProductName }));
    await newVariant(gateway);
    const { returnIn } = await newReturnFixture(gateway);
    const returnId = await returnIn('UnderInspection');
    const { operatorId, operatorSecret } = await newOperator(gateway);
    const baseUrl = await baseUrlOf(gateway.app);
    const page = await openBrowser();
    await page.send('Emulation.setScriptExecutionDisabled', { value: isOff });
    const isAt = (path: string) => page.until(`location.pathname.startsWith('${path}')`);
    const name = (text: string) => `${text}${isOff ? '-plain' : ''}`;

    await page.open(`${baseUrl}/console/offers?status=PendingMatch`);
    await page.until(`document.querySelector('[name=operatorSecret]') !== null`);
    await takePictures(page, name('sign-in'));
    await page.valueOf(`document.querySelector('[name=operatorId]').value = '${operatorId}';
    document.querySelector('[name=operatorSecret]').value = '${operatorSecret}';
    document.querySelector('button.primary').click()`);
    await page.until(`document.querySelector('tr[data-row] a') !== null`);
    await takePictures(page, name('queue'));

    await page.valueOf(`document.querySelector('tr[data-row] a').click()`);
    await page.until(`document.querySelector('.candidates a') !== null`);
    await page.valueOf(`document.querySelector('.candidates a').click()`);
    await page.until(`document.querySelector('[data-key=a]') !== null`);
    await takePictures(page, name('decision'));
    if (isOff) await page.valueOf(`document.querySelector('[data-key=a]').click()`);
    else
      await page.valueOf(`document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'a', bubbles: true }))`);
    await page.until(`document.querySelector('.notice.good') !== null`);
    await isAt('/console/offers/');

    for (const path of ['/console', '/console/returns', `/console/returns/${returnId}`]) {
      await page.open(baseUrl + path);
      await page.until(`document.querySelector('main#main h1') !== null`);
      await takePictures(
        page,
        name(path.includes(returnId) ? 'return' : path.slice(1).replace('/', '-')),
      );
    }
    await page.valueOf(`document.querySelector('[name=language]').click()`);
    await page.until(`document.documentElement.dir === 'rtl'`);
    await page.open(`${baseUrl}/console/offers`);
    await page.until(`document.querySelector('tr[data-row] a') !== null`);
    await takePictures(page, name('queue-ar'));
    const violations = page
      .eventsOf('Log.entryAdded')
      .filter((event) => /Content Security/.test(JSON.stringify(event)));
    expect(violations).toEqual([]);
  },
);
