import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { unknownId } from '../../support/api/api.ts';
import { consoleTest, failure } from '../console-fixture.ts';
import { newRecord, type RecordIds } from '../every-page.ts';
// Forms that create: each has a key, by which the API creates once.

type Fields = Readonly<Record<string, string>>;

const test = consoleTest
  .extend('ids', { scope: 'file' }, async ({ gateway }) => {
    const { id: operatorId } = await newOperator(gateway);
    return { ...(await newRecord(gateway, 'Text')), operatorId };
  })
  /** Whether each call that creates has repeated one, and how its response is lost; null: not. */
  .extend('calls', ({ intercept }) => {
    const calls = { repeated: [] as boolean[], lostBy: null as 503 | 504 | null };
    intercept(async (options, call) => {
      const response = await call();
      if (options.headers?.['idempotency-key'] === undefined) return response;
      calls.repeated.push(response.headers['idempotency-replayed'] === 'true');
      return calls.lostBy === null ? response : failure(calls.lostBy);
    });
    return calls;
  });

/** The hidden fields of each form of a page that goes to the address. */
const formsTo = (page: string, address: string): readonly Fields[] =>
  Array.from(page.matchAll(/<form[^>]*action="([^"]*)"[^]*?<\/form>/g), ([form, action]) => {
    const fields = form.matchAll(/type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g);
    const named = Array.from(fields, ([, name = '', value = '']) => [name, value] as const);
    return action === address ? [Object.fromEntries(named)] : [];
  }).flat();

type Ids = RecordIds & { readonly operatorId: string };
type Keyed = {
  /** The page, and where its form goes, if that is not the page. */
  readonly page: string;
  readonly to?: string;
  /** Fields by which the form differs from others that go there. */
  readonly marks?: Fields;
  readonly typed?: Fields;
};

const noteOn = (page: string): Keyed => ({ page, to: `${page}/note`, typed: { note: 'Once' } });
const keyed: readonly (readonly [string, (ids: Ids) => Keyed])[] = [
  ['a note on an offer', ({ offerId }) => noteOn(`offers/${offerId}`)],
  ['a note on a return', ({ returnId }) => noteOn(`returns/${returnId}`)],
  ['a note on a vendor', ({ vendorId }) => noteOn(`vendors/${vendorId}`)],
  [
    'a vendor',
    () => ({
      page: 'vendors',
      typed: { name: 'Once', pricingModel: 'PercentageOfSale', percent: '15' },
    }),
  ],
  [
    'a credential',
    ({ vendorId }) => ({
      page: `vendors/${vendorId}`,
      to: `vendors/${vendorId}/credentials`,
      typed: { capabilities: 'Offers' },
    }),
  ],
  [
    'many decisions',
    ({ pricedId }) => ({
      page: `offers/many?action=apply&offer=${pricedId}`,
      to: 'offers/many',
      typed: { ticked: pricedId, count: '1', start: 'true' },
    }),
  ],
  [
    'an operator',
    () => ({
      page: 'operators',
      marks: { act: 'create' },
      typed: { operatorId: `once-${unknownId()}`, role: 'Reviewer' },
    }),
  ],
  [
    'a secret',
    ({ operatorId: id }) => ({ page: 'operators', marks: { act: 'rotate-secret', id } }),
  ],
];

test.for(keyed)(
  'creates once for %s, although its response is lost and the form is sent again',
  async ([, formOf], { admin, ids, calls }) => {
    const { page, to = page, marks = {}, typed = {} } = formOf(ids);
    const address = `/console/${to}`;
    const fieldsOn = (shown: string) => {
      const form = formsTo(shown, address).find((fields) =>
        Object.entries({ ...marks, key: fields['key'] }).every(
          ([name, value]) => value !== undefined && fields[name] === value,
        ),
      );
      return { ...form, ...typed };
    };
    let fields: Fields = fieldsOn(await admin.read(`/console/${page}`));
    const { key } = fields;
    expect(key).toMatch(/^[\da-f-]{36}$/);
    for (const lostBy of [503, 504] as const) {
      calls.lostBy = lostBy;
      const { statusCode, body } = await admin.submit(address, fields);
      expect(statusCode).toBe(lostBy);
      fields = fieldsOn(body);
      expect(fields['key']).toBe(key);
      // No other form has it.
      expect(body.match(new RegExp(`name="key" value="${key}"`, 'g'))).toHaveLength(1);
    }
    calls.lostBy = null;
    expect([200, 303]).toContain((await admin.submit(address, fields)).statusCode);
    expect(calls.repeated).toEqual([false, true, true]);
  },
);

test('gives a form a new key after one that was used otherwise or is none', async ({
  admin,
  ids: { vendorId },
}) => {
  const address = `/console/vendors/${vendorId}/note`;
  const key = unknownId();
  expect((await admin.submit(address, { key, note: 'First' })).statusCode).toBe(303);
  for (const [sent, note, status] of [
    [key, 'Second', 422],
    ['" onfocus="', ' ', 400],
  ] as const) {
    const { statusCode, body } = await admin.submit(address, { key: sent, note });
    expect(statusCode).toBe(status);
    const [fields] = formsTo(body, address);
    expect(fields?.['key']).toMatch(/^[\da-f-]{36}$/);
    expect(fields?.['key']).not.toBe(key);
  }
});
