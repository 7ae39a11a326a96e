import { agreementSwitch } from './agreement-switch.ts';
import { deliveryBurst } from './burst.ts';
import { clockAdvance } from './clock.ts';
import { eventFeed } from './feed.ts';
import { bulkJob } from './jobs.ts';
import { delivery, orderIntake } from './orders.ts';
import { sandboxReset } from './reset.ts';
import { review } from './review.ts';
import { silence } from './silence.ts';
import type { Story } from './story.ts';

/** The columns of the fault table. */
export const stories: readonly Story[] = [
  review,
  agreementSwitch,
  silence,
  delivery,
  deliveryBurst,
  orderIntake,
  bulkJob,
  eventFeed,
  clockAdvance,
  sandboxReset,
];
