import * as fc from 'fast-check';
import { expect } from 'vitest';
import { findOffer } from '../../../../db/offers/offers.ts';
import { call, unknownId, type Gateway } from '../../../support/api/api.ts';
import {
  costPlus,
  newOperator,
  newVariant,
  newVendor,
  percentageOfSale,
} from '../../../support/api/actors.ts';
import { bodyOfDecision } from '../../../support/api/review-version.ts';
import { changeAgreement, offerKinds, seedManyOffers } from '../../../support/seeds/agreement.ts';
import { pushAll } from './bulk-fixture.ts';

/**
 * A vendor with some offers, and commands on them that single and bulk pushes must both satisfy.
 */

type ValueOf<TArbitrary> = TArbitrary extends fc.Arbitrary<infer T> ? T : never;

const offersMax = 12;

export const anyWorld = fc.array(
  fc.record({
    kind: fc.constantFrom(...offerKinds),
    hasBarcode: fc.boolean(),
    isManual: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  }),
  { minLength: 1, maxLength: offersMax },
);

const anyAmount = fc.constantFrom(100, 115, 120, 138, 77.77, 0.03, 9_999_999.99);
const anyFlag = fc.boolean();
const wrong = fc.constantFrom(-1, 1.001, 'x', null);
const price = (name: string) =>
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ [name]: anyAmount, [`${name}IsVatInclusive`]: anyFlag }) },
    { weight: 1, arbitrary: fc.record({ [name]: wrong, extra: anyFlag }) },
  );
const inStock = { declaredInStock: fc.constant(true) };
const quantity = { declaredStockQuantity: fc.constantFrom(1, 5, 7, null) };
/** The fields of each kind of push, by the last part of its path; some are malformed. */
const fieldsOf = {
  stock: fc.oneof(
    { weight: 7, arbitrary: fc.record(inStock) },
    { weight: 7, arbitrary: fc.record({ ...inStock, ...quantity }) },
    { weight: 4, arbitrary: fc.record({ declaredInStock: fc.constant(false) }) },
    { weight: 2, arbitrary: fc.record({ declaredStockQuantity: wrong }) },
  ),
  cost: price('cost'),
  'sale-price': price('salePrice'),
};
export type PushKind = keyof typeof fieldsOf;

/** `target` is the position of an offer; one beyond them is no offer of the vendor. */
const anyPush = (...kinds: readonly PushKind[]) =>
  fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      type: fc.constant('push' as const),
      kind: fc.constant(kind),
      items: fc.uniqueArray(
        fc.record({
          target: fc.integer({ min: 0, max: offersMax }),
          byExternalId: fc.boolean(),
          fields: fieldsOf[kind] as fc.Arbitrary<object>,
        }),
        { selector: ({ target }) => target, minLength: 1, maxLength: offersMax },
      ),
    }),
  );

type Push = ValueOf<ReturnType<typeof anyPush>>;

const anySwitch = fc.constant({ type: 'switch' } as const);
const anyDecision = fc.record({
  type: fc.constant('decide' as const),
  target: fc.integer({ min: 0, max: offersMax - 1 }),
  action: fc.constantFrom('approve' as const, 'reject' as const),
});
type Other = ValueOf<typeof anySwitch | typeof anyDecision>;
type Command = Push | Other;

const anyCommandWith = (...kinds: readonly PushKind[]): fc.Arbitrary<Command> =>
  fc.oneof(
    { weight: 5, arbitrary: anyPush(...kinds) },
    { weight: 1, arbitrary: anySwitch },
    { weight: 2, arbitrary: anyDecision },
  );
export const anyCommand = anyCommandWith('stock', 'cost', 'sale-price');
/** Of pushes, only those that a bulk call can send. */
export const anyBulkCommand = anyCommandWith('stock');

/**
 * A new vendor with offers like these, and a page snapshot, so that superseded positions are kept.
 */
export async function createWorld(gateway: Gateway, given: ValueOf<typeof anyWorld>) {
  const { sql } = gateway;
  const vendor = await newVendor(gateway);
  const { vendorId } = vendor;
  const variantId = (await newVariant(gateway, { barcode: null })).id;
  const seeded = await Promise.all(
    given.map(({ kind }) => seedManyOffers(sql, { vendorId, variantId }, { [kind]: 1 })),
  );
  const offers = given.map((each, index) => {
    const [offer] = seeded[index] ?? [];
    if (offer === undefined) throw new Error('no offer');
    return { ...each, id: offer.id, externalId: `external-${index}` };
  });
  await sql`
    update offers set vendor_external_id = given."externalId",
      barcode = case when given."hasBarcode" then '4006381333931' end,
      source = case when given."isManual" then 'Manual' else 'Api' end
    from jsonb_to_recordset(${sql.json(offers)})
      as given(id uuid, "externalId" text, "hasBarcode" boolean, "isManual" boolean)
    where offers.id = given.id`;
  const query = 'changedSince=2000-01-01T00:00:00Z&pageSize=1';
  await call(gateway, 'GET', `/api/v1/scent/offers?${query}`, { token: vendor.token });
  return { vendor, operator: await newOperator(gateway), offers };
}
export type World = Awaited<ReturnType<typeof createWorld>>;

type Outcome = {
  readonly status: number;
  readonly state: string;
  readonly version: number | null;
  readonly details: unknown;
};

export const offerAt = ({ offers }: World, target: number) =>
  target < offers.length ? offers[target] : undefined;

