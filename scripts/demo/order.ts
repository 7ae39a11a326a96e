import type * as v from 'valibot';
import { payloadOf } from './caller.ts';
import { takenOrder } from './shipping-forms.ts';
import type { Stage } from './stage.ts';

/** An order comes in, of these groups. */
export async function createOrder(
  { asOperator }: Pick<Stage, 'asOperator'>,
  groups: readonly object[],
): Promise<v.InferOutput<typeof takenOrder>> {
  const shipTo = {
    recipient: 'Noura A.',
    line1: '12 Olaya Street',
    city: 'Riyadh',
    country: 'SA',
    phone: '+966500000000',
  };
  return payloadOf(
    await asOperator('POST', '/operator/v1/orders', { shipTo, groups }),
    201,
    takenOrder,
  );
}
