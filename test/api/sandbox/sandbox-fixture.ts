import { freeFormOffer, newVendor } from '../../support/api/actors.ts';
import { call, textOf, type Method } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

/** Gives each test a vendor of its own, with its calls, in one sandbox for a file. */
export const sandboxTest = gatewayTest
  .extend('overrides', { scope: 'file' }, { environment: 'Sandbox' })
  .extend('sandbox', async ({ gateway }) => {
    const vendor = await newVendor(gateway);
    const { token } = vendor;
    /** A call below `/api/v1/sandbox`. */
    const act = (path: string, body?: unknown, method: Method = 'POST') =>
      call(gateway, method, `/api/v1/sandbox${path}`, { token, body });
    /** A call below `/api/v1/scent`. */
    const send = (method: Method, path: string, body?: unknown) =>
      call(gateway, method, `/api/v1/scent${path}`, { token, body });
    /** The id of a new offer in PendingMatch. */
    const offer = async (declared: object = {}) =>
      textOf(await send('POST', '/offers', { ...freeFormOffer, ...declared }), 'id');
    const approved = async () => {
      const id = await offer();
      await act(`/offers/${id}/approve`);
      return id;
    };
    /** The id of a new shipment of approved offers. */
    const shipment = async (lines?: readonly object[]) => {
      if (lines === undefined) await approved();
      return textOf(await act('/orders', lines === undefined ? undefined : { lines }), 'groupId');
    };
    return { vendor, act, send, offer, approved, shipment };
  });
