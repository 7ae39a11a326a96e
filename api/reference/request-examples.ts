import { accountExamples } from './request-examples/accounts.ts';
import type { RequestExamples } from './request-examples/form.ts';
import { offerExamples } from './request-examples/offers.ts';
import { operatorExamples } from './request-examples/operator.ts';
import { orderExamples } from './request-examples/orders.ts';
import { reviewExamples } from './request-examples/reviews.ts';

/** Bodies that can be pasted, by `METHOD /path`; the first is the one that tools show. */
export const requestExamples: RequestExamples = {
  ...accountExamples,
  ...offerExamples,
  ...orderExamples,
  ...reviewExamples,
  ...operatorExamples,
};
