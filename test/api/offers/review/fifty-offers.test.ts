import { expect } from 'vitest';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import { newVariant, newVendor, percentageOfSale, type TestVendor } from '../../support/actors.ts';
import { call, itemsOf, type Gateway } from '../../support/api.ts';
import { decide, reviewTest as test, submit } from './review-fixture.ts';

/** A reviewer works through 50 mixed offers by the API alone, with one read for each decision. */

type Facts = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  readonly flags: readonly string[];
  readonly reviewVersion: number;
};
type Decision = readonly [action: string, body: Record<string, unknown>];

/** A GTIN-13 with its check digit. */
function gtin(number: number): string {
  const digits = String(629_104_100_000 + number);
  const sum = Array.from(digits, Number).reduce(
    (all, digit, index) => all + digit * (1 + (index % 2) * 2),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The rules of this reviewer, from the facts of the read alone. */
function decisionOf({ kind, flags, reviewVersion }: Facts): Decision {
  const expectedVersion = reviewVersion;
  const faults = {
    PriceMissing: 'No price.',
    NoBarcode: 'No barcode.',
    DuplicateOfVendor: 'Twice.',
  };
  const fault = Object.entries(faults).find(([flag]) => flags.includes(flag));
  if (fault !== undefined) return ['reject', { reason: fault[1], expectedVersion }];
  if (kind !== 'StagedPrice') return ['approve', { expectedVersion }];
  return flags.includes('LargePriceChange')
    ? ['pending-price/discard', { reason: 'Too much.', expectedVersion }]
    : ['pending-price/apply', { expectedVersion }];
}

/** Ten offers of each of five kinds wait; the last ten have no price, or one that is there already. */
async function fillQueue(gateway: Gateway, reviewer: Parameters<typeof decide>[1]): Promise<void> {
  const [vendor, other] = [await newVendor(gateway), await newVendor(gateway)];
  const byVendor = (path: string, { token }: TestVendor, body: unknown) =>
    call(gateway, 'PATCH', `/api/v1/scent/offers/${path}`, { token, body });
  const approved = async (number: number): Promise<string> => {
    const barcode = gtin(number);
    const { id: variantId } = await newVariant(gateway, { barcode });
    const id = await submit(gateway, vendor, { variantId, barcode, vendorSku: `SKU-${number}` });
    await decide(gateway, reviewer, id, 'approve', {});
    return id;
  };
  for (let number = 0; number < 10; number += 1) {
    await newVariant(gateway, { barcode: gtin(number) });
    await submit(gateway, vendor, { barcode: gtin(number) });
    await submit(gateway, vendor, {});
    await byVendor(await approved(100 + number), vendor, { rawProductName: 'Edited' });
    const cost = number < 5 ? 105 : 150;
    await byVendor(`${await approved(200 + number)}/cost`, vendor, {
      cost,
      costIsVatInclusive: false,
    });
    if (number < 5) await submit(gateway, other, { barcode: gtin(400 + number) });
    else {
      await approved(300 + number);
      await submit(gateway, vendor, {
        barcode: gtin(number + 500),
        vendorSku: `SKU-${300 + number}`,
      });
    }
  }
  await changeAgreement(gateway.sql, other.vendorId, percentageOfSale);
}

test('50 mixed offers are reviewed with one read for each decision (D94, D136)', async ({
  gateway,
  reviewer,
}) => {
  await fillQueue(gateway, reviewer);
  const calls: string[] = [];
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    calls.push(`${method} ${path.replace(/[\da-f-]{36}/, 'ID').replace(/\?.*/, '')}`);
    return call(gateway, method, `/operator/v1/offers${path}`, { token: reviewer.token, body });
  };
  const made: Record<string, number> = {};
  for (let left = 50; left > 0; left -= 1) {
    const queue = await ask(
      'GET',
      '?awaitingDecision=true&order=vendorsInTurn&facets=true&pageSize=1',
    );
    expect(queue.payload).toMatchObject({ pagination: { totalCount: left } });
    const { facets } = queue.details as unknown as { facets: { kind: { count: number }[] } };
    expect(facets.kind.reduce((sum, { count }) => sum + count, 0)).toBe(left);
    const [row] = itemsOf(queue);
    const offer = (await ask('GET', `/${String(row?.['id'])}`)).payload as unknown as Facts;
    expect(offer).toMatchObject({ kind: row?.['kind'], flags: row?.['flags'] });
    const [action, body] = decisionOf(offer);
    // The match is chosen from the catalogue.
    const isToMatch = offer.kind === 'Match' && action === 'approve';
    const [candidate] = isToMatch
      ? itemsOf(await ask('GET', `/${String(row?.['id'])}/candidates`))
      : [];
    const variant = candidate?.['variant'] as { id: string } | undefined;
    const sent = isToMatch ? { ...body, variantId: variant?.id } : body;
    const answer = await ask('POST', `/${String(row?.['id'])}/${action}`, sent);
    expect(answer, answer.text).toMatchObject({ status: 200 });
    const name = `${offer.kind} ${action} ${offer.flags.join()}`.trim();
    made[name] = (made[name] ?? 0) + 1;
  }
  expect(made).toEqual({
    'Match approve': 10,
    'Match reject NoBarcode': 10,
    'IdentityEdit approve IdentityEdited': 10,
    'StagedPrice pending-price/apply': 5,
    'StagedPrice pending-price/discard LargePriceChange': 5,
    'Match reject PriceMissing': 5,
    'Match reject DuplicateOfVendor': 5,
  });
  const readCounts = { 'GET ': 50, 'GET /ID': 50, 'GET /ID/candidates': 10 };
  for (const [name, count] of Object.entries(readCounts))
    expect(
      calls.filter((each) => each === name),
      name,
    ).toHaveLength(count);
  expect(calls).toHaveLength(160);
  const empty = await ask('GET', '?awaitingDecision=true&facets=true');
  expect(empty.details).toMatchObject({ facets: { counted: 0, kind: [], vendor: [] } });
});
