import { story } from '../glossary/story.ts';
import type { BodyExamples, RequestExamples } from './form.ts';

const agreements: BodyExamples = {
  costPlusMargin: {
    summary: 'A markup on the cost',
    value: { pricingModel: 'CostPlusMargin', markupPercent: 25 },
  },
  percentageOfSale: {
    summary: 'A commission on the sale price',
    value: { pricingModel: 'PercentageOfSale', commissionPercent: 12.5 },
  },
};
const withName = (examples: BodyExamples, name: string): BodyExamples =>
  Object.fromEntries(
    Object.entries(examples).map(([key, { summary, value }]) => [
      key,
      { summary, value: { name, ...value } },
    ]),
  );

/** Bodies about vendors, the catalog and webhooks of every vendor. */
export const operatorExamples: RequestExamples = {
  'POST /operator/v1/vendors': withName(agreements, 'Oud & Amber Trading'),
  'PATCH /operator/v1/vendors/{id}/agreement': agreements,
  'POST /operator/v1/vendors/{id}/credentials': {
    all: {
      summary: 'The onboarding credential, with every capability',
      value: { environment: 'Production', capabilities: 'Offers,Stock,Cost,Orders,Account' },
    },
    pushes: {
      summary: 'For a system that pushes stock and prices',
      value: { environment: 'Production', capabilities: 'Stock,Cost' },
    },
  },
  'POST /operator/v1/variants': {
    perfume: {
      summary: 'A perfume',
      value: {
        sku: story.sku,
        brandName: story.brand,
        productName: story.product,
        concentration: story.concentration,
        sizeMl: 100,
        barcode: story.barcode,
      },
    },
  },
  'POST /operator/v1/webhook-deliveries/recover': {
    since: {
      summary: 'Since a receiver was out of order',
      value: { subscriptionId: story.subscriptionId, since: '2026-11-20T00:00:00Z' },
    },
  },
};
