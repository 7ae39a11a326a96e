import * as v from 'valibot';
import { withId } from '../../../scripts/demo/api-calls.ts';
import type { VendorContext } from './clients.ts';

/** A call of the vendor or of the operator. `ID` stands for the id of what was created. */
export type Step = readonly [
  caller: 'vendor' | 'operator',
  request: string,
  options?: { readonly body?: object; readonly status?: number },
];

/** Creates something by the first step, and takes the others; returns its id. */
export async function createBySteps(
  context: VendorContext,
  [creator, creation, { body = {} } = {}]: Step,
  steps: readonly Step[],
): Promise<string> {
  const { id } = await context[creator].expect(creation, withId, { body, status: 201 });
  for (const [caller, request, options] of steps)
    await context[caller].expect(request.replace('ID', id), v.unknown(), options);
  return id;
}
