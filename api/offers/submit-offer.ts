import { submitOffers, type Submitted } from '../../commands/offers/submit-offers.ts';
import type { Queryable } from '../../db/core/client.ts';
import { findCreationFacts } from '../../db/offers/creation-facts.ts';
import { insertOffer } from '../../db/offers/offers.ts';
import { fail, type Result } from '../../domain/errors.ts';
import type { OfferDeclaration } from '../../domain/offers/create-offer.ts';
import type { OfferSource } from '../../domain/offers/offer.ts';
import type { KnownAgreements } from './known-agreements.ts';

type Submission = {
  readonly vendorId: string;
  readonly source: OfferSource;
  readonly declaration: OfferDeclaration;
  readonly vatRateBasisPoints: number;
  /** Saves a creation without a variant the read of its facts. Without it, each reads them. */
  readonly known?: KnownAgreements;
};

/** As `submitOffers`, for one offer, with a statement of its own. */
export async function submitOffer(
  sql: Queryable,
  { declaration, known, ...submission }: Submission,
): Promise<Result<Submitted>> {
  const { vendorId, source } = submission;
  const agreement = declaration.variantId === null ? known?.get(vendorId) : null;
  const [submitted] = await submitOffers(
    {
      remembered:
        agreement == null ? null : { agreement, variants: new Map(), existing: new Map() },
      find: async () => {
        const facts = await findCreationFacts(sql, vendorId, { ...declaration, source });
        if (facts !== null) known?.set(vendorId, facts.agreement);
        return facts;
      },
      insert: async (offers) => {
        const [offer] = offers;
        const stored = offer === undefined ? null : await insertOffer(sql, offer);
        return new Map(stored === null ? [] : [[stored.id, stored]]);
      },
    },
    { ...submission, declarations: [declaration] },
  );
  return submitted ?? fail('SERVICE_UNAVAILABLE');
}
