import { expect } from 'vitest';
import { auditOf, newParties, submitOffer } from '../../api/offers/offer-record.ts';
import { newOperator } from '../../support/api/actors.ts';
import { unknownId } from '../../support/api/api.ts';
import { newRecord, pages } from '../every-page.ts';
import { consoleTest, hiddenFieldsOf, ownPage, shows, signIn, submit } from '../console-fixture.ts';
// Two operators who sign in one after the other in one browser: a page is of one of them.

const test = consoleTest
  .extend('ids', { scope: 'file' }, ({ gateway }) => newRecord(gateway, 'Text'))
  .extend('browsers', { scope: 'file' }, ({ gateway }) =>
    Promise.all(
      [1, 2].map(async () => {
        const operator = await newOperator(gateway);
        return { id: operator.id, headers: await signIn(gateway, operator) };
      }),
    ),
  )
  .extend('one', ({ gateway }) => newOperator(gateway))
  .extend('other', ({ gateway }) => newOperator(gateway));

/** The operators of the forms of a page that are posted; one that names none is `undefined`. */
const operatorsOf = (page: string): ReadonlySet<string | undefined> =>
  new Set(
    Array.from(page.matchAll(/<form[^>]*method="post"[^>]*>([^]*?)<\/form>/g), ([, form = '']) => {
      const [, id] = /name="shownTo" value="([^"]+)"/.exec(form) ?? [];
      return id;
    }),
  );

test.for(pages.filter(([name]) => name !== 'sign-in' && name !== 'not-found'))(
  'names its operator in each form of the page %s, also in a part that operators share',
  async ([, pathOf], { gateway, ids, browsers }) => {
    for (const { id, headers } of browsers) {
      const [page, part] = await Promise.all(
        [{}, { 'x-live': 'true' }].map((more) =>
          gateway.app.inject({ url: pathOf(ids), headers: { ...headers, ...more } }),
        ),
      );
      expect(operatorsOf(page?.body ?? '')).toEqual(new Set([id]));
      expect([[], [id]]).toContainEqual([...operatorsOf(part?.body ?? '')]);
    }
  },
);

test('refuses a form of another operator’s page, and sends it after its operator’s sign-in', async ({
  gateway,
  one,
  other,
}) => {
  const id = await submitOffer(await newParties(gateway));
  const url = `/console/offers/${id}`;
  const earlier = await signIn(gateway, one);
  const { body } = await gateway.app.inject({ url, headers: earlier });
  const form = { ...hiddenFieldsOf(body, '/reject'), reason: 'No <b>invoice</b>.' };
  const headers = await signIn(gateway, other, earlier);
  const refused = await submit(gateway, `${url}/reject`, form, headers);
  expect(refused).toMatchObject(shows(409, `Signed in now: \u2068${other.operatorId}\u2069`));
  expect(refused.body).toContain('Your form is kept');
  expect(refused.body).toContain(`<a href="${url}">Open the page</a>`);
  expect(await auditOf(gateway.sql, id)).toEqual([]);
  const { kept = '' } = hiddenFieldsOf(refused.body, '/sign-in');
  const send = async ({ operatorId, operatorSecret }: typeof one) =>
    submit(gateway, '/console/sign-in', { operatorId, operatorSecret, kept }, headers);
  expect(await send(other)).toMatchObject(shows(200, 'The form that was sent is not kept'));
  const again = await send(one);
  expect(again).toMatchObject(shows(200, 'No &lt;b&gt;invoice&lt;/b&gt;.'));
  expect(again.body).not.toContain(`<bdi>${one.id}`);
  const { value } = again.cookies[0] ?? expect.unreachable();
  const back = { ...ownPage, cookie: `console=${value}` };
  const fields = hiddenFieldsOf(again.body, '/reject');
  expect((await submit(gateway, `${url}/reject`, fields, back)).statusCode).toBe(303);
  expect(await auditOf(gateway.sql, id)).toMatchObject([{ operatorId: one.id }]);
});

test('keeps a form for its operator, who has signed out, and for no other one', async ({
  gateway,
  one,
  other,
}) => {
  const to = `/console/offers/${unknownId()}/reject`;
  const asked = await submit(gateway, to, { shownTo: one.id, reason: 'No invoice.' }, ownPage);
  expect(asked).toMatchObject(shows(401, 'Your form is kept'));
  const { kept = '' } = hiddenFieldsOf(asked.body, '/sign-in');
  for (const [{ operatorId, operatorSecret }, text] of [
    [other, 'The form that was sent is not kept'],
    [one, 'No invoice.'],
  ] as const) {
    const form = { operatorId, operatorSecret, kept };
    expect(await submit(gateway, '/console/sign-in', form)).toMatchObject(shows(200, text));
  }
});

test('shows no live part to another operator’s page', async ({ gateway, one, other }) => {
  const headers = await signIn(gateway, other);
  const url = '/console/offers?test=two';
  const read = ({ id }: typeof one) =>
    gateway.app.inject({ url, headers: { ...headers, 'x-live': 'true', 'x-shown-to': id } });
  expect((await read(other)).statusCode).toBe(200);
  expect((await read(one)).headers['location']).toContain('/console/sign-in');
});

test('changes no session and no setting of another operator', async ({ gateway, one, other }) => {
  const headers = await signIn(gateway, other);
  const shownTo = one.id;
  const everywhere = '/console/sign-out-everywhere';
  expect((await submit(gateway, everywhere, { shownTo }, headers)).statusCode).toBe(409);
  const language = { shownTo, language: 'ar', to: '/console' };
  expect((await submit(gateway, '/console/language', language, headers)).statusCode).toBe(303);
  const { body } = await gateway.app.inject({ url: '/console', headers });
  expect(body).toContain('<html lang="en"');
  const own = { shownTo: other.id };
  expect((await submit(gateway, everywhere, own, headers)).statusCode).toBe(303);
  expect((await gateway.app.inject({ url: '/console', headers })).statusCode).toBe(303);
});
