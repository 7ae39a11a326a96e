import { setTimeout as delay } from 'node:timers/promises';
import { freeFormOffer } from '../../../support/api/actors.ts';
import { describe, expect } from 'vitest';
import { pricingModels, type PricingModel } from '../../../../domain/accounts/agreement.ts';
import { itemsOf, succeeded, type ApiResponse, type Gateway } from '../../../support/api/api.ts';
import { everythingOf, type Parties } from '../../offers/offer-record.ts';
import {
  changeAgreement,
  followAll,
  newOfferSet,
  offerKinds,
  otherModel,
  priceBody,
  type OfferKind,
} from './offer-set.ts';
import { saveRecord } from '../../../support/database/saved-record.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
// Two vendors with the same offers, both just switched: the switch of one is stored already, the
// switch of the other is not. Each command must do exactly the same to both, except for ids and
// instants.

type Target = {
  readonly parties: Parties;
  /** The model that the offer set was switched to. */
  readonly to: PricingModel;
  readonly kind: OfferKind;
  readonly id: string;
};
type Command = (target: Target) => Promise<ApiResponse>;
type Body = Readonly<Record<string, unknown>>;

const patch =
  (bodyOf: Body | ((to: PricingModel) => Body), path = ''): Command =>
  ({ parties, id, to }) =>
    parties.byVendor('PATCH', `/${id}${path}`, typeof bodyOf === 'function' ? bodyOf(to) : bodyOf);
const post =
  (path: string): Command =>
  ({ parties, id }) =>
    parties.byVendor('POST', `/${id}${path}`);
const decide =
  (path: string, body: Body = {}): Command =>
  ({ parties, id }) =>
    parties.by('Reviewer', 'POST', `/offers/${id}${path}`, body);
