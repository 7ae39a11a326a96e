import * as v from 'valibot';
import { withId } from '../../../scripts/demo/api-calls.ts';
import type { Delivered } from '../../../scripts/demo/orders.ts';
import type { VendorContext } from './clients.ts';

type Step = 'approve' | 'in-transit' | 'received' | 'evidence' | 'start-inspection' | 'decide';

const inTransit = ['approve', 'in-transit'] as const;
const proven = [...inTransit, 'received', 'evidence'] as const;
/** The steps to each state. */
const recipes = {
  atSortingPoint: inTransit,
  pending: [],
  approved: ['approve'],
  inTransit,
  received: [...inTransit, 'received'],
  proven,
  unproven: [...inTransit, 'received', 'start-inspection'],
  inspected: [...proven, 'start-inspection'],
  decided: [...proven, 'start-inspection', 'decide'],
} as const satisfies Readonly<Record<string, readonly Step[]>>;
export type ReturnFixtures = Readonly<Record<keyof typeof recipes, readonly string[]>>;

/** Creates a return of each delivery in every state. */
export async function createReturns(
  context: VendorContext,
  deliveries: readonly Delivered[],
): Promise<ReturnFixtures> {
  const created: [string, readonly string[]][] = [];
  for (const [name, steps] of Object.entries(recipes)) {
    const destination = name === 'atSortingPoint' ? 'SortingPoint' : 'Supplier';
    const ids: string[] = [];
    for (const delivered of deliveries) {
      ids.push(await createReturn(context, delivered, destination, steps));
    }
    created.push([name, ids]);
  }
  return Object.fromEntries(created) as ReturnFixtures;
}

async function createReturn(
  { vendor, operator }: VendorContext,
  { orderGlobalId, lineId }: Delivered,
  destination: string,
  steps: readonly Step[],
): Promise<string> {
  const lines = [{ lineId, quantity: 1, reasonCode: 'Defective' }];
  const body = { orderGlobalId, destination, lines };
  const request = 'POST /operator/v1/returns';
  const { id } = await operator.expect(request, withId, { body, status: 201 });
  const vendorPath = `/api/v1/scent/returns/${id}`;
  for (const step of steps) {
    if (step === 'received') await vendor.expect(`PATCH ${vendorPath}/received`, v.unknown());
    else if (step === 'evidence') {
      const photo = { url: 'https://photos.example/bottle.jpg', kind: 'Photo' };
      const options = { body: photo, status: 201 };
      await vendor.expect(`POST ${vendorPath}/evidence`, v.unknown(), options);
    } else {
      const outcome = step === 'decide' ? { outcome: 'AcceptedSound' } : {};
      const move = `POST /operator/v1/returns/${id}/${step}`;
      await operator.expect(move, v.unknown(), { body: outcome });
    }
  }
  return id;
}
