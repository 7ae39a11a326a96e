import { createAgreementActivities, type AgreementActivities } from './agreement.ts';
import { createDeliveryActivities, type DeliveryActivities, type DeliveryDependencies } from './deliver.ts';
import { createInspectionActivities, type InspectionActivities } from './inspection.ts';
import { createReviewActivities, type ReviewActivities } from './review.ts';

export type Activities = ReviewActivities & InspectionActivities & DeliveryActivities & AgreementActivities;

/** Every activity, given what it needs. */
export const createActivities = (dependencies: DeliveryDependencies): Activities => ({
  ...createReviewActivities(dependencies),
  ...createInspectionActivities(dependencies),
  ...createDeliveryActivities(dependencies),
  ...createAgreementActivities(dependencies),
});
