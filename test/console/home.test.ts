import { expect, vi } from 'vitest';
import { newOfferFixture } from '../api/offers/offer-fixture.ts';
import { newReturnFixture } from '../api/returns/return-fixture.ts';
import { newWebhookFixture } from '../api/webhooks/webhook-fixture.ts';
import { consoleTest as test, type Browser } from './console-fixture.ts';

const pageOf = async ({ open }: Browser) => (await open('/console')).body;
const count = /href="([^"]+)">\s*<span class="muted">([^<]*)<\/span>\s*<span class="figure">(\d+)/g;

/** Each count of the page by its link and name. */
const countsOf = async (browser: Browser): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    Array.from((await pageOf(browser)).matchAll(count), ([, link = '', name = '', total = '']) => [
      `${name}: ${link.replaceAll('&amp;', '&')}`,
      total,
    ]),
  );
const match = 'To match: /console/offers?kind=Match';
const review = 'To review: /console/offers?kind=Review';
const staged = 'Staged prices: /console/offers?kind=StagedPrice';
const edits = 'Changed identity: /console/offers?kind=IdentityEdit';
const overTarget = 'Waiting over 48 hours: /console/offers?overTarget=true';
const staff = 'Returns for staff: /console/returns?status=UnderInspection&requiresStaffReview=true';
const inspected = 'Under inspection: /console/returns?status=UnderInspection';
const due = 'Decide within 6\u00a0h: /console/returns?dueWithinHours=6';
const deadLetters = 'Dead letters: /console/webhooks/deliveries?state=deadLettered';
const stuck = 'Health check: /console/stuck';
const inactive = 'Inactive subscriptions: /console/webhooks?state=inactive';

const stuckOf = async (browser: Browser) => (await countsOf(browser))[stuck];

test('counts for an Admin what the doctor finds, and delays no page by it', async ({
  gateway,
  admin,
  operations,
}) => {
  await gateway.sql`
    insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
      reason)
    select n, 'new', uuidv7(), '{}', false, now(), 'unknown' from generate_series(1, 25) as n`;
  expect(await stuckOf(admin)).toBeUndefined();
  await vi.waitFor(async () => expect(await stuckOf(admin)).toBe('25'), 30_000);
  expect(await stuckOf(operations)).toBeUndefined();
});

test('counts what waits, with links, by role', async ({ gateway, reviewer, operations, admin }) => {
  const { offerIn } = await newOfferFixture(gateway);
  await offerIn('PendingReview');
  const { returnIn } = await newReturnFixture(gateway);
  await returnIn('UnderInspection');
  const id = await returnIn('UnderInspection');
  // Only staff decide on it, silence does not.
  await gateway.sql`
    update return_requests set destination = 'SortingPoint',
      inspection_deadline = now() + interval '4 hours'
    where id = ${id}`;
  const { subscribe, setActive, remove, delivered } = await newWebhookFixture(gateway);
  const [off, gone, kept] = [await subscribe(), await subscribe(), await subscribe()];
  await setActive(off, false);
  await remove(gone);
  await delivered(kept, 'deadLettered');
  const ofReviewer = await countsOf(reviewer);
  expect(ofReviewer).toEqual({
    [match]: '0',
    [review]: '1',
    [staged]: '0',
    [edits]: '0',
    [overTarget]: '0',
  });
  const ofOperations = await countsOf(operations);
  expect(ofOperations).toEqual({
    [due]: '1',
    [staff]: '0',
    [inspected]: '2',
    [deadLetters]: '1',
    [inactive]: '1',
  });
  expect(await countsOf(admin)).toEqual({ ...ofReviewer, ...ofOperations, [stuck]: '25' });
});

/** The text of the caption of a plot. */
const textOf = (plot: string): string =>
  (plot.split('</figcaption>')[0] ?? '').replaceAll(/(?:<[^>]+>|\s)+/g, ' ');

test('shows plots also as text and in a table', async ({ gateway, reviewer, operations }) => {
  const { subscribe, delivered } = await newWebhookFixture(gateway);
  await delivered(await subscribe(), 'succeeded');
  const page = await pageOf(operations);
  const plots = page.match(/<figure class="card plot">[\s\S]*?<\/figure>/g) ?? [];
  expect(plots.map((each) => each.match(/<th scope="row">/g)?.length)).toEqual([14, 14, 14, 48, 7]);
  const [waiting = '', decided = '', waits = '', attempted = '', due = ''] = plots;
  expect(textOf(waiting)).toBe(' Waiting offers by day, UTC 1 now ');
  expect(textOf(decided)).toMatch(/^ Decisions by day, UTC \d approved or applied 0 rejected/);
  expect(textOf(waits)).toMatch(/^ Hours to a decision by day, UTC – median – 90th perc/);
  expect(waits).toMatch(/<td>–<\/td>\s*<td>–<\/td>/);
  expect(textOf(attempted)).toBe(' Webhooks by hour, UTC 1 delivered 1 failed attempts ');
  expect(attempted).toMatch(/<td>1<\/td>\s*<td>1<\/td>\s*<\/tr>/);
  expect(textOf(due)).toBe(' Ends of inspection windows by day, UTC 1 in all ');
  expect(attempted).toMatch(
    /type="radio"[^>]*><span>[^<]+: 1 delivered, 1 failed attempts<\/span>/,
  );
  expect(page).not.toContain('style=');
  expect(await pageOf(reviewer)).not.toContain('Ends of inspection windows');
});
