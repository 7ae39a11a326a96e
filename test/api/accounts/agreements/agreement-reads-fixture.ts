import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { freeFormOffer } from '../../../support/api/actors.ts';
import type { PricingModel } from '../../../../domain/accounts/agreement.ts';
import { itemsOf, type Answer, type Gateway } from '../../../support/api/api.ts';
import { succeeded } from '../../offers/offer-record.ts';
import {
  changeAgreement,
  newOfferSet,
  offerKinds,
  otherModel,
  type OfferSet,
  type OfferKind,
} from './offer-set.ts';

// No worker runs, so that a read right after a switch precedes every write of the switch.

export type Payload = NonNullable<Answer['payload']>;
const payloadOf = (answer: Answer): Payload => succeeded(answer).payload ?? {};

export const byOperator = async ({ parties }: OfferSet, path: string) =>
  payloadOf(await parties.by('Reviewer', 'GET', `/offers${path}`));
export const byVendor = async ({ parties }: OfferSet, path: string) =>
  payloadOf(await parties.byVendor('GET', path));
/** The flat form, which create-offer returns for an existing key. */
export const flat = async ({ parties }: OfferSet, kind: OfferKind) =>
  payloadOf(await parties.byVendor('POST', '', { ...freeFormOffer, vendorExternalId: kind }));

export const storedOf = (gateway: Gateway, { vendorId }: OfferSet) =>
  gateway.sql`select * from offers where vendor_id = ${vendorId} order by id`;
export const instant = () => new Date().toISOString();
export const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 5);
  });

/** An offer set just after its switch, and the instant before it. */
export async function switchedOfferSet(gateway: Gateway, from: PricingModel) {
  const offerSet = await newOfferSet(gateway, from);
  await pause();
  const since = instant();
  const answer = succeeded(await changeAgreement(offerSet.parties, otherModel[from]));
  return { offerSet, since, answer };
}

const readEach = async (paths: readonly string[], read: (path: string) => Promise<Payload>) =>
  Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await read(path)] as const)),
  );

/** Every read of an offer set. It omits `supply.updatedAt`, which has a test of its own. */
export async function everyReadOf(offerSet: OfferSet, since: string) {
  const lists = [
    '',
    `changedSince=${since}`,
    'include=history&pageSize=100',
    'pageSize=4&page=2',
    `changedSince=${since}&pageSize=4&page=2`,
    ...offerStatuses.map((status) => `status=${status}`),
    ...offerStatuses.map((status) => `status=${status}&changedSince=${since}&pageSize=2`),
  ];
  const own = `?vendorId=${offerSet.vendorId}`;
  const queues = [
    own,
    `${own}&pageSize=4&page=2`,
    `${own}&awaitingDecision=true`,
    `${own}&awaitingDecision=false`,
    ...offerStatuses.flatMap((status) => [
      `${own}&status=${status}`,
      `${own}&status=${status}&awaitingDecision=true`,
    ]),
  ];
  const { idOf } = offerSet;
  const offers = await Promise.all(
    offerKinds.map(async (kind) => {
      const { supply, ...rest } = await byOperator(offerSet, `/${idOf[kind]}`);
      const option = supply === null ? null : { ...(supply as Payload), updatedAt: null };
      const [nested, flatForm] = [
        await byVendor(offerSet, `/${idOf[kind]}?include=history`),
        await flat(offerSet, kind),
      ];
      return [kind, { operator: { ...rest, supply: option }, nested, flatForm }] as const;
    }),
  );
  return {
    offers: Object.fromEntries(offers),
    lists: await readEach(lists, (query) => byVendor(offerSet, `?${query}`)),
    queues: await readEach(queues, (query) => byOperator(offerSet, query)),
  };
}

export const idsOf = (payload: Payload) =>
  itemsOf({ payload } as Answer)
    .map(({ id }) => String(id))
    .toSorted();
export const expectedIds = (offerSet: OfferSet, isWanted: (kind: OfferKind) => boolean) =>
  offerKinds
    .filter(isWanted)
    .map((kind) => offerSet.idOf[kind])
    .toSorted();
