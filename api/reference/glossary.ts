import { accountsGlossary } from './glossary/accounts.ts';
import { commonGlossary } from './glossary/common.ts';
import type { Glossary } from './glossary/entry.ts';
import { offerChangesGlossary } from './glossary/offer-changes.ts';
import { offerRecordGlossary } from './glossary/offer-record.ts';
import { offersGlossary } from './glossary/offers.ts';
import { operatorGlossary } from './glossary/operator.ts';
import { pricesGlossary } from './glossary/prices.ts';
import { returnsGlossary } from './glossary/returns.ts';
import { shipmentsGlossary } from './glossary/shipments.ts';
import { staffGlossary } from './glossary/staff.ts';
import { webhooksGlossary } from './glossary/webhooks.ts';

export type { GlossaryEntry } from './glossary/entry.ts';

/**
 * One name, one meaning, wherever it stands. Where it means something else in one place, that place's own entry comes
 * first: `property.name` within a property, `Form.name` in a form, `operationId.name` in an operation's parameters, body or
 * answer, `request.name` in every body, `query.name` and `path.name` for parameters, `path.offers.name` after `/offers/`.
 */
export const glossary: Glossary = {
  ...commonGlossary,
  ...offersGlossary,
  ...offerChangesGlossary,
  ...offerRecordGlossary,
  ...pricesGlossary,
  ...shipmentsGlossary,
  ...returnsGlossary,
  ...webhooksGlossary,
  ...accountsGlossary,
  ...operatorGlossary,
  ...staffGlossary,
};
