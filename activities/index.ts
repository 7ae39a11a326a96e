import { createAgreementActivities, type AgreementActivities } from './agreement.ts';
import { createDeliveryActivities, type DeliveryActivities } from './deliver.ts';
import { createDeliveryPipeline, type DeliveryDependencies } from './delivery-pipeline.ts';
import { createDispatchActivities, type DispatchActivities } from './dispatch-deliveries.ts';
import { createInspectionActivities, type InspectionActivities } from './inspection.ts';
import { createReviewActivities, type ReviewActivities } from './review.ts';

import { createUpkeepActivities, type UpkeepActivities } from './upkeep.ts';

export type Activities = ReviewActivities &
  InspectionActivities &
  DeliveryActivities &
  DispatchActivities &
  AgreementActivities &
  UpkeepActivities;

/** Every activity, given what it needs. */
export function createActivities(dependencies: DeliveryDependencies): Activities {
  const pipeline = createDeliveryPipeline(dependencies);
  return {
    ...createReviewActivities(dependencies),
    ...createInspectionActivities(dependencies),
    ...createDeliveryActivities(pipeline),
    ...createDispatchActivities(pipeline),
    ...createAgreementActivities(dependencies),
    ...createUpkeepActivities(dependencies),
  };
}
