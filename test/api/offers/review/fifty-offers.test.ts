import { expect } from 'vitest';
import { isGtin } from '../../../../domain/offers/gtin.ts';
import { changeAgreement } from '../../../support/seeds/agreement.ts';
import {
  newOperator,
  newVariant,
  newVendor,
  percentageOfSale,
} from '../../../support/api/actors.ts';
import { call, itemsOf, succeeded } from '../../../support/api/api.ts';
import { reviewTest as test } from './review-fixture.ts';

type Facts = Readonly<Record<'id' | 'kind', string>> & {
  readonly flags: readonly string[];
  readonly reviewVersion: number;
};

const gtin = (number: number): string =>
  Array.from({ length: 10 }, (_, digit) => `${62_910_410_000 + number}${digit}`).find(isGtin) ?? '';

/** What this reviewer decides, from the facts of one read. */
function decisionOf({ kind, flags }: Facts): readonly [action: string, body: object] {
  const faults = ['PriceMissing', 'NoBarcode', 'DuplicateOfVendor'];
  const reason = faults.find((flag) => flags.includes(flag));
  if (reason !== undefined) return ['reject', { reason }];
  if (kind !== 'StagedPrice') return ['approve', {}];
  return [`pending-price/${flags.includes('LargePriceChange') ? 'discard' : 'apply'}`, {}];
}

test('lets a Reviewer decide on 50 mixed offers with one read each (D94, D136, D137)', async ({
  gateway,
  desk,
}) => {
  const rival = await newVendor(gateway);
  const approved = async (number: number): Promise<string> => {
    const barcode = gtin(number);
    const { id: variantId } = await newVariant(gateway, { barcode });
    const id = await desk.submit({ variantId, barcode, vendorSku: `SKU-${number}` });
    await desk.decide(id, 'approve');
    return id;
  };
  for (let number = 0; number < 10; number += 1) {
    const barcode = gtin(number);
    await newVariant(gateway, { barcode });
    await desk.submit({ barcode });
    await desk.submit();
    await desk.edit(await approved(100 + number), { rawProductName: 'Edited' });
    const cost = number < 5 ? 105 : 150;
    await desk.edit(await approved(200 + number), { cost, costIsVatInclusive: false });
    if (number >= 5) await approved(300 + number);
    const vendorSku = `SKU-${300 + number}`;
    await desk.submit({ barcode: gtin(400 + number), vendorSku }, number < 5 ? rival : desk.vendor);
  }
  await changeAgreement(gateway.sql, rival.vendorId, percentageOfSale);

  const { token } = await newOperator(gateway, ['Reviewer']);
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
    succeeded(await call(gateway, method, `/operator/v1/offers${path}`, { token, body }));
  const made: Record<string, number> = {};
  for (let left = 50; left > 0; left -= 1) {
    const query = 'awaitingDecision=true&order=vendorsInTurn&facets=true&pageSize=1';
    const queue = await ask('GET', `?${query}`);
    expect(queue).toMatchObject({ payload: { pagination: { totalCount: left } } });
    expect(queue.details).toMatchObject({ facets: { counted: left } });
    const [{ id, kind, flags } = expect.unreachable()] = itemsOf(queue) as unknown as Facts[];
    const offer = (await ask('GET', `/${id}`)).payload as unknown as Facts;
    expect(offer).toMatchObject({ kind, flags });
    const [action, body] = decisionOf(offer);
    const isToMatch = kind === 'Match' && action === 'approve';
    const [candidate] = isToMatch ? itemsOf(await ask('GET', `/${id}/candidates`)) : [];
    const variant = candidate?.['variant'] as { id: string } | undefined;
    const sent = { ...body, variantId: variant?.id, expectedVersion: offer.reviewVersion };
    await ask('POST', `/${id}/${action}`, sent);
    const name = `${kind} ${action} ${flags.join()}`.trim();
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
  const empty = await ask('GET', '?awaitingDecision=true&facets=true');
  expect(empty.details).toMatchObject({ facets: { counted: 0 } });
});
