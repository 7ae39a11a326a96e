import { freeFormOffer } from '../../../support/api/actors.ts';
import { describe, expect } from 'vitest';
import { pricingModels, type PricingModel } from '../../../../domain/accounts/agreement.ts';
import { itemsOf, type Answer, type Gateway } from '../../../support/api/api.ts';
import { everythingOf, succeeded } from '../../offers/offer-record.ts';
import {
  changeAgreement,
  followAll,
  newOfferSet,
  offerKinds,
  otherModel,
  priceBody,
  type OfferSet,
  type OfferKind,
} from './offer-set.ts';
import { saveRecord } from '../../../support/database/saved-record.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
// Two vendors with the same offers, both just switched: the switch of one is stored already, and
// that of the other is not. Each command must do exactly the same to both, except for ids and
// instants.

const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 5);
  });

type Target = { readonly offerSet: OfferSet; readonly kind: OfferKind; readonly id: string };
type Command = (target: Target) => Promise<Answer>;

/** The model that the offer set was switched to. */
const modelOf = ({ offerSet }: Target): PricingModel => otherModel[offerSet.model];
const patch =
  (bodyOf: (to: PricingModel) => unknown, path = ''): Command =>
  (target) =>
    target.offerSet.parties.byVendor('PATCH', `/${target.id}${path}`, bodyOf(modelOf(target)));
const post =
  (path: string): Command =>
  ({ offerSet, id }) =>
    offerSet.parties.byVendor('POST', `/${id}${path}`);
const decide =
  (path: string, body: unknown = {}): Command =>
  ({ offerSet, id }) =>
    offerSet.parties.by('Reviewer', 'POST', `/offers/${id}${path}`, body);
/** A decision on the version that a reviewer reads now, or on one that was so much earlier. */
const decideOnVersion =
  (path: string, earlier: number, body: Readonly<Record<string, unknown>> = {}): Command =>
  async (target) => {
    const { by } = target.offerSet.parties;
    const { payload } = succeeded(await by('Reviewer', 'GET', `/offers/${target.id}`));
    const expectedVersion = Number(payload?.['reviewVersion']) - earlier;
    return decide(path, { ...body, expectedVersion })(target);
  };
const approve =
  (earlier: number): Command =>
  (target) =>
    decideOnVersion('/approve', earlier, { variantId: target.offerSet.parties.variant.id })(target);

const commands: readonly (readonly [string, Command])[] = [
  ['PATCH of a product detail', patch(() => ({ vendorSku: 'NEW' }))],
  ['PATCH of the new model’s price', patch((to) => priceBody(to, 140))],
  [
    'PATCH of the new model’s price and a detail',
    patch((to) => ({ ...priceBody(to, 140), rawSizeMl: 5 })),
  ],
  ['PATCH of the old model’s price', patch((to) => priceBody(otherModel[to], 140))],
  ['PATCH of the barcode', patch(() => ({ barcode: '96385074' }))],
  [
    'PATCH in the older form',
    patch(() => ({ cost: 130, costIsVatInclusive: true, declaredStockQuantity: 8 })),
  ],
  ['PATCH of nothing', patch(() => ({}))],
  ['cost push', patch(() => priceBody('CostPlusMargin', 100), '/cost')],
  ['sale-price push', patch(() => priceBody('PercentageOfSale', 140), '/sale-price')],
  ['stock push', patch(() => ({ declaredInStock: true, declaredStockQuantity: 8 }), '/stock')],
  [
    'stock push of what is stored',
    patch(() => ({ declaredInStock: true, declaredStockQuantity: 3 }), '/stock'),
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
    ({ offerSet, kind }) =>
      offerSet.parties.byVendor('POST', '', { ...freeFormOffer, vendorExternalId: kind }),
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
async function readsOf({ offerSet, id }: Target) {
  const detail = succeeded(await offerSet.parties.by('Reviewer', 'GET', `/offers/${id}`)).payload;
  const supply = detail?.['supply'] as Record<string, unknown> | null;
  const own = succeeded(await offerSet.parties.byVendor('GET', `/${id}?include=history`)).payload;
  return {
    // Who looks at an offer at the same time is no part of it (D157).
    detail: {
      ...detail,
      viewers: null,
      supply: supply === null ? null : { ...supply, updatedAt: null },
    },
    own,
  };
}

type Outcome = {
  readonly answers: Record<string, unknown>;
  /** A command changes no other offer, so one list after all commands shows what each changed. */
  readonly changed: readonly OfferKind[];
  readonly stored: Record<string, unknown>;
};

type Switched = { readonly offerSet: OfferSet; readonly switchedAt: string };

/** An offer set just after its switch, which is stored or not. */
async function switchedSet(
  gateway: Gateway,
  from: PricingModel,
  isStored: boolean,
): Promise<Switched> {
  const offerSet = await newOfferSet(gateway, from);
  const { parties, vendorId } = offerSet;
  await pause();
  succeeded(await changeAgreement(parties, otherModel[from]));
  if (isStored) await followAll(gateway.sql, vendorId);
  const [vendor] = await gateway.sql<{ agreementChangedAt: Date }[]>`
    select agreement_changed_at from vendors where id = ${vendorId}`;
  return { offerSet, switchedAt: vendor?.agreementChangedAt.toISOString() ?? '' };
}

/** Gives each offer of a switched set the command. */
async function outcomeOf(
  gateway: Gateway,
  { offerSet, switchedAt }: Switched,
  command: Command,
): Promise<Outcome> {
  const { vendorId, idOf, parties } = offerSet;
  await pause();
  const since = new Date().toISOString();
  await pause();
  const answers: Record<string, unknown> = {};
  for (const kind of offerKinds) {
    const target = { offerSet, kind, id: idOf[kind] };
    const { status, state, payload, details } = await command(target);
    const reads = await readsOf(target);
    answers[kind] = normalized({ status, state, payload, details, reads }, switchedAt);
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
  return { answers, changed: offerKinds.filter((kind) => ids.includes(idOf[kind])), stored };
}

/** The two sets of a model, and the restore of the record to the instant after their switches. */
const testOf = (from: PricingModel) =>
  test.extend('switched', { scope: 'file' }, async ({ gateway }) => ({
    sets: [
      await switchedSet(gateway, from, true),
      await switchedSet(gateway, from, false),
    ] as const,
    restore: await saveRecord(gateway.sql),
  }));
const tests = {
  CostPlusMargin: testOf('CostPlusMargin'),
  PercentageOfSale: testOf('PercentageOfSale'),
} as const;

describe.each(pricingModels)('switched from %s', (from) => {
  tests[from].for(commands)(
    '%s does the same, whether the switch is stored yet or not',
    async ([_name, command], { gateway, switched: { sets, restore } }) => {
      await restore();
      const [expected, found] = await Promise.all([
        outcomeOf(gateway, sets[0], command),
        outcomeOf(gateway, sets[1], command),
      ]);
      expect.soft(found.changed, 'listed as changed').toEqual(expected.changed);
      for (const kind of offerKinds) {
        expect.soft(found.answers[kind], `${kind}, as it answers`).toEqual(expected.answers[kind]);
        expect.soft(found.stored[kind], `${kind}, as it is stored`).toEqual(expected.stored[kind]);
      }
    },
  );
});