/** A decision on the version that a reviewer reads now, or on one that was so much earlier. */
const decideOnVersion =
  (path: string, earlier: number, body: Body = {}): Command =>
  async (target) => {
    const { parties, id } = target;
    const { payload } = succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`));
    const expectedVersion = Number(payload?.['reviewVersion']) - earlier;
    return decide(path, { ...body, expectedVersion })(target);
  };
const approve =
  (earlier: number): Command =>
  (target) =>
    decideOnVersion('/approve', earlier, { variantId: target.parties.variant.id })(target);

const commands: readonly (readonly [string, Command])[] = [
  ['PATCH of a product detail', patch({ vendorSku: 'NEW' })],
  ['PATCH of the new model’s price', patch((to) => priceBody(to, 140))],
  [
    'PATCH of the new model’s price and a detail',
    patch((to) => ({ ...priceBody(to, 140), rawSizeMl: 5 })),
  ],
  ['PATCH of the old model’s price', patch((to) => priceBody(otherModel[to], 140))],
  ['PATCH of the barcode', patch({ barcode: '96385074' })],
  [
    'PATCH in the older form',
    patch({ cost: 130, costIsVatInclusive: true, declaredStockQuantity: 8 }),
  ],
  ['PATCH of nothing', patch({})],
  ['cost push', patch(priceBody('CostPlusMargin', 100), '/cost')],
  ['sale-price push', patch(priceBody('PercentageOfSale', 140), '/sale-price')],
  ['stock push', patch({ declaredInStock: true, declaredStockQuantity: 8 }, '/stock')],
  [
    'stock push of what is stored',
    patch({ declaredInStock: true, declaredStockQuantity: 3 }, '/stock'),
  ],
  ['submit', post('/submit')],
  ['withdraw', post('/withdraw')],
  ['approve', approve(0)],
  ['approve of the version before the switch', approve(1)],
  ['approve without a variant', decide('/approve')],
  ['reject', decide('/reject', { reason: 'No.' })],
  ['reject of the version before the switch', decideOnVersion('/reject', 1, { reason: 'No.' })],
  ['apply', decide('/pending-price/apply')],
  ['discard', decideOnVersion('/pending-price/discard', 0)],
  ['suspend', decide('/suspend', { reason: 'Recall.' })],
  ['reinstate', decide('/reinstate', { reason: 'Checked.' })],
  [
    'create with its key',
    ({ parties, kind }) =>
      parties.byVendor('POST', '', { ...freeFormOffer, vendorExternalId: kind }),
  ],
];

/**
 * Ids as the order in which they first appear; instants as before the switch, by the switch, or by
 * the command.
 */
function normalized(value: unknown, switchedAt: string): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value)
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      ids.set(id, ids.get(id) ?? `id ${ids.size + 1}`);
      return ids.get(id) ?? '';
    })
    .replaceAll(/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(?:\d{3})?Z/g, (_all, millis: string) => {
      const at = `${millis}Z`;
      return at === switchedAt ? 'by the switch' : at > switchedAt ? 'by the command' : 'before';
    });
  return JSON.parse(text);
}

/** What an offer looks like from both sides, right after a command. */
async function readsOf({ parties, id }: Target) {
  const detail = succeeded(await parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;
  const supply = detail?.['supply'] as Record<string, unknown> | null;
  const own = succeeded(await parties.byVendor('GET', `/${id}?include=history`)).payload;
  return {
    // Who looks at an offer at the same time is no part of it (D157).
    // The offers of a set are duplicates of each other, and are made in any order.
    detail: {
      ...detail,
      viewers: null,
      duplicates: null,
      supply: supply && { ...supply, updatedAt: null },
    },
    own,
  };
}

/** An offer set just after its switch, which is stored or not. */
async function switchedSet(gateway: Gateway, from: PricingModel, isStored: boolean) {
  const offerSet = await newOfferSet(gateway, from);
  const { parties, vendorId } = offerSet;
  await delay(5);
  succeeded(await changeAgreement(parties, otherModel[from]));
  if (isStored) await followAll(gateway.sql, vendorId);
  const [vendor] = await gateway.sql<{ agreementChangedAt: Date }[]>`
    select agreement_changed_at from vendors where id = ${vendorId}`;
  return { ...offerSet, switchedAt: vendor?.agreementChangedAt.toISOString() ?? '' };
}
type SwitchedSet = Awaited<ReturnType<typeof switchedSet>>;

/**
 * Gives each offer of a switched set the command: what it answers, which offers a list after all
 * commands shows as changed, and what is stored. A command changes no other offer.
 */
async function outcomeOf(
  gateway: Gateway,
  { vendorId, idOf, parties, model, switchedAt }: SwitchedSet,
  command: Command,
) {
  await delay(5);
  const since = new Date().toISOString();
  await delay(5);
  const responses: Record<string, unknown> = {};
  for (const kind of offerKinds) {
    const target = { parties, to: otherModel[model], kind, id: idOf[kind] };
    const { status, state, payload, details } = await command(target);
    const reads = await readsOf(target);
    responses[kind] = normalized({ status, state, payload, details, reads }, switchedAt);
  }
  const list = await parties.byVendor('GET', `?changedSince=${since}&pageSize=100`);
  const ids = itemsOf(succeeded(list)).map(({ id }) => id);
  await followAll(gateway.sql, vendorId);
  const stored: Record<string, unknown> = {};
  for (const kind of offerKinds) {
    // The number of messages to the review may vary.
    const { messages: _, ...rest } = await everythingOf(gateway.sql, idOf[kind]);
    stored[kind] = normalized(rest, switchedAt);
  }
  return { responses, changed: offerKinds.filter((kind) => ids.includes(idOf[kind])), stored };
}

/** For each model the set whose switch is stored and the other one, as after their switches. */
const test = gatewayTest.extend('switched', { scope: 'file' }, async ({ gateway }) => {
  const both = async (from: PricingModel) =>
    [await switchedSet(gateway, from, true), await switchedSet(gateway, from, false)] as const;
  const sets = {
    CostPlusMargin: await both('CostPlusMargin'),
    PercentageOfSale: await both('PercentageOfSale'),
  };
  return { sets, restore: await saveRecord(gateway.sql) };
});

describe.each(pricingModels)('switched from %s', (from) => {
  test.for(commands)(
    'returns and stores the same for %s before and after the switch is stored',
    async ([_name, command], { gateway, switched: { sets, restore } }) => {
      await restore();
      const [stored, pending] = sets[from];
      const [expected, found] = await Promise.all([
        outcomeOf(gateway, stored, command),
        outcomeOf(gateway, pending, command),
      ]);
      expect.soft(found.changed, 'listed as changed').toEqual(expected.changed);
      for (const kind of offerKinds) {
        expect.soft(found.responses[kind], `${kind}, response`).toEqual(expected.responses[kind]);
        expect.soft(found.stored[kind], `${kind}, stored`).toEqual(expected.stored[kind]);
      }
    },
  );
});
