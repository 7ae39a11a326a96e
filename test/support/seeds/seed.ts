import { v7 as uuidv7 } from 'uuid';
import { changeOffer } from '../../../api/offers/change-offer.ts';
import { submitOffer } from '../../../commands/offers/submit-offers.ts';
import type { Sql } from '../../../db/core/client.ts';
import { insertOperatorCommand } from '../../../db/accounts/operator-commands.ts';
import { insertSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { OfferDeclaration } from '../../../domain/offers/create-offer.ts';
import { pushPrice, type DeclaredPrice } from '../../../domain/offers/edit-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { ReviewCommand } from '../../../domain/offers/review-offer.ts';
import type { ReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import type { EventType } from '../../../domain/webhooks/events.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { declaration } from '../../domain/offers/offer-builders.ts';
import { addOperator, addVendor, costPlus, newVariant } from '../api/actors.ts';

/** Rows that tests start from, made by the gateway's own code. */

export const seedVendor = (sql: Sql): Promise<string> =>
  addVendor(sql, { ...costPlus, rateBasisPoints: 2500 }, { name: 'Maison Dahab' });

export const seedOperator = (sql: Sql) => addOperator(sql, ['Reviewer']);

export const seedVariant = async (sql: Sql): Promise<string> => {
  const named = { brandName: 'Maison Dahab', productName: 'Oud 50', concentration: null };
  return (await newVariant({ sql }, named)).id;
};

const oud = { rawBrandName: 'Maison Dahab', rawProductName: 'Oud 50', vendorSku: 'OUD-50' };

export async function seedOffer(
  sql: Sql,
  vendorId: string,
  changes: Partial<OfferDeclaration> = {},
): Promise<Offer> {
  const submitted = await submitOffer(
    sql,
    { vendorId, source: 'Api', vatRateBasisPoints: 1500 },
    declaration({ ...oud, declaredStockQuantity: 5, ...changes }),
  );
  if (!submitted.ok) throw new Error(submitted.failure.code);
  return submitted.value.offer;
}

/** The vendor pushes a price that is net. */
export const pushNet = (
  sql: Sql,
  { id, vendorId }: Pick<Offer, 'id' | 'vendorId'>,
  field: DeclaredPrice['field'],
  amountHalalas: number,
) =>
  changeOffer(sql, { vendorId, offerId: id }, (offer) => {
    const declared = { amountHalalas, isVatInclusive: false };
    return pushPrice(offer, { field, declared }, { vatRateBasisPoints: 1500, now: new Date() });
  });

/** A command on an offer or return that is noted and yet to be applied; returns its id. */
export async function seedCommand(
  sql: Sql,
  operatorId: string,
  subjectId: string,
  input: ReviewCommand | ReturnCommand,
  validMs = 60_000,
): Promise<string> {
  const id = uuidv7();
  const noted = { id, operatorId, action: input.action, requestId: `request-${id}` };
  await insertOperatorCommand(sql, { ...noted, subjectId, input, validMs });
  return id;
}

/** A subscription to review decisions, unless it names others; returns its id and secret. */
export async function seedSubscription(
  sql: Sql,
  vendorId: string,
  url: string,
  secretsKey: string,
  eventTypes: readonly EventType[] = ['vendor.offer.review-decision'],
) {
  const id = uuidv7();
  const secret = newWebhookSecret();
  const secretSealed = createSealer(secretsKey).seal(secret, id);
  await insertSubscription(sql, { id, vendorId, url, eventTypes, secretSealed });
  return { id, secret };
}
