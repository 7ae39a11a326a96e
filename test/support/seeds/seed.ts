import { v7 as uuidv7 } from 'uuid';
import { submitOffer } from '../../../api/offers/submit-offer.ts';
import type { Sql } from '../../../db/core/client.ts';
import { insertOperatorCommand } from '../../../db/accounts/operator-commands.ts';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import { insertVendor } from '../../../db/accounts/vendors.ts';
import { insertSubscription } from '../../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { PricingModel } from '../../../domain/accounts/agreement.ts';
import type { OfferDeclaration } from '../../../domain/offers/create-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import type { ReviewCommand } from '../../../domain/offers/review-offer.ts';
import { createSealer } from '../../../security/sealer.ts';
import { sha256 } from '../../../security/secrets.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { newVariant } from '../api/actors.ts';

/** Rows that tests start from, made by the gateway's own code. */

export async function seedVendor(
  sql: Sql,
  pricingModel: PricingModel = 'CostPlusMargin',
): Promise<string> {
  const id = uuidv7();
  const agreement = { pricingModel, rateBasisPoints: 2500 };
  await insertVendor(sql, { id, name: 'Maison Dahab', isActive: true, agreement });
  return id;
}

export async function seedOperator(
  sql: Sql,
): Promise<{ readonly id: string; readonly operatorId: string }> {
  const id = uuidv7();
  const operatorId = `reviewer-${id.slice(-6)}`;
  await upsertOperator(sql, { id, operatorId, secretSha256: sha256('any'), roles: ['Reviewer'] });
  return { id, operatorId };
}

export const seedVariant = async (sql: Sql): Promise<string> => {
  const named = { brandName: 'Maison Dahab', productName: 'Oud 50', concentration: null };
  return (await newVariant({ sql }, named)).id;
};

const declaration: OfferDeclaration = {
  variantId: null,
  vendorSku: 'OUD-50',
  vendorExternalId: null,
  barcode: null,
  costHalalas: 10_000,
  costIsVatInclusive: false,
  salePriceHalalas: null,
  salePriceIsVatInclusive: null,
  declaredStockQuantity: 5,
  declaredInStock: null,
  rawBrandName: 'Maison Dahab',
  rawProductName: 'Oud 50',
  rawConcentration: null,
  rawDescription: null,
  rawSizeMl: null,
  saveAsDraft: false,
};

export async function seedOffer(
  sql: Sql,
  vendorId: string,
  changes: Partial<OfferDeclaration> = {},
): Promise<Offer> {
  const submitted = await submitOffer(sql, {
    vendorId,
    source: 'Api',
    declaration: { ...declaration, ...changes },
    vatRateBasisPoints: 1500,
  });
  if (!submitted.ok) throw new Error(submitted.failure.code);
  return submitted.value.offer;
}

/** A decision that was noted and is yet to be applied; answers its id. */
export async function seedCommand(
  sql: Sql,
  operatorId: string,
  offerId: string,
  command: ReviewCommand,
  validMs = 60_000,
): Promise<string> {
  const id = uuidv7();
  const { action } = command;
  const requestId = `request-${id}`;
  await insertOperatorCommand(sql, {
    id,
    operatorId,
    action,
    subjectId: offerId,
    input: command,
    requestId,
    validMs,
  });
  return id;
}

/** A subscription to review decisions; answers its id and secret. */
export async function seedSubscription(
  sql: Sql,
  vendorId: string,
  url: string,
  secretsKey: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = uuidv7();
  const secret = newWebhookSecret();
  const secretSealed = createSealer(secretsKey).seal(secret, id);
  const eventTypes = ['vendor.offer.review-decision'] as const;
  await sql.begin((transaction) =>
    insertSubscription(transaction, { id, vendorId, url, eventTypes, secretSealed }),
  );
  return { id, secret };
}
