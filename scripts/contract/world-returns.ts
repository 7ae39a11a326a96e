import * as v from 'valibot';
import { payloadOf } from '../demo/caller.ts';
import { withId } from '../demo/forms.ts';
import type { Delivered } from './world-orders.ts';
import type { VendorStage } from './world.ts';

type Step = 'approve' | 'in-transit' | 'received' | 'evidence' | 'start-inspection' | 'decide';

const inTransit = ['approve', 'in-transit'] as const;
const proven = [...inTransit, 'received', 'evidence'] as const;
/** What is done to a return, step by step: it is left where the last step leads. */
const ways = {
  pending: [],
  approved: ['approve'],
  inTransit,
  received: [...inTransit, 'received'],
  proven,
  unproven: [...inTransit, 'received', 'start-inspection'],
  inspected: [...proven, 'start-inspection'],
  decided: [...proven, 'start-inspection', 'decide'],
} as const satisfies Readonly<Record<string, readonly Step[]>>;
type Name = 'atSortingPoint' | keyof typeof ways;
export type MadeReturns = Readonly<Record<Name, readonly string[]>>;

/** Returns of these deliveries, one of each in every state. */
export async function makeReturns(
  stage: VendorStage,
  deliveries: readonly Delivered[],
): Promise<MadeReturns> {
  const send = async (steps: readonly Step[], destination = 'Supplier') => {
    const ids: string[] = [];
    for (const delivered of deliveries)
      ids.push(await makeReturn(stage, delivered, destination, steps));
    return ids;
  };
  return {
    atSortingPoint: await send(inTransit, 'SortingPoint'),
    pending: await send(ways.pending),
    approved: await send(ways.approved),
    inTransit: await send(ways.inTransit),
    received: await send(ways.received),
    proven: await send(ways.proven),
    unproven: await send(ways.unproven),
    inspected: await send(ways.inspected),
    decided: await send(ways.decided),
  };
}

async function makeReturn(
  stage: VendorStage,
  { orderGlobalId, lineId }: Delivered,
  destination: string,
  steps: readonly Step[],
): Promise<string> {
  const lines = [{ lineId, quantity: 1, reasonCode: 'Defective' }];
  const body = { orderGlobalId, destination, lines };
  const { id } = payloadOf(
    await stage.asOperator('POST', '/operator/v1/returns', body),
    201,
    withId,
  );
  for (const step of steps) await take(stage, id, step);
  return id;
}

async function take({ asVendor, asOperator }: VendorStage, id: string, step: Step) {
  const own = `/api/v1/scent/returns/${id}`;
  if (step === 'received') done(await asVendor('PATCH', `${own}/received`));
  else if (step === 'evidence') {
    const photo = { url: 'https://photos.example/bottle.jpg', kind: 'Photo' };
    done(await asVendor('POST', `${own}/evidence`, photo), 201);
  } else {
    const body = step === 'decide' ? { outcome: 'AcceptedSound' } : {};
    done(await asOperator('POST', `/operator/v1/returns/${id}/${step}`, body));
  }
}

const done = (answer: Parameters<typeof payloadOf>[0], status = 200): unknown =>
  payloadOf(answer, status, v.unknown());
