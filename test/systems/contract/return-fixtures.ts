import type { Delivered } from '../../../scripts/demo/orders.ts';
import type { VendorContext } from './clients.ts';
import { createBySteps, type Step } from './steps.ts';

const move = (action: string, body: object = {}): Step => [
  'operator',
  `POST /operator/v1/returns/ID/${action}`,
  { body },
];
const photo = { url: 'https://photos.example/bottle.jpg', kind: 'Photo' };
const inTransit = [move('approve'), move('in-transit')];
const received: readonly Step[] = [
  ...inTransit,
  ['vendor', 'PATCH /api/v1/scent/returns/ID/received'],
];
const proven: readonly Step[] = [
  ...received,
  ['vendor', 'POST /api/v1/scent/returns/ID/evidence', { body: photo, status: 201 }],
];
const inspected = [...proven, move('start-inspection')];
/** The steps to each state. */
const recipes = {
  atSortingPoint: inTransit,
  pending: [],
  approved: [move('approve')],
  inTransit,
  received,
  proven,
  unproven: [...received, move('start-inspection')],
  inspected,
  decided: [...inspected, move('decide', { outcome: 'AcceptedSound' })],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

/** Creates a return of a delivery, and moves it to a state. */
export function createReturn(
  context: VendorContext,
  { orderGlobalId, lineId }: Delivered,
  name: keyof typeof recipes,
): Promise<string> {
  const destination = name === 'atSortingPoint' ? 'SortingPoint' : 'Supplier';
  const lines = [{ lineId, quantity: 1, reasonCode: 'Defective' }];
  const body = { orderGlobalId, destination, lines };
  const creation = ['operator', 'POST /operator/v1/returns', { body }] as const;
  return createBySteps(context, creation, recipes[name]);
}

/** Creates a return of each delivery in every state. */
export async function createReturns(context: VendorContext, deliveries: readonly Delivered[]) {
  const names = Object.keys(recipes) as (keyof typeof recipes)[];
  const created: [string, readonly string[]][] = [];
  for (const name of names) {
    const ids: string[] = [];
    for (const delivered of deliveries) ids.push(await createReturn(context, delivered, name));
    created.push([name, ids]);
  }
  return Object.fromEntries(created) as Record<keyof typeof recipes, readonly string[]>;
}
