import type { Page } from 'playwright-core';
import type { TestOperator } from '../../support/api/actors.ts';
import { baseUrlOf } from '../../api/error-codes/http.ts';
import type { Gateway } from '../../support/api/api.ts';
import { signIn } from '../../console/console-fixture.ts';

/** The cookie of a new session of an operator, for a browser. */
export async function cookieOf(gateway: Pick<Gateway, 'app'>, operator: TestOperator) {
  const { cookie } = await signIn(gateway, operator);
  const [name = '', value = ''] = cookie.split('=');
  return { name, value, url: await baseUrlOf(gateway.app) };
}

/** Does something that leads to another page, and waits for that page. */
export async function leads(page: Page, act: () => Promise<unknown>): Promise<void> {
  const loaded = page.waitForEvent('domcontentloaded');
  await act();
  await loaded;
}

/** Types the id and the secret into the form of the sign-in, and sends it by Enter. */
export async function signInBy(page: Page, { operatorId, operatorSecret }: TestOperator) {
  await page.locator('[name=operatorId]').focus();
  await page.keyboard.insertText(operatorId);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(operatorSecret);
  await leads(page, () => page.keyboard.press('Enter'));
}

/** Waits until the forms of a page may be sent: it has been shown for a moment. */
export const unlocked = (page: Page): Promise<void> =>
  page.locator('html:not([data-locked])').waitFor();

/** How an operator acts on a page: by its keys or, without JavaScript, by what has the key. */
export function actsOn(page: Page, hasKeys: boolean) {
  const press = async (key: string): Promise<void> => {
    await unlocked(page);
    if (hasKeys) return page.keyboard.press(key);
    const link = page.locator(`li:has(:disabled[data-key="${key}"]) a`);
    if ((await link.count()) > 0) return leads(page, () => link.click());
    return page.click(`[data-key="${key}"]`);
  };
  return {
    /** Chooses or opens something in the page. */
    press,
    /** Follows a link or sends a form. */
    follow: (key: string) => leads(page, () => press(key)),
    /** Opens a form for a reason, writes the reason and sends it. */
    giveReason: async (key: string, reason: string): Promise<void> => {
      await press(key);
      const form = page.locator('details[open] form');
      if (!hasKeys) await form.locator('textarea').focus();
      await page.keyboard.insertText(reason);
      // The outcome of a return is confirmed.
      for (const box of await form.locator('[name=confirmed]').all()) await box.check();
      await leads(page, () => form.locator('button').press('Enter'));
    },
    /** Opens the first row of a list. */
    openFirst: async (): Promise<void> => {
      if (hasKeys) await page.keyboard.press('j');
      const link = page.locator('tr[data-row] a').first();
      await leads(page, () => (hasKeys ? page.keyboard.press('Enter') : link.click()));
    },
  };
}