/** One call after the other. An external id names no Manual offer. */
export async function pushSingly(
  gateway: Gateway,
  world: World,
  { kind, items }: Push,
): Promise<readonly Outcome[]> {
  const { token, vendorId } = world.vendor;
  const outcomes: Outcome[] = [];
  for (const { target, byExternalId, fields } of items) {
    const offer = offerAt(world, target);
    const isNamed = offer !== undefined && !(byExternalId && offer.isManual);
    const id = isNamed ? offer.id : unknownId();
    const url = `/api/v1/scent/offers/${id}/${kind}`;
    const { status, state, details } = await call(gateway, 'PATCH', url, { token, body: fields });
    const { help: _help, ...rest } = details;
    const stored = status === 200 ? await findOffer(gateway.sql, vendorId, id) : null;
    outcomes.push({ status, state, version: stored?.version ?? null, details: rest });
  }
  return outcomes;
}

/** The items of several pushes, each with one of the names of its offer. */
export const itemsOf = (world: World, items: Push['items']) =>
  items.map(({ target, byExternalId, fields }) => {
    const offer = offerAt(world, target);
    const name = byExternalId
      ? { vendorExternalId: offer?.externalId ?? 'unknown' }
      : { offerId: offer?.id ?? unknownId() };
    return { ...fields, ...name };
  });

/** The same in one call; the fields of errors as the single call names them. */
export async function pushBulk(
  gateway: Gateway,
  world: World,
  { items }: Push,
): Promise<readonly Outcome[]> {
  const results = await pushAll(gateway, world.vendor, itemsOf(world, items));
  return results.map(({ index, httpStatus: status, state, version, details }) => ({
    status,
    state,
    version,
    details: JSON.parse(
      JSON.stringify(details)
        .replaceAll(`Items[${index}].`, '')
        .replaceAll(`/items/${index}/`, '/'),
    ),
  }));
}

/** A command that both worlds get in the same way. */
export async function runOther(gateway: Gateway, world: World, command: Other): Promise<void> {
  if (command.type === 'switch') {
    const [row] = await gateway.sql<{ pricingModel: string }[]>`
      select pricing_model from vendors where id = ${world.vendor.vendorId}`;
    const to = row?.pricingModel === 'CostPlusMargin' ? percentageOfSale : costPlus;
    await changeAgreement(gateway.sql, world.vendor.vendorId, to);
    return;
  }
  const offer = offerAt(world, command.target);
  if (offer === undefined) return;
  const { token } = world.operator;
  const url = `/operator/v1/offers/${offer.id}/${command.action}`;
  const given = command.action === 'reject' ? { reason: 'No.' } : {};
  await call(gateway, 'POST', url, {
    token,
    body: await bodyOfDecision(gateway.sql, url, given),
  });
}

const changing =
  'id vendor_id variant_id created_at changed_at change_time awaiting_since reviewed_at reviewed_by';

/**
 * All that is stored about a world's offers, without ids and instants, in the order of its offers.
 */
export async function storedState({ sql }: Gateway, { offers, vendor }: World): Promise<unknown> {
  const ids = offers.map(({ id }) => id);
  const rows = await sql`
    select to_jsonb(offers) - ${changing.split(' ')}::text[] as offer,
      awaiting_since is not null as awaits,
      (select to_jsonb(s) - array['id', 'offer_id', 'vendor_id', 'variant_id', 'updated_at']
        from supply_options s where s.offer_id = offers.id) as supply,
      (select s.updated_at = offers.changed_at from supply_options s where s.offer_id = offers.id)
        as supply_is_as_new,
      (select jsonb_agg(jsonb_build_array(from_status, to_status, reason) order by h.id)
        from offer_status_changes h where h.offer_id = offers.id) as history,
      (select jsonb_agg(jsonb_build_array(kind, payload - 'vendorId') order by m.id)
        from outbox m where m.subject_id = offers.id) as messages,
      (select jsonb_agg(p.status order by p.changed_at) from past_changes p
        where p.list = 'offers' and p.id = offers.id) as superseded,
      (select bool_and(p.superseded_at <= offers.change_time) from past_changes p
        where p.list = 'offers' and p.id = offers.id) as is_after_superseded
    from offers where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`;
  const counts = await sql`
    select status, is_awaiting, sum(delta)::int as count from offer_counts
    where vendor_id = ${vendor.vendorId} group by 1, 2 having sum(delta) <> 0 order by 1, 2`;
  const [{ count: audits }] = await sql<[{ count: number }]>`
    select count(*)::int as count from audit_log
    where subject_id = any(${[...ids, vendor.vendorId]})`;
  return { rows: [...rows], counts: [...counts], audits };
}

/**
 * Expects that `push` answers and stores what single pushes do, among other commands. Returns the
 * states that the single ones answered.
 */
export async function expectLikeSingle(
  gateway: Gateway,
  commands: fc.Arbitrary<Command[]>,
  numRuns: number,
  push: (world: World, command: Push) => Promise<readonly Outcome[]>,
): Promise<readonly string[]> {
  const seen = new Set<string>();
  const property = fc.asyncProperty(anyWorld, commands, async (offers, given) => {
    const [single, other] = await Promise.all([
      createWorld(gateway, offers),
      createWorld(gateway, offers),
    ]);
    for (const command of given) {
      if (command.type === 'push') {
        const singly = await pushSingly(gateway, single, command);
        expect(await push(other, command)).toEqual(singly);
        for (const { state } of singly) seen.add(state);
      } else for (const world of [single, other]) await runOther(gateway, world, command);
      expect(await storedState(gateway, other)).toEqual(await storedState(gateway, single));
    }
  });
  await fc.assert(property, { numRuns });
  return [...seen].toSorted();
}
